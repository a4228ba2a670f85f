"""Stored data of a player on this machine: settings, the last evening, calls.

Screens change them.
"""
