"""Past games: their records in files, and moving through one.

The result screen shows their course, and the package `study` shows and tells them step by step.
"""
