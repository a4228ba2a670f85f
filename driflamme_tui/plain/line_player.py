"""Whoever plays line by line, a person or a program: what they are given, and what they answer."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeAlias

from msgspec import Struct

from driflamme_tui.seat.seat_session import SeatSession
from engine.events import Event
from engine.views import View
from netcode.client.reconnection import News
from netcode.client.session import Session
from netcode.protocol.fields import Message
from netcode.workers.worker_main import BotAnswer


class Weighing(Struct, frozen=True):
    """What the teacher is asked: to weigh the answers at a view."""

    view: View
    events: Sequence[Event]
    """What the player knows of how it came to that."""
    lines: Callable[[BotAnswer], Sequence[str]]
    """Returns what is written about its answer."""


class Reply(Struct, frozen=True):
    """What follows from a line that was typed."""

    lines: Sequence[str] = ()
    """Lines to be written."""
    messages: Sequence[Message] = ()
    """Messages to be sent."""
    leaves: bool = False
    """Whether the player leaves the table."""
    weighing: Weighing | None = None
    """What the teacher is asked."""
    awaited: int = 0
    """The revision of the table that the next answer is about, and has to wait for."""
    goes: Callable[[SeatSession], None] | None = None
    """Leads to one of several tables, or to their list."""


Said: TypeAlias = Reply | Message | str | Iterable[str]
"""What follows from a line: a message to be sent, or a line or more to be written, or all that."""


def reply_of(said: Said) -> Reply:
    """Return it as a whole reply."""
    if isinstance(said, Reply):
        return said
    if isinstance(said, str):
        return Reply([said])
    return Reply(messages=[said]) if isinstance(said, Struct) else Reply([*said])


class LinePlayer(Protocol):
    """Whoever plays line by line."""

    session: Session

    def news(self, news: News) -> Sequence[str]:
        """Return what there is to tell, once the session has taken a message in."""

    def is_answer(self, text: str) -> bool:
        """Return whether a line is about the question that is asked, and so waits for it."""

    def line(self, text: str) -> Reply:
        """Return what a line means."""

    def trouble(self, sentence: str) -> str:
        """Return how to tell that something went wrong."""
