"""The conditions for offering a hint, and for using a result of the teacher."""

from typing import TYPE_CHECKING, Final

from netcode.protocol.messages import Lobby

if TYPE_CHECKING:
    from netcode.workers.questions import BotAnswer

ENOUGH: Final = 8
"""Minimum number of iterations behind a choice that a hint may show."""


def is_useful(thought: "BotAnswer | None") -> bool:
    """Return True if the teacher has tried its choice at least `ENOUGH` times; False for None."""
    return thought is not None and bool(thought.weights) and thought.weights[0][2] >= ENOUGH


def against_bots_only(lobby: Lobby) -> bool:
    """Return True if the reader plays, and all other players are bots."""
    return lobby.you is not None and all(
        seat.bot is not None for seat in lobby.seats if seat.family != lobby.you
    )
