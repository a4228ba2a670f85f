"""Defines the weight of a guess at a code, because both a table and its doors limit guesses."""

from typing import Final

BESIDE_A_DOOR: Final = 2
"""The weight of one guess at a table with doors, and at its doors.

So the table and its doors together allow no more guesses than a table without doors.
"""
