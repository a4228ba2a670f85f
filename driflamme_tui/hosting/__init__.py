"""Opens places on this machine: tables, and places of wings with the same parts.

The package `seat` takes a seat at an open table.
"""
