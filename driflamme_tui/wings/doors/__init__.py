"""Doors of a host: guests with only `ssh` or a browser use the app on the host's machine.

The doors admit visitors, run the app for each in its own process, and forward keys and screens. The
app plays the game, and connects to the host by a socket.
"""
