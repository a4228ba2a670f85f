"""The base classes of screens, lists and overlays, and the messages from screens to the app.

This package imports no module of a particular screen.
"""
