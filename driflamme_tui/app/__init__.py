"""Contains the Textual app, which shows the session's screens and applies the settings.

The package `screens` has the contents of the screens.
"""
