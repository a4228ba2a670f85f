"""Describes everything around the game: people, connection, settings, past games.

Sentences of a single screen stand with that screen.
"""
