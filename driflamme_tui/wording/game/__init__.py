"""Sentences about the game itself: cards, names, events, rules, results and help.

What is asked, and the program around the game, have rooms of their own beside this one.
"""
