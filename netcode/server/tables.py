"""Defines the interface between a server and its tables, and the one table of a host.

Wings can implement the interface for several tables.
"""

from collections.abc import Awaitable, Callable, Mapping, Sized
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
"""A function that handles a message of one type, from a peer without a table. It also receives the
time.
"""


class TableJournal(Protocol):
    """Stores the tables of a server. Effects that reveal a state wait until it is stored."""

    @property
    def waiting(self) -> Mapping[int, Sized]:
        """The waiting effects of each table; tables without waiting effects are missing."""

    def submit(
        self, table: int, effects: "list[Effect]", execute: "Callable[[list[Effect]], None]"
    ) -> None:
        """Execute a table's effects once the state in them is stored."""

    async def settled(self, table: int | None = None) -> None:
        """Wait until all submitted effects of a table, or of all tables, were executed."""

    def keeps(self, table: int) -> bool:
        """Return True if a table is stored, or will be with the next commit."""

    async def close(self) -> None:
        """Store everything that is not yet stored, and close."""


class Runner(Protocol):
    """The services of a server for its `Tables`."""

    @property
    def peers(self) -> "Peers":
        """The connections of the server."""

    def execute(self, entry: "TableEntry", effects: "list[Effect]") -> None:
        """Execute the effects of a table, after the state in them is stored."""

    def close_all(self, *, for_good: bool) -> None:
        """Let all tables send a Goodbye.

        With `for_good` a table stays resumable only if a game is running.
        """

    def drop_bots(self, entry: "TableEntry") -> None:
        """Stop the bots of a table."""

    def now(self) -> float:
        """Return the time of the server's clock, in seconds."""

    def call_at(self, due: float, call: Callable[[], None]) -> "ScheduledCall":
        """Call a function at a time of the server's clock; return the cancellable call."""


class Tables(Protocol):
    """The tables of one server: in memory, or asleep until somebody joins."""

    @property
    def handlers(self) -> Mapping[type[Message], Handler]:
        """The handlers of the messages that these tables add, by type."""

    def attach(self, runner: Runner) -> None:
        """Store the runner of the server, before any other call."""

    def answer_without_table(self, peer: "Peer", hello: Hello, now: float) -> Message | None:
        """Return the answer to a Hello that is for no table; None if it is for a table."""

    def is_costly(self, entry: "TableEntry") -> bool:
        """Return True if joining a table is so expensive that newcomers must take turns."""

    async def ready(self, entry: "TableEntry") -> Table:
        """Return a table that was asleep; raises StoreError if it cannot be restored."""

    def left(self, entry: "TableEntry") -> None:
        """Handle the end of a connection at a table."""

    def peer_gone(self, peer: "Peer", now: float) -> None:
        """Handle the end of a peer's time without a table: it has joined one, or is disconnected.

        This is also called when a connection at a table ends.
        """

    def close(self, *, for_good: bool) -> None:
        """Close the tables before the server closes.

        With `for_good` a table stays resumable only if a game is running.
        """

    def dismiss(self, peer: "Peer") -> None:
        """Close a peer's connection, after a last message if there is one."""


class OneTable:
    """The one table of a host, which never sleeps."""

    handlers: Mapping[type[Message], Handler] = {}

    def attach(self, runner: Runner) -> None:
        """Store the runner of the server, before any other call."""
        self._runner = runner

    def answer_without_table(self, peer: "Peer", hello: Hello, now: float) -> Message | None:
        """Return None: every Hello is for the table."""
        return None

    def is_costly(self, entry: "TableEntry") -> bool:
        """Return False: the table is in memory."""
        return False

    async def ready(self, entry: "TableEntry") -> Table:
        """Return the table, which is always in memory."""
        assert entry.table is not None
        return entry.table

    def left(self, entry: "TableEntry") -> None:
        """Do nothing: the table stays."""

    def peer_gone(self, peer: "Peer", now: float) -> None:
        """Do nothing: nothing is stored about peers without a table."""

    def close(self, *, for_good: bool) -> None:
        """Send a Goodbye to everybody at the table.

        With `for_good` the table stays resumable only if a game is running.
        """
        self._runner.close_all(for_good=for_good)

    def dismiss(self, peer: "Peer") -> None:
        """Close the connection. The table has already sent its Goodbye."""
        peer.close()
