"""Clubs on the command line and the screens: many tables at once, which members open and join."""
