"""Sealed play in the face: the player's own program at a seat, and the proofs of a game."""
