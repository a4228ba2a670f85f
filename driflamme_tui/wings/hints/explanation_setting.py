"""Decides whether decisions are explained: in the first games, or as the player chooses."""

from typing import Final

from msgspec.structs import replace

from driflamme_tui.preferences.remembered import Beginner

FIRST_GAMES: Final = 3
"""Number of games with explanations, unless the player has chosen otherwise."""


def is_explained(beginner: Beginner) -> bool:
    """Return True if decisions are explained now: by the player's choice, or in the first games."""
    return beginner.games < FIRST_GAMES if beginner.wanted is None else beginner.wanted


def toggle(beginner: Beginner) -> Beginner:
    """Return the player's data with explanations switched from on to off, or from off to on."""
    return replace(beginner, wanted=not is_explained(beginner))
