"""Hints in games against bots, and explanations of each decision in a player's first games."""
