"""The game itself: rules, views, notation, records and bots, in plain Python.

Nothing here does input or output, reads a clock, starts a task or knows of a network or a
screen. Randomness is always handed in as a `random.Random`.
"""
