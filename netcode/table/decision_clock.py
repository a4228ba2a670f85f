"""The time for one decision: how much is left of it, running or not."""

from typing import Final

from netcode.protocol.messages import Clock

RETURN_S: Final = 10.0
"""How much time somebody who comes back to a decision has at least, once: enough to choose."""


class DecisionClock:
    """Counts the seconds that are left of a decision; nothing is left before the first."""

    def __init__(self) -> None:
        self._left_s = 0.0
        """How much was left when it stopped last."""
        self.out_at: float | None = None
        """When the time is out; None while it does not run."""
        self._raised = False
        """Whether this decision has been given more time."""

    @property
    def state(self) -> tuple[float, float | None]:
        """A value that differs when more has changed than the present time."""
        return self._left_s, self.out_at

    def told(self, revision: int, now: float) -> Clock:
        """Return what is told of the time for the decision of a revision."""
        left_ms = round(1000 * self.left_s(now))
        return Clock(revision=revision, left_ms=left_ms, running=self.out_at is not None)

    def begin(self, seconds: float) -> None:
        """Set the time for a new decision; it does not run yet."""
        self._left_s, self.out_at, self._raised = seconds, None, False

    def run(self, now: float) -> None:
        """Let the time run."""
        if self.out_at is None:
            self.out_at = now + self._left_s

    def stop(self, now: float) -> None:
        """Let the time stand still."""
        self._left_s, self.out_at = self.left_s(now), None

    def left_s(self, now: float) -> float:
        """Return how many seconds are left."""
        return self._left_s if self.out_at is None else max(0.0, self.out_at - now)

    def raise_to(self, seconds: float, now: float) -> None:
        """See to it that so much is left, once in a decision: not for each reconnect anew."""
        if not self._raised and self.left_s(now) < seconds:
            self._raised = True
            self._left_s = seconds
            if self.out_at is not None:
                self.out_at = now + seconds
