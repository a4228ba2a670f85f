"""Clubs in the user interface: opening a club, its command, and its screens."""
