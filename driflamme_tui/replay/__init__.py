"""Past games: their records in files, and moving through their steps.

The result screen shows a game's course. The package `study` shows and describes it step by step.
"""
