"""Doors of a host: who has only `ssh`, or a browser, sits in the app on the host's machine.

Admits visitors, runs the app for each in a process of its own, and carries keys and pictures; what
is played is left to the app, who may sit where to the host, which the app reaches by a socket.
"""
