"""Screens of lists: a club's tables and its league, past games and what they add up to."""
