"""The limit of doors on guesses at a code that the table also limits."""

from typing import Final

BESIDE_A_DOOR: Final = 2
"""The weight of a guess at a table with doors, and at its doors, since both have limits of their
own.
"""
