"""Defines the rules in which the two editions of the game differ."""

from typing import Final, NamedTuple


class Edition(NamedTuple):
    """The rules of an edition. Rules that are not fields here are the same in both editions.

    >>> EDITIONS[1].ambush_gain_from_own_attacker
    1
    >>> EDITIONS[2].ambush_gain_from_own_attacker
    0
    """

    number: int
    """The digit for this edition in the notation."""

    lord_counts_covered_cards: bool
    """True if a Lord counts every card of an adjacent stack of its family, not only the top."""

    ambush_gain_from_own_attacker: int
    """Influence that an Ambush gains when a card of its own family eliminates it."""

    ambush_discards_own_attacker: bool
    """True if an Ambush also discards an attacker of its own family."""


FIRST_EDITION: Final = Edition(
    number=1,
    lord_counts_covered_cards=True,
    ambush_gain_from_own_attacker=1,
    ambush_discards_own_attacker=True,
)
SECOND_EDITION: Final = Edition(
    number=2,
    lord_counts_covered_cards=False,
    ambush_gain_from_own_attacker=0,
    ambush_discards_own_attacker=False,
)
"""The edition that a table plays by default."""

EDITIONS: Final = {edition.number: edition for edition in (FIRST_EDITION, SECOND_EDITION)}
"""Both editions, by number."""
