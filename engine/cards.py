"""Defines the ten cards and five families: letters in the notation, names and kinds.

Cards and families are represented by their letters. A set of cards, such as a hand, is a string of
letters in the order of `CARDS`, so that equal sets are equal strings.
"""

from typing import Final, TypeAlias

from engine.texts import Text

Card: TypeAlias = str
"""A card: one letter of `CARDS`, one of `LEAVES` in a sealed game, or `UNKNOWN` in a view."""

Family: TypeAlias = str
"""A family: one letter of `FAMILIES`."""

Seat: TypeAlias = int
"""A place at the table, counted from 0, clockwise."""

ARCHER: Final = "A"
SOLDIER: Final = "S"
SPY: Final = "P"
HEIR: Final = "H"
SHAPESHIFTER: Final = "F"
LORD: Final = "L"
ASSASSINATION: Final = "X"
ROYAL_DECREE: Final = "D"
AMBUSH: Final = "M"
CONSPIRACY: Final = "C"

CARD_NAMES: Final[dict[Card, Text]] = {
    ARCHER: "Archer",
    SOLDIER: "Soldier",
    SPY: "Spy",
    HEIR: "Heir",
    SHAPESHIFTER: "Shapeshifter",
    LORD: "Lord",
    ASSASSINATION: "Assassination",
    ROYAL_DECREE: "Royal Decree",
    AMBUSH: "Ambush",
    CONSPIRACY: "Conspiracy",
}
"""The English name of each card, by its letter."""

CARDS: Final = "".join(CARD_NAMES)
"""The letters of all cards, ASPHFLXDMC, in the order in which sets of cards are written."""

INTRIGUES: Final = frozenset({ASSASSINATION, ROYAL_DECREE, AMBUSH, CONSPIRACY})
"""The cards that leave the Queue after their ability."""

CHARACTERS: Final = frozenset(CARDS) - INTRIGUES
"""The cards that stay in the Queue after their ability."""

LEAVES: Final = "0123456789"
"""The letters for the ten cards of a family in a sealed game. Only the owner knows which card each
letter is.
"""

UNKNOWN: Final = "?"
"""The letter for a card that the reader of a view may not see."""

FAMILY_NAMES: Final[dict[Family, Text]] = {
    "r": "Red",
    "b": "Blue",
    "g": "Green",
    "y": "Yellow",
    "v": "Violet",
}
"""The English name of each family."""

FAMILIES: Final = "".join(FAMILY_NAMES)
"""The letters of all families: rbgyv."""

SET_ASIDE: Final = 3
"""Number of cards of each family that are set aside, face down, before the game."""

HAND: Final = len(CARDS) - SET_ASIDE
"""Number of cards in each hand at the start."""

ROUNDS: Final = 6
"""Number of rounds of a game. One card of each hand is never played."""

MINIMUM_PLAYERS: Final = 3
"""Minimum number of seats in a game."""
MAXIMUM_PLAYERS: Final = 5
"""Maximum number of seats in a game."""

MAXIMUM_STACKS: Final = ROUNDS * MAXIMUM_PLAYERS
"""Maximum number of stacks in the Queue: reached if no card ever covers another."""


def in_order(cards: str) -> str:
    """Return the same cards in the order of `CARDS`, then leaves, then unknown cards.

    >>> in_order("M2A?P1")
    'APM12?'
    """
    return "".join(sorted(cards, key=f"{CARDS}{LEAVES}{UNKNOWN}".index))
