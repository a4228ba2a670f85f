"""Sealed play in front of a player: the seat's own program, and what a game proves."""
