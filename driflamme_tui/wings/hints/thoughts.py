"""When a hint may be given, and when what the teacher thinks is one."""

from typing import Final

from netcode.protocol.messages import Lobby
from netcode.workers.worker_main import BotAnswer

ENOUGH: Final = 8
"""Minimum number of times that the teacher must have tried a choice to advise it."""


def is_useful(thought: BotAnswer | None) -> bool:
    """Return whether the teacher has thought enough for a hint."""
    return thought is not None and bool(thought.weights) and thought.weights[0][2] >= ENOUGH


def against_bots_only(lobby: Lobby) -> bool:
    """Return whether the reader plays, and everybody else who plays is a bot."""
    return lobby.you is not None and all(
        seat.bot is not None for seat in lobby.seats if seat.family != lobby.you
    )
