"""Overlays above a screen: help, options, people, invitation, and small questions.

The screens decide when they open.
"""
