"""Takeover: a player's machine hosts a sealed table once its host is gone.

`decision.py` decides whom to call, whom to follow and when to host; the other modules do it.
"""
