"""Effects: values in which a table says what is to be done; a shell with sockets does it."""

from typing import TypeAlias

from msgspec import Struct

from engine.cards import Seat
from engine.events import Event
from engine.views import View
from netcode.protocol.fields import Message
from netcode.table.finished_game import EndedGame
from netcode.table.snapshot import Snapshot


class Send(Struct, frozen=True):
    """Send a message to a connection; those to one connection in the order of the effects."""

    connection: int
    message: Message


class Close(Struct, frozen=True):
    """Close a connection, once what was sent to it before has gone out."""

    connection: int


class Strike(Struct, frozen=True):
    """Count something without sense, a name or a key against a connection, which may end for it."""

    connection: int


class Think(Struct, frozen=True):
    """Let a bot choose, after a pause, and hand its choice to `Table.answer`.

    One that has become pointless by then, or comes a second time, is dropped by the table.
    """

    game: int
    """The number of the game at its table; a bot serves one seat in one game."""
    seat: Seat
    bot: str
    view: View
    """Its player's own, of two seats at a table for two: all that the bot may know."""
    revision: int
    delay_s: float
    budget_s: float = 0.0
    """For how long it may think, beginning at once; 0 for a bot that needs no time."""
    events: tuple[Event, ...] = ()
    """What its player has been told of the game, from the beginning."""


class Warm(Struct, frozen=True):
    """Start what a bot that needs time thinks in; to ask for it once is enough."""


class Alarm(Struct, frozen=True):
    """Call `Table.alarm` after a while; once too often does no harm."""

    delay_s: float


class Reinvite(Struct, frozen=True):
    """Make a new secret and a new spoken code, and hand them to `Table.renew`."""

    keeps_secret: bool = False
    """Whether only the code is new."""


class Keep(Struct, frozen=True):
    """Keep the table as it is now, for good, before any effect that follows: it is the first."""

    snapshot: Snapshot | None
    """None once it was closed with nothing left to finish: then nothing is kept any more."""
    ended: tuple[EndedGame, ...] = ()
    """What has come to its end with it, for the history."""
    moves: int = 0
    """How many answers have come with it."""


Effect: TypeAlias = Send | Close | Strike | Think | Warm | Alarm | Reinvite | Keep
