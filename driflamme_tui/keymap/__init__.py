"""Declares commands with their keys and texts, and their places in key bars.

This package also has the commands that several packages use. A screen declares its own commands in
its module. Key bars, command palette, help, `driflamme keys` and the player's config read all of
them.
"""
