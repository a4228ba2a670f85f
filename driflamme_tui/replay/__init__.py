"""Handles past games: their records in files, and moving through one.

The result screen shows a game's course, and the package `study` shows and describes it step by
step.
"""
