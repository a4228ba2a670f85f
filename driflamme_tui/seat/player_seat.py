"""A player's seat as the screens use it: holds the session and sends the player's messages."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.actions import Action
from netcode.client.session import Session
from netcode.protocol.fields import Message
from netcode.protocol.messages import Lobby

if TYPE_CHECKING:
    from driflamme_tui.hosting.hosted_table import HostedTable
    from netcode.workers.worker_pool import WorkerPool


class Draft(Struct, frozen=True):
    """A chat line that is being written; the next screen shows it again."""

    text: str
    writing: bool
    """True if the line has the focus."""


class LostConnection(Struct, frozen=True):
    """A lost connection to the table, which the program tries to restore."""

    attempt: int
    """The number, from 1, of the next attempt, or of the present one."""
    retry_at: float
    """The time of the attempt, in seconds of the monotonic clock."""
    hurry: Callable[[], object] = lambda: None
    """Makes the next attempt begin without further delay."""
    is_closed: bool = False
    """True if the host has closed the table for now."""


class PlayerSeat:
    """A seat without a table, and the base of all others."""

    company = True
    """True if other players may be there. Without them there is no chat, and no game counts."""
    asks = True
    """True if the player may have to decide; a past game has no questions."""
    table: "HostedTable | None" = None
    """The table, if it is open in this program."""

    def __init__(self, session: Session, name: str, lobby: Lobby | None = None) -> None:
        """Begin with a session.

        Args:
            session: Stores what the host sends.
            name: The player's.
            lobby: That of a table which was left, for screens that still show it.
        """
        self.session = session
        self.name = name
        self.lost: LostConnection | None = None
        """The lost connection to the host; None while the connection works."""
        self.draft: Draft | None = None
        """The chat line that is being written, which one screen passes to the next."""
        self._lobby = lobby

    @property
    def lobby(self) -> Lobby:
        """The latest lobby, also after the table was left."""
        self._lobby = self.session.lobby or self._lobby
        assert self._lobby is not None
        return self._lobby

    @property
    def is_host(self) -> bool:
        """True if the player is the host."""
        return self.lobby.host

    @property
    def is_open(self) -> bool:
        """True if others can join this table by an invitation or a code."""
        return bool(self.lobby.invitation or self.lobby.code)

    @property
    def player_name(self) -> str:
        """The player's name at the table."""
        own = self.lobby.your_seat
        return (self.session.name or "") if own is None else own.name

    @property
    def latency_ms(self) -> int | None:
        """Milliseconds to the host and back; None if unknown."""
        return None

    @property
    def is_private(self) -> bool:
        """True if nobody else can join the table."""
        return False

    @property
    def secure(self) -> bool | None:
        """True if the connection is encrypted; None if unknown, or without a connection."""
        return None

    @property
    def workers(self) -> "WorkerPool | None":
        """The workers for hints; None without a table."""
        return None

    def say(self, message: Message) -> bool:
        """Send a message to the host; return False if the connection is lost."""
        self.session.refusal = None
        return False

    @property
    def names(self) -> Sequence[str]:
        """The players' names by seat, if no lobby has them; empty if unknown."""
        return ()

    @property
    def is_anybody(self) -> bool:
        """True if the player answers for all seats."""
        return False

    def subscribe(self, hear: Callable[[Message], object]) -> None:
        """Call `hear` with each message that reaches a screen directly, without the app."""

    async def stand_up(self) -> None:
        """Leave a table that exists only for this player."""

    def answer(self, action: Action) -> None:
        """Send the answer to the present question."""
        self.say(self.session.act(action))

    def retry(self) -> bool:
        """Try to restore a lost connection at once; return False if none is lost."""
        if self.lost is None:
            return False
        self.lost.hurry()
        return True

    # Places with several tables

    def enter(self, secret: bytes, *, watch: bool) -> None:
        """Go to one of the tables, to sit down or to watch."""

    def greet(self) -> None:
        """Say hello again, as on the way to the table: the host sends a list of its tables."""

    def release_seat(self) -> None:
        """Release the seat, so that another program can take it."""
