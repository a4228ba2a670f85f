"""The ordinary treatment of absent players: the table waits some time, then a bot answers."""

from collections.abc import Collection, Sequence
from math import inf
from typing import Final

from msgspec import Struct

from netcode.protocol.fields import Phase
from netcode.protocol.messages import Away
from netcode.table.people.seats import Seat
from netcode.table.people.time_control import TimeControl

AWAY_GRACE_S: Final = 20.0
"""Seconds for which a game waits after a connection was lost. Reconnecting takes seconds."""

LOBBY_GRACE_S: Final = 10.0
"""Seconds for which a lobby keeps a seat after a connection was lost."""

DESERTED_S: Final = 600.0
"""Seconds without any person present after which a newcomer may end a running game."""

AWAY_BOT: Final = "steady"
"""The bot that answers for absent players."""

MAXIMUM_LAPSES: Final = 2
"""Number of consecutive unanswered decisions after which a person counts as absent. Anybody may
miss one decision, but each missed decision costs the others the whole time limit.
"""

SILENT_S: Final = 60.0
"""Seconds after which the host may let a bot answer for a silent person."""

TIMER_SLACK_S: Final = 0.1
"""Seconds by which a bot's answer for a person may be early, since timers are not exact."""


class OrdinaryTime(Struct, frozen=True):
    """The time control of a game in one evening: a bot soon answers for absent people."""

    def who_answers(self, seat: Seat, *, is_deciding: bool) -> Away:
        """Return the present treatment of a seat's questions.

        `no`: its player answers. `bot`: a bot answers, at once. `grace`: a bot answers, after some
        seconds. `wait`: nobody answers.
        """
        if seat.bot is not None:
            return "bot"
        if seat.present:
            return "bot" if seat.lapses >= MAXIMUM_LAPSES else "no"
        if seat.absence == "grace" and (seat.left or seat.has_bot_answered):
            return "bot"
        return seat.absence

    def looks_at(self, now: float) -> float:
        """Return infinity: only an input, or the clock in seconds, changes `who_answers`."""
        return inf

    def bot_answered(self, seat: Seat, *, is_clock_out: bool) -> bool:
        """Record a bot's answer. For a present person it counts as a lapse.

        Returns True if the bot answered only because the clock ran out.
        """
        is_late = is_clock_out and self.who_answers(seat, is_deciding=True) != "bot"
        if seat.bot is None and seat.present:
            seat.lapses += 1
        else:
            seat.has_bot_answered = seat.bot is None
        return is_late

    def absence_began(self, seat: Seat, *, has_left: bool) -> None:
        """Store `has_left`, which is True if the person has left for good."""
        seat.left = has_left

    def absence_shown(self, seat: Seat, phase: Phase) -> Away:
        """Return the result of `who_answers`; `grace` for an absent person in a lobby."""
        if phase == "lobby" and not seat.present:
            return "grace"
        return self.who_answers(seat, is_deciding=False)

    def host_decides(self, seat: Seat) -> None:
        """Allow the host every decision about an absent or silent person."""

    def stops_without_people(self) -> bool:
        """Return True: a game stands still while nobody is present."""
        return True

    def is_deserted(self, persons: Collection[Seat], now: float) -> bool:
        """Return True if all persons have been absent for `DESERTED_S`.

        Newcomers may then end the game and use the table.
        """
        return all(not seat.present and now >= seat.away_since + DESERTED_S for seat in persons)

    def keeps_seat_until(self, seat: Seat, now: float) -> float:
        """Return the end of `LOBBY_GRACE_S`; minus infinity for a person who has left."""
        return -inf if seat.left else seat.away_since + LOBBY_GRACE_S

    def yielding_seat(self, absent: Sequence[Seat]) -> Seat | None:
        """Return None: the lobby itself soon frees the seats of absent people."""
        return None

    def start_awaits(self, seat: Seat) -> bool:
        """Return True: absent people may return in seconds."""
        return True

    @property
    def keeps_host(self) -> bool:
        """False: another present person becomes the host."""
        return False

    def awaits_host_until(self, now: float, *, is_frozen: bool) -> float:
        """Return minus infinity: the game waits for its host no longer than usual."""
        return -inf


ORDINARY: Final[TimeControl] = OrdinaryTime()
"""The time control of a table for which no part wants another time control."""


def end_absence(seat: Seat) -> None:
    """Reset the decisions about the absence of a person who has returned."""
    seat.left = seat.has_bot_answered = seat.admits = False
    seat.absence = "grace"
