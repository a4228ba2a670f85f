"""The Textual app: shows the screen that goes with what is known, and follows the settings.

What a screen shows is left to `screens`.
"""
