"""How a server keeps its tables: the seam for wings that keep them otherwise than a host does."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from netcode.protocol.fields import Message
from netcode.protocol.messages import Hello
from netcode.table.table import Table

if TYPE_CHECKING:
    from netcode.server.peers import Peer, Peers
    from netcode.server.table_registry import TableEntry
    from netcode.table.effects import Effect
    from netcode.transport.running_clock import ScheduledCall

Handler: TypeAlias = Callable[["Peer", Any, float], Awaitable[None]]
"""Handles a message of one kind from a peer that has not come to a table, at a time."""


class Runner(Protocol):
    """What a server does for whoever keeps its tables."""

    @property
    def peers(self) -> "Peers":
        """The connections of the server."""

    def carry_out(self, entry: "TableEntry", effects: "list[Effect]") -> None:
        """Do what a table wants done, once what is to be kept has been."""

    def close_all(self, *, for_good: bool) -> None:
        """Have all tables say goodbye to those who are there."""

    def drop_bots(self, entry: "TableEntry") -> None:
        """Forget the bots of a table."""

    def now(self) -> float:
        """Return the time of the server's clock, in seconds."""

    def call_at(self, due: float, call: Callable[[], None]) -> "ScheduledCall":
        """Call something at a time, unless it is cancelled before."""


class Tables(Protocol):
    """Keeps the tables of one server: in memory, or asleep until somebody comes."""

    @property
    def handlers(self) -> Mapping[type[Message], Handler]:
        """What is done about messages of its own, by their kind."""

    def attach(self, runner: Runner) -> None:
        """Begin with the runner of the server's tables."""

    def answer_instead(self, peer: "Peer", hello: Hello, now: float) -> Message | None:
        """Return the answer to a Hello that is meant for no table; None if it is for one."""

    def is_costly(self, entry: "TableEntry") -> bool:
        """Return whether coming to a table costs so much that newcomers take turns."""

    async def ready(self, entry: "TableEntry") -> Table:
        """Return a table that was asleep; raises StoreError if it cannot be brought back."""

    def left(self, entry: "TableEntry") -> None:
        """Handle that a connection has left a table."""

    def peer_gone(self, peer: "Peer", now: float) -> None:
        """Handle that a peer has come to a table, or that its connection has ended."""

    def close(self, *, for_good: bool) -> None:
        """Say goodbye at the tables before the server closes."""

    def dismiss(self, peer: "Peer") -> None:
        """End a connection, once all that goes before has been sent."""


class OneTable:
    """Keeps the one table of a host, which never sleeps."""

    handlers: Mapping[type[Message], Handler] = {}

    def attach(self, runner: Runner) -> None:
        """Begin with the runner of the server's tables."""
        self._runner = runner

    def answer_instead(self, peer: "Peer", hello: Hello, now: float) -> Message | None:
        """Return None: every Hello is for the table."""
        return None

    def is_costly(self, entry: "TableEntry") -> bool:
        """Return False: the table is in memory."""
        return False

    async def ready(self, entry: "TableEntry") -> Table:
        """Return the table."""
        assert entry.table is not None
        return entry.table

    def left(self, entry: "TableEntry") -> None:
        """Do nothing: the table stays."""

    def peer_gone(self, peer: "Peer", now: float) -> None:
        """Do nothing: only the table knows its peers."""

    def close(self, *, for_good: bool) -> None:
        """Say goodbye at the table."""
        self._runner.close_all(for_good=for_good)

    def dismiss(self, peer: "Peer") -> None:
        """End a connection that has been told goodbye."""
        peer.close()
