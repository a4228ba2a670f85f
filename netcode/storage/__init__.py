"""Data that outlives the program: the journal of running tables, and past games.

Tables request storing by the effect `Keep`.
"""
