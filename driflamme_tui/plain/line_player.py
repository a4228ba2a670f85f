"""Defines the base class of line players, for people and programs, and their replies."""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol, TypeAlias

from msgspec import Struct

from driflamme_tui.replay.judging import Review
from driflamme_tui.seat.player_seat import PlayerSeat
from driflamme_tui.seat.seat_session import SeatSession
from engine.events import Event
from engine.views import View
from netcode.client.reconnection import News
from netcode.client.session import Session
from netcode.protocol.fields import Message
from netcode.workers.questions import BotAnswer


class Weighing(Struct, frozen=True):
    """A request to the teacher to judge the answers at a view."""

    view: View
    events: Sequence[Event]
    """The events before `view`, as far as the player may know them."""
    lines: Callable[[BotAnswer], Sequence[str]]
    """Returns the lines about the teacher's answer."""


class Judging(Struct, frozen=True):
    """A request to judge all decisions of a player in a finished game."""

    review: Review
    progress: Callable[[], str]
    """Returns the line about the progress of the review."""
    lines: Callable[[], Sequence[str]]
    """Returns the lines about the finished review."""


class Reply(Struct, frozen=True):
    """The effects of a line that was typed."""

    lines: Sequence[str] = ()
    """Lines to print for the player."""
    messages: Sequence[Message] = ()
    """Messages to send to the host."""
    leaves: bool = False
    """True if the player wants to leave the table."""
    weighing: Weighing | None = None
    """A request to the teacher to judge the present answers; None without a request."""
    awaited: int = 0
    """The revision of the table for which the next answer must wait; 0 for none."""
    judging: Judging | None = None
    """A request to review the player's decisions; None without a request."""
    goes: Callable[[SeatSession], None] | None = None
    """Acts on the player's seat: goes to another table or to the list of tables, or renames the
    player; None to do nothing.
    """


LineEffect: TypeAlias = Reply | Message | str | Iterable[str]
"""The effect of a line: a message to send, one or more lines to write, or a whole reply."""


def reply_of(effect: LineEffect) -> Reply:
    """Return an effect as a whole reply."""
    if isinstance(effect, Reply):
        return effect
    if isinstance(effect, str):
        return Reply([effect])
    return Reply(messages=[effect]) if isinstance(effect, Struct) else Reply([*effect])


class LinePlayer(Protocol):
    """A player who uses lines instead of a screen."""

    session: Session
    player_seat: PlayerSeat | None
    """The player's seat at the table; None for a session without a seat."""

    def news(self, news: News) -> Sequence[str]:
        """Return the lines about one item of news.

        Call this after the session has received the news.
        """

    def is_answer(self, text: str) -> bool:
        """Return True if a line answers a question.

        Such a line must wait until the question is asked.
        """

    def line(self, text: str) -> Reply:
        """Return the reply to a line, which may be invalid."""

    def trouble(self, sentence: str) -> str:
        """Return the line for an error."""
