"""What bots that go by rules of thumb hold of each card: one table, a line a card.

The figures are rough on purpose: they say which of two cards usually brings more influence, or is
sooner placed or revealed.
"""

from typing import Final, NamedTuple

from engine.cards import (
    AMBUSH,
    ARCHER,
    ASSASSINATION,
    CONSPIRACY,
    HEIR,
    LORD,
    ROYAL_DECREE,
    SHAPESHIFTER,
    SOLDIER,
    SPY,
    UNKNOWN,
    Card,
)


class Worth(NamedTuple):
    """What is held of one card."""

    brings: float
    """What applying it once tends to bring, the harm to others included."""
    waiting: float
    """How much more it brings for each round that it is placed earlier, against the others."""
    placed: float
    """How likely it is in a rollout to be the next card placed, against the others in hand."""
    revealed: float
    """How often a rollout reveals it when it is asked about, before the last round. For an Heir
    and a Lord that is where they would gain little: `rollout.PAYS` says what holds elsewhere."""


WORTH: Final[dict[Card, Worth]] = {
    ARCHER: Worth(brings=1.5, waiting=0.5, placed=2.5, revealed=0.5),
    SOLDIER: Worth(brings=1.5, waiting=0.7, placed=3.0, revealed=0.5),
    SPY: Worth(brings=1.25, waiting=0.6, placed=3.0, revealed=0.5),
    HEIR: Worth(brings=1.5, waiting=0.9, placed=4.0, revealed=0.1),
    SHAPESHIFTER: Worth(brings=1.25, waiting=0.4, placed=2.0, revealed=0.5),
    LORD: Worth(brings=1.5, waiting=0.8, placed=4.0, revealed=0.4),
    ASSASSINATION: Worth(brings=2.0, waiting=0.2, placed=1.0, revealed=0.15),
    ROYAL_DECREE: Worth(brings=0.5, waiting=0.0, placed=0.5, revealed=0.15),
    AMBUSH: Worth(brings=1.0, waiting=0.4, placed=2.0, revealed=0.02),
    CONSPIRACY: Worth(brings=0.0, waiting=1.0, placed=6.0, revealed=0.03),
}
"""Every card of a family."""

BRINGS: Final[dict[Card, float]] = {card: worth.brings for card, worth in WORTH.items()} | {
    UNKNOWN: 1.0
}
"""What applying a card once tends to bring, also one that is not known."""
