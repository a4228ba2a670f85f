"""The screen on which a finished game is looked back at.

Where one is in the game is left to `driflamme_tui.replay`.
"""
