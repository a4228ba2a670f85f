"""What the two printings of the game disagree on, and nothing else."""

from typing import Final, NamedTuple


class Edition(NamedTuple):
    """One printing of the rules; every rule that is not a field here is the same in both.

    >>> EDITIONS[1].ambush_gain_from_own_attacker
    1
    >>> EDITIONS[2].ambush_gain_from_own_attacker
    0
    """

    number: int
    """The digit that stands for this edition in the notation."""

    lord_counts_covered_cards: bool
    """Whether a Lord counts every card of a neighbouring stack of its family, or the top one."""

    ambush_gain_from_own_attacker: int
    """What an Ambush brings when its own family eliminates it."""

    ambush_discards_own_attacker: bool
    """Whether an Ambush takes an attacker of its own family with it."""


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
"""What a table plays unless it chooses the first."""

EDITIONS: Final = {edition.number: edition for edition in (FIRST_EDITION, SECOND_EDITION)}
"""Both editions by their number."""
