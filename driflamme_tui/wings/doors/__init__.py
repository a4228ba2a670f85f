"""Doors of a host: guests who have only `ssh` or a browser use the app on the host's machine.

The doors admit visitors, run the app for each visitor in a separate process, and forward keys and
screens. The app plays the game, and connects to the host by a socket.
"""
