"""What a table wants done: it says so in these values, and a shell with sockets does it."""

from dataclasses import dataclass
from typing import TypeAlias

from msgspec.structs import replace

from engine.cards import Seat
from engine.view import View
from netcode.protocol.codec import decode_host, encode
from netcode.protocol.fields import FamilyLetter
from netcode.protocol.messages import HostMessage, Lobby
from netcode.table.entries import Entry


class Send:
    """Send a message to a connection; those to one connection in the order of the effects.

    It is made of a message or, where that is cheaper, of its frame; either follows from the other.
    """

    __match_args__ = ("connection", "message")
    __slots__ = ("_frame", "_message", "connection")

    def __init__(
        self, connection: int, message: HostMessage | None = None, frame: bytes | None = None
    ) -> None:
        """Give either the message or its frame."""
        self.connection = connection
        self._message = message
        self._frame = frame

    @property
    def message(self) -> HostMessage:
        """What is sent."""
        if self._message is None:
            assert self._frame is not None
            self._message = decode_host(self._frame)
        return self._message

    @property
    def frame(self) -> bytes:
        """The same in bytes."""
        if self._frame is None:
            assert self._message is not None
            self._frame = encode(self._message)
        return self._frame


class SendLobby(Send):
    """Send a Lobby to a connection; a newer one may take its place if it has not been sent yet.

    All at a table are told the same but for whose seat is theirs; it is made when it is sent.
    """

    __slots__ = ("_common", "_host", "_you")

    def __init__(
        self, connection: int, common: Lobby, you: FamilyLetter | None, host: bool
    ) -> None:
        """Give the Lobby of anybody, and the receiver's family and whether they are the host."""
        super().__init__(connection)
        self._common = common
        self._you = you
        self._host = host

    @property
    def message(self) -> Lobby:
        """What is sent."""
        return replace(self._common, you=self._you, host=self._host)

    @property
    def frame(self) -> bytes:
        """The same in bytes."""
        return encode(self.message)


@dataclass(frozen=True, slots=True)
class Close:
    """Close a connection, once what was sent to it before has gone out."""

    connection: int


@dataclass(frozen=True, slots=True)
class Think:
    """Let a bot choose, after a pause, and hand its choice to `Table.answer`.

    The shell need not take anything back: an answer that has become pointless by then, or
    comes a second time, is dropped by the table.
    """

    game: int
    """Counts the games of the table; a bot serves one seat in one game."""
    seat: Seat
    bot: str
    view: View
    """Its player's own, of two seats at a table for two: all that the bot may know."""
    revision: int
    delay_s: float
    budget_s: float = 0.0
    """For how long it may think, beginning at once; 0 for a bot that needs no time."""


@dataclass(frozen=True, slots=True)
class Warm:
    """Be ready for a Think of a bot that needs time; once is enough."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """Call `Table.alarm` after a while; once too often does no harm."""

    delay_s: float


@dataclass(frozen=True, slots=True)
class Reinvite:
    """Make a new secret and a new spoken code, and hand them to `Table.renew`."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep something for good before any effect that follows it is carried out.

    Those of one list belong together: either all are kept or none.
    """

    entry: Entry


Effect: TypeAlias = Send | Close | Think | Warm | Alarm | Reinvite | Keep
