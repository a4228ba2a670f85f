"""Sentences about the game: cards, names, events, bots, rules, results and help.

Sentences about choices and about the program are in other packages.
"""
