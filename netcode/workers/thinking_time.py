"""How long a bot may think about a decision."""

from typing import Final

QUICK: Final = frozenset(("random", "steady"))
"""Bots that answer at once: they need no worker and have no budget."""

PARTS: Final = {"novice": 0.1, "learner": 0.1, "sharp": 0.2}
"""Which part bots take of the time that a table gives them; all others take all of it."""


def budget_s(bot: str, think_ms: int) -> float:
    """Return how long a bot may think about a decision at such a table; 0 if it needs no time."""
    return 0.0 if bot in QUICK else think_ms / 1000 * PARTS.get(bot, 1.0)
