"""Builds sentences about the game, and those about the program that several packages use.

Sentences of a single screen, widget or command stand with it. `text` translates them.
"""
