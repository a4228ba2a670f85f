"""Conditions for offering a hint, and for using a result of the teacher."""

from typing import Final

from netcode.protocol.messages import Lobby
from netcode.workers.worker_main import BotAnswer

ENOUGH: Final = 8
"""Minimum number of the teacher's trials of a choice before a hint may show this choice."""


def is_useful(thought: BotAnswer | None) -> bool:
    """Return True if the teacher has thought enough for a hint."""
    return thought is not None and bool(thought.weights) and thought.weights[0][2] >= ENOUGH


def against_bots_only(lobby: Lobby) -> bool:
    """Return True if the reader plays, and all other players are bots."""
    return lobby.you is not None and all(
        seat.bot is not None for seat in lobby.seats if seat.family != lobby.you
    )
