"""A time control for tests of the core: by default, nobody loses a seat or a turn by absence."""

from collections.abc import Callable, Collection, Sequence
from math import inf

from msgspec import Struct

from netcode.protocol.fields import Phase
from netcode.protocol.messages import Away
from netcode.table.errors import NotAllowedError
from netcode.table.people.seats import Seat


class Patience(Struct, frozen=True):
    """A time control whose times are Unix times; an infinite time never comes."""

    unix_time: Callable[[], float]
    out_at: float = inf
    """The time at which a bot answers for the asked person."""
    keeps_until: float = inf
    """The time from which a lobby frees the seats of absent people."""
    host_until: float = inf
    """The time until which a frozen game waits for its host."""
    yields_at: float = inf
    """The time from which a newcomer at a full table gets an absent person's seat."""
    keeps_host: bool = False
    """True if an absent host stays the host."""

    def _left(self, until: float, now: float) -> float:
        return now + max(0.0, until - self.unix_time())

    def who_answers(self, seat: Seat, *, is_deciding: bool) -> Away:
        is_out = is_deciding and self.unix_time() >= self.out_at
        return "bot" if seat.bot is not None or is_out else "no"

    def looks_at(self, now: float) -> float:
        return inf if self.unix_time() >= self.out_at else self._left(self.out_at, now)

    def bot_answered(self, seat: Seat, *, is_clock_out: bool) -> bool:
        return seat.bot is None

    def absence_began(self, seat: Seat, *, has_left: bool) -> None:
        pass

    def absence_shown(self, seat: Seat, phase: Phase) -> Away:
        return "no"

    def host_decides(self, seat: Seat) -> None:
        raise NotAllowedError("time_decides", name=seat.name)

    def stops_without_people(self) -> bool:
        return False

    def is_deserted(self, persons: Collection[Seat], now: float) -> bool:
        return False

    def keeps_seat_until(self, seat: Seat, now: float) -> float:
        return self._left(self.keeps_until, now)

    def yielding_seat(self, absent: Sequence[Seat]) -> Seat | None:
        return absent[0] if absent and self.unix_time() >= self.yields_at else None

    def start_awaits(self, seat: Seat) -> bool:
        return False

    def awaits_host_until(self, now: float, *, is_frozen: bool) -> float:
        return self._left(self.host_until, now) if is_frozen else inf
