"""Tools for learning: lesson, puzzles, analysis board, replays and their teacher.

The package can be deleted: only the app, the start screen and the command line import it, and only
when they use it.
"""
