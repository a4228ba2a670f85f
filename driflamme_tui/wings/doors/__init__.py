"""Doors of a host: guests with only `ssh` or a browser use the app on the host's machine.

The doors admit visitors, run the app for each in a process of its own, and forward keys and
screens. The app plays the game, and reaches the host by a socket.
"""
