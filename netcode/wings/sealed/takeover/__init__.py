"""Takeover: a player's machine hosts a sealed table after the table's host has gone.

`decision.py` decides which programs to call or follow, and when to host. The other modules execute
its decisions.
"""
