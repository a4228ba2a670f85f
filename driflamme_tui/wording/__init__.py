"""Sentences about the game, and sentences about the program that several packages use.

Sentences of a single screen, widget or command are in its own module. `text` translates them.
"""
