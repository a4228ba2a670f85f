"""What a table wants done: it says so in these values, and a shell with sockets does it."""

from dataclasses import dataclass
from typing import TypeAlias

from engine.cards import Seat
from engine.view import View
from netcode.codec import LobbyFrames, decode_host, encode
from netcode.fields import FamilyLetter
from netcode.keeping import Entry
from netcode.messages import HostMessage, Lobby


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


class LobbyNews:
    """A Lobby for all at a table; each is told the same but for whose seat is theirs.

    Nothing is made or packed before it is sent, and what is the same for all once only.
    """

    __slots__ = ("_common", "_frames")

    def __init__(self, common: Lobby) -> None:
        """Give the Lobby of any of its receivers."""
        self._common = common
        self._frames: LobbyFrames | None = None

    def message(self, you: FamilyLetter | None, host: bool) -> Lobby:
        """Return the Lobby of a receiver with that family, who is the host or is not."""
        return self._common.model_copy(update={"you": you, "host": host})

    def frame(self, you: FamilyLetter | None, host: bool) -> bytes:
        """Return the same in bytes."""
        if self._frames is None:
            self._frames = LobbyFrames(self._common)
        return self._frames.frame(you, host)


class SendLobby(Send):
    """Send a Lobby to a connection; a newer one may take its place if it has not been sent yet."""

    __slots__ = ("_host", "_news", "_you")

    def __init__(
        self, connection: int, news: LobbyNews, you: FamilyLetter | None, host: bool
    ) -> None:
        """Give the news, and the family of the receiver and whether they are the host."""
        super().__init__(connection)
        self._news = news
        self._you = you
        self._host = host

    @property
    def message(self) -> Lobby:
        """What is sent."""
        return self._news.message(self._you, self._host)

    @property
    def frame(self) -> bytes:
        """The same in bytes."""
        return self._news.frame(self._you, self._host)


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
