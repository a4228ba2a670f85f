"""Counts the time for a decision. `games.py` and kinds of games act when the time runs out."""

from typing import Final

from msgspec import Struct

from netcode.protocol.messages import Clock

RETURN_S: Final = 10.0
"""Minimum seconds for a player who returns during a decision, granted once in each decision."""


class DecisionClock(Struct):
    """Counts the seconds left for a decision."""

    question_at: float = 0.0
    """The time of the question, or of the end of a later pause. The delays of bots begin then."""
    stopped_with_s: float = 0.0
    """Seconds that were left when the clock last stopped, or when the question was asked."""
    out_at: float | None = None
    """The time at which the clock runs out; None while the clock is stopped."""
    was_raised: bool = False
    """True if this decision was granted more time."""

    @property
    def state(self) -> tuple[float, float | None]:
        """A value that changes only when the clock is set, started or stopped."""
        return self.stopped_with_s, self.out_at

    def message(self, revision: int, now: float) -> Clock:
        """Return the Clock message for the decision of a revision."""
        left_ms = round(1000 * self.left_s(now))
        return Clock(revision=revision, left_ms=left_ms, running=self.out_at is not None)

    def let_run(self, now: float, *, runs: bool) -> None:
        """Start the clock with the time that is left, or stop it."""
        if not runs:
            self.stopped_with_s, self.out_at = self.left_s(now), None
        elif self.out_at is None:
            self.out_at = now + self.stopped_with_s

    def left_s(self, now: float) -> float:
        """Return the seconds left for the decision; 0 after its end."""
        return self.stopped_with_s if self.out_at is None else max(0.0, self.out_at - now)

    def raise_to(self, seconds: float, now: float) -> None:
        """Raise the time left to at least `seconds`.

        Does this only once in each decision, so that repeated reconnects gain nothing.
        """
        if not self.was_raised and self.left_s(now) < seconds:
            runs = self.out_at is not None
            self.was_raised, self.stopped_with_s, self.out_at = True, seconds, None
            self.let_run(now, runs=runs)
