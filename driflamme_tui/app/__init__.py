"""The Textual app, which shows the session's screens and applies the settings.

The package `screens` defines the screens.
"""
