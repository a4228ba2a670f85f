"""Every command there is, each declared once: keys, words, where, when, and its place in key bars.

Key bars, command palette, help, `driflamme keys` and a player's own keys all read that. How a
command is carried out is left to the screens.
"""
