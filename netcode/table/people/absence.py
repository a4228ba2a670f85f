"""Decides how long a table waits for absent players, and who answers for them."""

from collections.abc import Iterable
from typing import Final

from netcode.protocol.messages import Away
from netcode.table.people.seats import Seat

AWAY_GRACE_S: Final = 20.0
"""Seconds for which a game waits after a connection was lost. Reconnecting takes seconds."""

LOBBY_GRACE_S: Final = 10.0
"""Seconds for which a lobby keeps a seat after a connection was lost."""

DESERTED_S: Final = 600.0
"""Seconds without any person present after which a running game may be ended for newcomers."""

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


def answers_for(seat: Seat) -> Away:
    """Return who answers for a seat.

    `no`: its player. `bot`: a bot, at once. `grace`: a bot, after some seconds. `wait`: nobody.
    """
    if seat.bot is not None:
        return "bot"
    if seat.present:
        return "bot" if seat.lapses >= MAXIMUM_LAPSES else "no"
    if seat.absence == "grace" and (seat.left or seat.has_bot_answered):
        return "bot"
    return seat.absence


def count_bot_answer(seat: Seat) -> None:
    """Record that a bot has answered for a seat. For a present person this is one more lapse."""
    if seat.bot is None and seat.present:
        seat.lapses += 1
    else:
        seat.has_bot_answered = seat.bot is None


def end_absence(seat: Seat) -> None:
    """Reset the decisions about the absence of a person who has returned."""
    seat.left = seat.has_bot_answered = seat.admits = False
    seat.absence = "grace"


def keeps_seat(seat: Seat, now: float) -> bool:
    """Return True if a lobby keeps the seat: its player is present, or was lost only recently.

    Recently means less than `LOBBY_GRACE_S` ago. A person who left for good loses the seat.
    """
    return seat.present or (not seat.left and now < seat.away_since + LOBBY_GRACE_S)


def is_deserted(persons: Iterable[Seat], now: float) -> bool:
    """Return True if all persons have been absent for `DESERTED_S`.

    Newcomers may then end the game and use the table.
    """
    return all(not seat.present and now >= seat.away_since + DESERTED_S for seat in persons)
