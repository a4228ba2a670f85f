"""The Textual app: shows the screen that fits the session, and applies the settings.

The package `screens` has the contents of the screens.
"""
