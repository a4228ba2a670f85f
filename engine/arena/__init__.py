"""Measures bots: contests of many games, their tallies, and ratings from their results."""
