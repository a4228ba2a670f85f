"""Absence: for how long a table waits for those who are away, and who answers for them then."""

from collections.abc import Iterable
from typing import Final

from netcode.protocol.messages import Away
from netcode.table.people.seats import Seat

AWAY_GRACE_S: Final = 20.0
"""How long a game waits for somebody who lost their connection: a reconnect takes seconds."""

LOBBY_GRACE_S: Final = 10.0
"""How long a lobby keeps the seat of somebody who lost their connection."""

DESERTED_S: Final = 600.0
"""How long a game that everybody is away from is kept before newcomers may have its table."""

AWAY_BOT: Final = "steady"
"""The bot that answers for those who are away."""

MAXIMUM_LAPSES: Final = 2
"""How many decisions in a row go without an answer in time before a person is taken for away: one
may be a knock at their door, and each costs the others the whole clock."""

SILENT_S: Final = 60.0
"""How long somebody may leave a question unanswered before the host may have a bot answer."""

TIMER_SLACK_S: Final = 0.1
"""How much too early an answer for a person may come: timers are only so exact."""


def answers_for(seat: Seat) -> Away:
    """Return who answers for a seat: a bot at once or after a grace, nobody, or who sits there."""
    if seat.bot is not None:
        return "bot"
    if seat.present:
        return "bot" if seat.lapses >= MAXIMUM_LAPSES else "no"
    if seat.absence == "grace" and (seat.left or seat.stood_in):
        return "bot"
    return seat.absence


def count_bot_answer(seat: Seat) -> None:
    """Count that a bot answers for a seat now."""
    if seat.bot is None and seat.present:
        seat.lapses += 1
    else:
        seat.stood_in = seat.bot is None


def end_absence(seat: Seat) -> None:
    """Forget what was decided for the absence of a person who is back."""
    seat.left = seat.stood_in = seat.admits = False
    seat.absence = "grace"


def keeps_seat(seat: Seat, now: float) -> bool:
    """Whether a lobby keeps a seat for its person, if they are away."""
    return seat.present or (not seat.left and now < seat.away_since + LOBBY_GRACE_S)


def is_deserted(persons: Iterable[Seat], now: float) -> bool:
    """Whether nobody has been there for so long that the table may go to others."""
    return all(not seat.present and now >= seat.away_since + DESERTED_S for seat in persons)
