"""Computes countdowns between the host's clock messages.

A countdown decides nothing: only the host decides that a time is over.
"""

from math import ceil

from msgspec import Struct

from netcode.protocol.messages import Clock


class Countdown(Struct, frozen=True):
    """A clock message, with the time of its arrival."""

    clock: Clock
    came_at: float
    """The time of arrival, in seconds by the app's clock."""

    def left_s(self, now: float) -> float:
        """Return the seconds left at `now`, at least 0. A stopped clock keeps its time."""
        left = self.clock.left_ms / 1000
        if self.clock.running:
            left -= now - self.came_at
        return max(0.0, left)

    def shown(self, now: float) -> int:
        """Return the whole seconds to show. The result is 0 only when no time is left."""
        return ceil(self.left_s(now))

    def next_change(self, now: float) -> float | None:
        """Return the seconds until the shown number changes.

        Returns None if the clock is stopped or no time is left.
        """
        if not self.clock.running:
            return None
        return next_second(self.left_s(now))


def next_second(left_s: float) -> float | None:
    """Return the seconds until a countdown, rounded up, shows another number.

    Returns None if no time is left.
    """
    if left_s <= 0:
        return None
    return left_s - (ceil(left_s) - 1)


def soonest(*changes: float | None) -> float | None:
    """Return the earliest of several changes, in seconds from now; None if all are None."""
    return min((change for change in changes if change is not None), default=None)
