"""The screens of the guided first game, and its end.

What is taught is left to `driflamme_tui.alone`.
"""
