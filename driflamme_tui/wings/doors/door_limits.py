"""Defines the limit of doors on guesses at a code. The table itself has such a limit too."""

from typing import Final

BESIDE_A_DOOR: Final = 2
"""The weight of a guess at a table with doors, and of a guess at its doors. Each has a limit of its
own.
"""
