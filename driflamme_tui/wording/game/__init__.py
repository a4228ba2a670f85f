"""Sentences about the game itself: cards, names, events, bots, rules, results and help.

What is asked of a player, and the program around the game, have rooms of their own beside this one.
"""
