"""Says how a table treats absent people: when a bot answers for them, and who keeps a seat.

The default is a game in one evening: a bot soon answers for absent people (`absence.py`). A part
of a wing can make a table patient.
"""

from collections.abc import Mapping
from math import inf
from typing import Final

from msgspec import Struct, field


class TimeControl(Struct, frozen=True):
    """The treatment of absent people at one table."""

    is_patient: bool = False
    """True if absent people keep their seats and turns, the game goes on while nobody is present,
    and in a game that is not paused the host keeps the role. A bot answers for people only at
    `bot_answers_at`, and once.
    """
    bot_answers_at: float = inf
    """The Unix time at which a bot answers for the asked person of a patient table."""
    keeps_seats_until: float = inf
    """The Unix time from which the lobby of a patient table frees the seats of absent people."""
    host_awaited_until: float = inf
    """The Unix time until which a paused game of a patient table waits for its absent host."""
    seats_yield_at: Mapping[str, float] = field(default_factory=dict)
    """By family, the Unix times from which the seats of absent people in the lobby of a patient
    table go to others who want one.
    """


USUAL: Final = TimeControl()
"""The time control of a game in one evening."""
