"""Hints against bots, and explanations of each decision in the first games."""
