"""Those who are away: for how long a game waits for them, and who answers for them then.

Decides from a seat and the time alone; who is away, and whether anybody is there at all, is
`table.py`'s.
"""

from collections.abc import Iterable
from typing import Final

from netcode.effects import Think
from netcode.messages import TableSettings
from netcode.play import Play
from netcode.seats import Seat

AWAY_GRACE_S: Final = 20.0
"""How long a game waits for somebody who lost their connection: a reconnect takes seconds."""

DESERTED_S: Final = 600.0
"""How long a game that everybody is away from is kept before newcomers may have its table."""

AWAY_BOT: Final = "steady"
"""Who answers for those who are away."""

TIMER_SLACK_S: Final = 1.0
"""How much too early an answer for somebody away may come: clocks and timers differ a little."""


def is_answered_for(seat: Seat, now: float) -> bool:
    """Whether a bot may answer for a seat now."""
    if seat.bot is not None:
        return True
    return not seat.present and (seat.left or now >= seat.away_since + AWAY_GRACE_S - TIMER_SLACK_S)


def is_deserted(persons: Iterable[Seat], now: float) -> bool:
    """Whether nobody has been there for so long that the table may go to others."""
    return all(not seat.present and now >= seat.away_since + DESERTED_S for seat in persons)


def question(
    play: Play, seat: Seat, settings: TableSettings, revision: int, now: float
) -> Think | None:
    """Return what a bot is to be asked, if it is not a person who answers for the seat in turn."""
    delay = settings.pace_ms / 1000
    if seat.bot is None:
        if seat.present:
            return None
        if not seat.left:
            delay = max(delay, seat.away_since + AWAY_GRACE_S - now)
    return Think(
        game=play.number,
        seat=play.turn,
        bot=seat.bot or AWAY_BOT,
        view=play.seen_by(play.turn),
        revision=revision,
        delay_s=delay,
    )
