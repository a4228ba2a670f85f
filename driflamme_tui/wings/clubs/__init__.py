"""Clubs on this machine: opening one, its command, and its screens."""
