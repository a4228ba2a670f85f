"""What is kept of a player on this machine: settings, the last evening, the coach, calls.

Changing them on a screen is left to `screens`.
"""
