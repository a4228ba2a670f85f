"""The base classes of all screens and overlays: commands, help, and messages to the app.

This package imports no screen.
"""
