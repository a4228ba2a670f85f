"""The time control of a game for days: absent people keep their seats and their turns."""

from collections.abc import Callable, Collection, Mapping, Sequence
from math import inf

from msgspec import Struct, field

from netcode.protocol.fields import Phase
from netcode.protocol.messages import Away
from netcode.system_clock import server_time
from netcode.table.errors import NotAllowedError
from netcode.table.people.seats import Seat


class PatientTime(Struct, frozen=True):
    """A time control that expects everybody to return.

    Its attributes are Unix times. The methods receive and return times of the server's clock.
    The game goes on while nobody is present. A bot answers for people only at `bot_answers_at`, and
    once for each question.
    """

    unix_time: Callable[[], float]
    bot_answers_at: float = inf
    """The time at which a bot answers for the asked person; infinity for never."""
    keeps_seats_until: float = inf
    """The time from which a lobby frees the seats of absent people; infinity for never."""
    host_awaited_until: float = inf
    """The time until which a paused game waits for its absent host; infinity without a limit."""
    seats_yield_at: Mapping[str, float] = field(default_factory=dict)
    """By family, the times from which a full lobby gives the seats of absent people to newcomers. A
    seat whose family has no time stays.
    """

    def who_answers(self, seat: Seat, *, is_deciding: bool) -> Away:
        """Return `bot` for a bot, and for an asked person whose time is up; otherwise `no`."""
        is_out = is_deciding and self.unix_time() >= self.bot_answers_at
        return "bot" if seat.bot is not None or is_out else "no"

    def looks_at(self, now: float) -> float:
        """Return the server time at which to check whether the asked person's time is up.

        Returns infinity if the time is up already, or has no limit.
        """
        unix_now = self.unix_time()
        # Once the time is up, the bot has the question already.
        if unix_now >= self.bot_answers_at:
            return inf
        return server_time(self.bot_answers_at, now, unix_now)

    def bot_answered(self, seat: Seat, *, is_clock_out: bool) -> bool:
        """Return True for a person: a bot answers for them only when their time is up."""
        return seat.bot is None

    def absence_began(self, seat: Seat, *, has_left: bool) -> None:
        """Expect the person to return, whether they have left or not."""
        seat.left = False

    def absence_shown(self, seat: Seat, phase: Phase) -> Away:
        """Return `no`: absence is normal."""
        return "no"

    def host_decides(self, seat: Seat) -> None:
        """Raise NotAllowedError: only the passing of time lets a bot answer."""
        raise NotAllowedError("time_decides", name=seat.name)

    def stops_without_people(self) -> bool:
        """Return False: the clock in hours runs while nobody is present."""
        return False

    def is_deserted(self, persons: Collection[Seat], now: float) -> bool:
        """Return False: no newcomer ends a game for days."""
        return False

    def keeps_seat_until(self, seat: Seat, now: float) -> float:
        """Return the time until which a lobby keeps all seats.

        Returns minus infinity for a person who had left before games lasted for days.
        """
        if seat.left:
            return -inf
        return server_time(self.keeps_seats_until, now, self.unix_time())

    def yielding_seat(self, absent: Sequence[Seat]) -> Seat | None:
        """Return the seat whose time was over first; None if no seat's time is over."""
        times = self.seats_yield_at
        seat = min(absent, key=lambda each: times.get(each.family, inf), default=None)
        is_over = seat is not None and self.unix_time() >= times.get(seat.family, inf)
        return seat if is_over else None

    def start_awaits(self, seat: Seat) -> bool:
        """Return False: absent people play when they return."""
        return False

    @property
    def keeps_host(self) -> bool:
        """True: the host returns as everybody else does."""
        return True

    def awaits_host_until(self, now: float, *, is_frozen: bool) -> float:
        """Return the server time of `host_awaited_until` for a frozen game.

        Returns infinity for any other game.
        """
        if not is_frozen:
            return inf
        return server_time(self.host_awaited_until, now, self.unix_time())
