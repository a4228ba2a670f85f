"""Screens of lists: past games and what they add up to."""
