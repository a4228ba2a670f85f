"""What a command is, keys, words and place in key bars; and the commands that several rooms name.

A screen declares its other commands beside itself. Key bars, command palette, help, `driflamme
keys` and a player's own keys read them all.
"""
