"""Times as they are shown: the host's last word on them, counted down from there.

They decide nothing: when a time is over is for the host to say.
"""

from math import ceil

from msgspec import Struct

from driflamme_tui.text.i18n import _
from netcode.protocol.messages import Clock, Lobby
from netcode.protocol.refusal_sentences import refusal_sentence


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


class StartCount(Struct):
    """The count to the start of a game."""

    starts_at: float | None = None
    """When it is to begin, by the app's clock; None while that is not counted."""

    def follow(self, before: Lobby | None, lobby: Lobby, now: float, *, lost: bool) -> str:
        """Count as long as the table does; return why it stops, or ""."""
        if lobby.count_s is not None and not lost:
            if self.starts_at is None:
                self.starts_at = now + lobby.count_s
            return ""
        if self.starts_at is None:
            return ""
        self.starts_at = None
        there = {seat.name for seat in lobby.seats}
        gone = [seat.name for seat in before.seats if seat.name not in there] if before else []
        if lost:
            return _("The connection is lost: the countdown has stopped.")
        if gone:
            return _("{name} has left: the countdown has stopped.", name=gone[0])
        if lobby.missing is not None:
            why = refusal_sentence(lobby.missing.code, lobby.missing.values, _)
            return _("{why} The count has stopped.", why=why)
        return _("The countdown has stopped.")

    def left(self, now: float) -> int:
        """Return the seconds that are left to the start; 0 while none are counted."""
        return 0 if self.starts_at is None else max(1, ceil(self.starts_at - now))

    def next_change(self, now: float) -> float | None:
        """Return in how many seconds another number is to be shown; None if never."""
        return None if self.starts_at is None else next_second(self.starts_at - now)


def next_second(left_s: float) -> float | None:
    """Return when, in seconds, a countdown that is rounded up shows another number."""
    if left_s <= 0:
        return None
    return left_s - (ceil(left_s) - 1)
