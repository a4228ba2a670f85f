"""What is kept of a player on this machine: settings, the last evening, calls.

Changing them on a screen is left to `screens`.
"""
