"""Effects: the actions that a table requests. A server with sockets executes them."""

from typing import TypeAlias

from msgspec import Struct

from engine.cards import Seat
from engine.events import Event
from engine.views import View
from netcode.protocol.fields import Message
from netcode.table.finished_game import EndedGame
from netcode.table.snapshot import Snapshot


class Send(Struct, frozen=True):
    """Send a message to a connection. Messages to one connection keep the order of the effects."""

    connection: int
    message: Message


class Close(Struct, frozen=True):
    """Close a connection after the messages that were sent before."""

    connection: int


class Strike(Struct, frozen=True):
    """Count an invalid message, name or key against a connection, which may be closed for it."""

    connection: int


class Think(Struct, frozen=True):
    """Let a bot choose an answer after a pause, and pass it to `Table.answer`.

    The table ignores an answer that is late or comes twice.
    """

    game: int
    """The number of the game at its table. A bot serves one seat in one game."""
    seat: Seat
    bot: str
    view: View
    """The view of its player, who may have two seats. The bot knows nothing else."""
    revision: int
    delay_s: float
    budget_s: float = 0.0
    """Seconds for its search, which begins at once; 0 for a bot that does not search."""
    events: tuple[Event, ...] = ()
    """The events that its player has received, from the beginning."""


class Warm(Struct, frozen=True):
    """Start the process for bots that search. One call is enough."""


class Alarm(Struct, frozen=True):
    """Call `Table.alarm` after a time. An unnecessary call does no harm."""

    delay_s: float


class Reinvite(Struct, frozen=True):
    """Make a new secret and a new spoken code, and pass them to `Table.renew`."""

    keeps_secret: bool = False
    """True if only the code is new."""


class Keep(Struct, frozen=True):
    """Store the table's present state before any other effect. It is always the first effect."""

    snapshot: Snapshot | None
    """The state to store; None after the table was closed without an unfinished game. The stored
    table is then removed.
    """
    ended: tuple[EndedGame, ...] = ()
    """Games that have just ended, for the history."""
    moves: int = 0
    """Number of answers since the last Keep."""


Effect: TypeAlias = Send | Close | Strike | Think | Warm | Alarm | Reinvite | Keep
