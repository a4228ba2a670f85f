"""Commands, their keys, texts and places in key bars; and the commands of several packages.

A screen declares its own commands beside itself. Key bars, command palette, help, `driflamme keys`
and a player's own keys read them all.
"""
