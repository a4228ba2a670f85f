"""How long a bot that thinks may do so in an arena."""

from dataclasses import dataclass
from time import monotonic
from typing import Final

from engine.bots import KeepGoing


@dataclass(frozen=True, slots=True)
class Budget:
    """What a bot may spend on each decision; by itself, as many iterations as its level makes."""

    iterations: int | None = None
    seconds: float | None = None
    """Seconds by the clock, so that the same game cannot be played a second time."""

    def keep_going(self) -> KeepGoing | None:
        """Return what one bot is made with."""
        if self.seconds is not None:
            return _Clock(self.seconds)
        if self.iterations is not None:
            return self.iterations.__gt__
        return None


NO_LIMIT: Final = Budget()
"""The budget of bots that think as long as their level does by itself."""


class _Clock:
    """Lets a bot go on until the time for its decision is over."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._made = 0
        self._until = 0.0

    def __call__(self, made: int) -> bool:
        now = monotonic()
        if made <= self._made:
            # Iterations are counted from the beginning of a decision: this is another one.
            self._until = now + self.seconds
        self._made = made
        return now < self._until
