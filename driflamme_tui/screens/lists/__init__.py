"""Screens with lists: past games and their statistics."""
