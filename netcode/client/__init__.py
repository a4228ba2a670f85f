"""A player's side of the network: finds a table, stays connected, stores what the host sends.

`driflamme_tui` shows it.
"""
