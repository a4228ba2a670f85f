"""Stores a player's data on this machine: settings, the last evening, and calls."""
