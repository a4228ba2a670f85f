"""Sealed play in the face: the seat's own program, and the proofs of a game."""
