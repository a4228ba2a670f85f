"""The value of each card for bots that use rules of thumb, in one table.

The figures are rough. They order the cards by their usual gain, and by the usual time of placing or
revealing.
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
    """The values of one card."""

    brings: float
    """Average gain from applying the ability once, including the harm to opponents."""
    waiting: float
    """Additional value for each round that the card is placed earlier."""
    placed: float
    """Relative likelihood that a rollout places the card next."""
    revealed: float
    """Probability that a rollout reveals the card before the last round. For an Heir and a Lord
    this holds if they gain little (see `rollout.PAYS`).
    """


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
"""The values of every card of a family."""

BRINGS: Final[dict[Card, float]] = {card: worth.brings for card, worth in WORTH.items()} | {
    UNKNOWN: 1.0
}
"""The value `brings` of each card, and an average for unknown cards."""
