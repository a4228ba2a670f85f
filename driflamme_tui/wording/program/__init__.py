"""Sentences about what surrounds the game: people, the line, settings, history, the lesson.

Sentences of one screen only stand with that screen.
"""
