"""Times as they are shown: the host's last word on them, counted down from there.

They decide nothing: when a time is over is for the host to say.
"""

from math import ceil

from msgspec import Struct

from netcode.protocol.messages import Clock


class Countdown(Struct, frozen=True):
    """A Clock, and when it came."""

    clock: Clock
    came_at: float
    """In seconds, by the app's clock."""

    def left_s(self, now: float) -> float:
        """Return the seconds that are left at a time."""
        left = self.clock.left_ms / 1000
        if self.clock.running:
            left -= now - self.came_at
        return max(0.0, left)

    def shown(self, now: float) -> int:
        """Return the whole seconds to show; 0 only when nothing is left."""
        return ceil(self.left_s(now))

    def next_change(self, now: float) -> float | None:
        """Return in how many seconds another number is to be shown; None if never."""
        if not self.clock.running:
            return None
        return next_second(self.left_s(now))


def next_second(left_s: float) -> float | None:
    """Return when, in seconds, a countdown that is rounded up shows another number."""
    if left_s <= 0:
        return None
    return left_s - (ceil(left_s) - 1)


def soonest(*changes: float | None) -> float | None:
    """Return the first of several changes, some of which never come."""
    return min((change for change in changes if change is not None), default=None)
