"""How long a bot may think about a decision, and the deadline at which its search ends."""

import threading
from collections.abc import Callable
from time import monotonic
from typing import Final

from engine.bots import BOTS, SearchingBot

QUICK: Final = frozenset(name for name, bot in BOTS.items() if not issubclass(bot, SearchingBot))
"""Bots that answer at once: they need no worker and have no budget."""

PARTS: Final = {"sharp": 0.2}
"""Part of the time that a table gives its bots which a bot takes, unless it takes all."""


def budget_s(bot: str, think_ms: int) -> float:
    """Return how long a bot may think about a decision at such a table; 0 if it needs no time."""
    return 0.0 if bot in QUICK else think_ms / 1000 * PARTS.get(bot, 1.0)


class Deadline:
    """The time until which a bot may search; set by one thread and read by another."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._number = 0
        self._until = 0.0
        self._lock = threading.Lock()

    def begin(self, number: int, seconds: float) -> None:
        """Set the deadline of a question, unless a later one has come already."""
        with self._lock:
            if number > self._number:
                self._number, self._until = number, self._clock() + seconds

    def shorten(self, number: int, seconds: float) -> None:
        """Bring the deadline of a question forward, if it is the present one."""
        with self._lock:
            if number == self._number:
                self._until = min(self._until, self._clock() + seconds)

    def lasts(self, number: int, made: int = 0) -> bool:
        """Return whether the deadline of a question is still to come."""
        return number == self._number and self._clock() < self._until
