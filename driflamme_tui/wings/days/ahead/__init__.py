"""Answers that a player prepares for later questions of a long game."""
