"""The player's side of the network: finds a table, stays connected, and stores the game.

`driflamme_tui` shows the game.
"""
