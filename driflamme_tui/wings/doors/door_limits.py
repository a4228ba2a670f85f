"""Defines the limit of doors on guesses at a code. The table itself has such a limit too."""

from typing import Final

BESIDE_A_DOOR: Final = 2
"""The number of guesses that one guess counts as, at a table with doors and at the doors.

So the table and its doors together allow no more guesses than a table without doors.
"""
