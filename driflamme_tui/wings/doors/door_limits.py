"""The limit of doors on guesses at a code, which the table limits too."""

from typing import Final

BESIDE_A_DOOR: Final = 2
"""The weight of a guess at a table with doors, and at its doors, since each has its own limit."""
