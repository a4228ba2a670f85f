"""A sealed table that outlives its host: a player's own carrier, and the lines to those of others.

Who is called and who takes over is decided in `who_carries_on.py`; all else does it.
"""
