"""Computes the time that a bot has for one decision."""

from typing import Final

QUICK: Final = frozenset(("random", "steady"))
"""Bots that answer at once. They need no worker and no time budget."""

PARTS: Final = {"novice": 0.1, "learner": 0.1, "sharp": 0.2}
"""The part of a table's thinking time that each bot uses; 1 for other bots."""


def budget_s(bot: str, think_ms: int) -> float:
    """Return the seconds that a bot may search for a decision at a table; 0 for quick bots."""
    return 0.0 if bot in QUICK else think_ms / 1000 * PARTS.get(bot, 1.0)
