"""Defines effects: the actions that a table requests, and a server with sockets executes."""

from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from engine.cards import Seat
from engine.events import Event
from engine.views import View
from netcode.protocol.fields import Message
from netcode.table.snapshot import Snapshot

if TYPE_CHECKING:
    from netcode.table.finished_game import EndedGame


class Send(Struct, frozen=True):
    """Send a message to a connection. Messages on one connection keep the order of the effects."""

    connection: int
    message: Message


class Close(Struct, frozen=True):
    """Close a connection after all earlier messages were sent."""

    connection: int


class Strike(Struct, frozen=True):
    """Count an invalid message, name or key against a connection.

    After too many strikes the server closes the connection.
    """

    connection: int


class Think(Struct, frozen=True):
    """Let a bot choose an answer after a pause, and pass it to `Table.answer`.

    The table ignores an answer that is late or comes twice.
    """

    game: int
    """The number of the game at its table. Each seat of each game has a bot of its own."""
    seat: Seat
    bot: str
    view: View
    """The view of the bot's player, who may have two seats: everything that the bot knows."""
    revision: int
    delay_s: float
    budget_s: float = 0.0
    """Seconds for the bot's search, which begins at once; 0 for a bot that does not search."""
    events: tuple[Event, ...] = ()
    """The events that the bot's player has received, from the beginning of the game."""


class Warm(Struct, frozen=True):
    """Start the process for searching bots in advance. Repeating the effect does no harm."""


class Alarm(Struct, frozen=True):
    """Call `Table.alarm` after a number of seconds. An unnecessary call does no harm."""

    delay_s: float


class Report(Struct, frozen=True):
    """Pass a value from a part of the table to the host's part of the same wing.

    Without that host's part the effect does nothing. The host's part calls `Table.report_done` once
    the value has had its effect.
    """

    part: str
    """The name of the wing."""
    value: object


class Reinvite(Struct, frozen=True):
    """Make a new secret and a new spoken code, and pass them to `Table.renew`."""

    keeps_secret: bool = False
    """True if only the code must be new."""


class Keep(Struct, frozen=True):
    """Store the table's present state before executing any other effect.

    Keep is always the first effect.
    """

    snapshot: Snapshot | None
    """The state to store. None after the table was closed for good without a running game: then the
    stored table is deleted.
    """
    ended: "tuple[EndedGame, ...]" = ()
    """Games that have just ended, to be added to the history."""
    moves: int = 0
    """Number of answers since the last Keep."""


Effect: TypeAlias = Send | Close | Strike | Think | Warm | Alarm | Report | Reinvite | Keep
