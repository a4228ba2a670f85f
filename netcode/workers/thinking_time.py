"""How long a bot may think about a decision, and the deadline at which its search ends."""

from time import monotonic
from typing import Final

QUICK: Final = frozenset(("random", "steady"))
"""Bots that answer at once: they need no worker and have no budget."""

PARTS: Final = {"novice": 0.1, "learner": 0.1, "sharp": 0.2}
"""Which part bots take of the time that a table gives them; all others take all of it."""


def budget_s(bot: str, think_ms: int) -> float:
    """Return how long a bot may think about a decision at such a table; 0 if it needs no time."""
    return 0.0 if bot in QUICK else think_ms / 1000 * PARTS.get(bot, 1.0)


class Deadline:
    """The time until which a bot may search; set by one thread and read by another."""

    def __init__(self) -> None:
        self._current = 0, 0.0
        """The number of the present question, and until when it may be thought about."""

    def begin(self, number: int, seconds: float) -> None:
        """Set the deadline of a question, of which the one before is done."""
        self._current = number, monotonic() + seconds

    def end(self, number: int) -> None:
        """Have the search for an answer end, if its question is the present one."""
        current, until = self._current
        self._current = current, 0.0 if number == current else until

    def lasts(self, number: int, made: int = 0) -> bool:
        """Return whether the deadline of a question is still to come."""
        current, until = self._current
        return number == current and monotonic() < until
