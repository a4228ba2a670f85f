"""Decides whether decisions are explained: in the first games, or as the player chooses."""

from typing import Final

from msgspec.structs import replace

from driflamme_tui.preferences.remembered import Beginner

FIRST_GAMES: Final = 3
"""Number of games with explanations, unless the player has chosen otherwise."""


def is_explained(beginner: Beginner) -> bool:
    """Return True if decisions are explained now."""
    return beginner.games < FIRST_GAMES if beginner.wanted is None else beginner.wanted


def toggled(beginner: Beginner) -> Beginner:
    """Return the player's data with explanations switched: off if they are on now, or on."""
    return replace(beginner, wanted=not is_explained(beginner))
