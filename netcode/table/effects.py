"""Effects: values in which a table says what is to be done; a shell with sockets does it."""

from typing import TypeAlias

from msgspec import Struct

from engine.cards import Seat
from engine.events import Event
from engine.view import View
from netcode.protocol.messages import HostMessage
from netcode.table.journal_entries import Entry


class Send(Struct, frozen=True):
    """Send a message to a connection; those to one connection in the order of the effects."""

    connection: int
    message: HostMessage


class Close(Struct, frozen=True):
    """Close a connection, once what was sent to it before has gone out."""

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


class Keep(Struct, frozen=True):
    """Keep something for good before any effect that follows it; all those of one list or none."""

    entry: Entry


Effect: TypeAlias = Send | Close | Think | Warm | Alarm | Reinvite | Keep
