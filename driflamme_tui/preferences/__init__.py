"""Stores a player's settings, latest visits and other data.

Also calls the player, and chooses bots of the player's strength.
"""
