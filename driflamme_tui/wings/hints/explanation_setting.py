"""Decides whether decisions are explained: in the first games, or as the player chooses."""

from typing import Final

from msgspec.structs import replace

from driflamme_tui.preferences.remembered import Newcomer

FIRST_GAMES: Final = 3
"""Number of games with explanations, unless the player has chosen otherwise."""


def is_explained(newcomer: Newcomer) -> bool:
    """Return True if decisions are explained now."""
    return newcomer.games < FIRST_GAMES if newcomer.wanted is None else newcomer.wanted


def toggled(newcomer: Newcomer) -> Newcomer:
    """Return the player's data with explanations turned on if they were off, or off."""
    return replace(newcomer, wanted=not is_explained(newcomer))
