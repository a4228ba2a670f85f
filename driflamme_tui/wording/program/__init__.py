"""Sentences about what surrounds the game: people, the line, settings, past games, the lesson.

Sentences of one screen only stand with that screen.
"""
