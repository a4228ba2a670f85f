"""Declares commands, their keys and texts, and their places in key bars.

It also has the commands that several packages use. A screen declares its own commands beside
itself. Key bars, command palette, help, `driflamme keys` and a player's own keys read all of them.
"""
