"""Sealed play in the user interface: the player's own program at a seat, and proofs of a game."""
