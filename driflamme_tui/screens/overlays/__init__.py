"""Overlays above a screen: help, options, people, invitation, and small questions.

Screens decide when an overlay opens.
"""
