"""Takeover: a player's machine hosts a sealed table after the table's host has gone.

`decision.py` decides on calls, on moves to another host, and on hosting. The other modules execute
its decisions.
"""
