"""Data that outlives the program: the journal of running tables, and past games.

`table` requests storing.
"""
