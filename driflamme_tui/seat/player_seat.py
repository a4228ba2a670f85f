"""Defines a player's seat as screens use it: it has the session and sends the player's messages."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.actions import Action
from netcode.client.session import Session
from netcode.protocol.fields import Message
from netcode.protocol.messages import Lobby

if TYPE_CHECKING:
    from driflamme_tui.hosting.hosted_table import HostedTable
    from driflamme_tui.preferences.remembered import WayBack
    from netcode.workers.worker_pool import WorkerPool


class Draft(Struct, frozen=True):
    """An unfinished chat line, which the next screen shows again."""

    text: str
    writing: bool
    """True if the line has the focus."""


class LostConnection(Struct, frozen=True):
    """A lost connection to the table. The program is trying to reconnect."""

    attempt: int
    """The number of the present or next attempt, from 1."""
    retry_at: float
    """The time of the next attempt, in seconds by the monotonic clock."""
    hurry: Callable[[], object] = lambda: None
    """Ends the wait for the next attempt."""
    is_closed: bool = False
    """True if the host has closed the table for now."""


class PlayerSeat:
    """A seat without a table, and the base class of all other seats."""

    company = True
    """True if other players may be at the table. Without them there is no chat, and games do not
    count.
    """
    asks = True
    """True if the player may have to decide. A past game asks no questions."""
    table: "HostedTable | None" = None
    """The table if this program hosts it; otherwise None."""

    def __init__(self, session: Session, name: str, lobby: Lobby | None = None) -> None:
        """Begin with a session.

        Args:
            session: Stores the host's messages.
            name: The player's name.
            lobby: The lobby of a table that the player has left, for screens that still show it.
        """
        self.session = session
        self.name = name
        self.lost: LostConnection | None = None
        """The lost connection to the host; None while it is connected."""
        self.draft: Draft | None = None
        """The unfinished chat line, which one screen passes to the next; None without one."""
        self.has_read_missed = False
        """True once a screen has shown the chat that the player missed."""
        self._lobby = lobby

    @property
    def lobby(self) -> Lobby:
        """The latest lobby, also after the table was left. There must be one."""
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
        """The player's name at the table; the name in the session for a spectator."""
        own = self.lobby.your_seat
        return (self.session.name or "") if own is None else own.name

    @property
    def latency_ms(self) -> int | None:
        """Milliseconds that a message takes to the host and back; None if unknown.

        In this class, it is always None.
        """
        return None

    @property
    def answered(self) -> int | None:
        """The number of events before the player's last answer, after a return to a running game.

        None if the player has not answered in this game, or if the answer is unknown.
        """
        return None

    @property
    def missed_from(self) -> int | None:
        """The index of the first chat line that was written while the player was away.

        None if the player has missed no line.
        """
        return None

    @property
    def leaving(self) -> str:
        """The effect of leaving a game in which the player keeps the seat; "" in other games.

        In this class, the player never keeps the seat.
        """
        return ""

    @property
    def is_private(self) -> bool:
        """True if no other person can join the table; by default False."""
        return False

    @property
    def secure(self) -> bool | None:
        """True if the connection is encrypted; None if that is unknown, or without a connection."""
        return None

    @property
    def workers(self) -> "WorkerPool | None":
        """The workers that compute hints; None without a table."""
        return None

    def send(self, message: Message) -> bool:
        """Clear the last refusal, and send a message to the host.

        Returns False if there is no connection, as always in this class.
        """
        self.session.refusal = None
        return False

    @property
    def names(self) -> Sequence[str]:
        """The players' names by seat, for tables without a lobby; () if they are unknown."""
        return ()

    @property
    def is_anybody(self) -> bool:
        """True if the player answers for all seats."""
        return False

    def subscribe(self, receive: Callable[[Message], object]) -> None:
        """Call `receive` with each message that screens receive directly, not through the app.

        By default there are no such messages.
        """

    async def stand_up(self) -> None:
        """Stop a table that exists only for this player. The default does nothing."""

    def answer(self, action: Action) -> None:
        """Send the answer to the present question."""
        self.send(self.session.act(action))

    def retry(self) -> bool:
        """Try to reconnect at once; return False if no connection is lost."""
        if self.lost is None:
            return False
        self.lost.hurry()
        return True

    def way_back(self) -> "WayBack | None":
        """Return the way back to the player's seat at another person's table; None without one."""
        return None

    # Places with several tables

    def enter(self, secret: bytes, *, watch: bool) -> None:
        """Go to one of several tables, to take a seat or to watch. The default does nothing."""

    def greet(self) -> None:
        """Send Hello again. A host with several tables then sends its list of tables.

        The default does nothing.
        """

    def release_seat(self) -> None:
        """Release the lock on the seat, so that another program can take it.

        The default has no lock.
        """
