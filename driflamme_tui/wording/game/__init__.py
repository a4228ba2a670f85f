"""Builds sentences about the game: cards, names, events, bots, rules, results and help.

Sentences about choices and about the program have their own packages.
"""
