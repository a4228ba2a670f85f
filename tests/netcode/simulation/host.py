"""Simulates the host's machine: the real server over the real store, often killed and resumed.

The disk keeps its contents; nothing else of a killed process has any further effect.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, ClassVar, Final, Self

from engine.actions import Action
from netcode.protocol.fields import Message
from netcode.protocol.messages import Act
from netcode.protocol.table_settings import TableSettings
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.storage.journal import Journal
from netcode.storage.store import Store
from netcode.table.effects import Effect
from netcode.table.snapshot import Location, Snapshot, TableAccess, new_number
from netcode.table.table import Table
from tests.netcode.simulation.clockwork import Clockwork, LoopThread, Process
from tests.netcode.simulation.network import Line, Network
from tests.netcode.simulation.witness import Witness
from tests.support.dates import unix_time
from tests.support.pretend_workers import PretendWorkers

SECRET: Final = b"the table's "
"""The secret with which persons join at first: of the only table, or of a wing's server."""
CODE: Final = "K7QF2MXR"


class KilledError(BaseException):
    """The process was killed in the middle of a step; no code in it can catch this error."""


class Host:
    """A machine on which the host's program may run."""

    def __init__(
        self,
        loop: Clockwork,
        network: Network,
        witness: Witness,
        path: Path,
        rng: Random,
        *,
        others: ModuleType | None,
    ) -> None:
        self.path = path
        self._others = others
        """Opens the server of a wing that stores its tables itself; None for a server of one table.
        """
        self.process: Process | None = None
        self.crashes = 0
        self.last_moments = 0
        """Number of moments of the process that crashed last; 0 before the first crash."""
        self.settings = TableSettings(
            pace_ms=rng.choice((0, 0, 50, 300)),
            think_ms=rng.choice((100, 5000)),
            clock_s=rng.choice((0, 0, 1, 2, 10)),
        )
        self.buried: list[Process] = []
        """All killed processes."""
        self.disk_is_full = False
        self._journal: Journal | None = None
        self._loop = loop
        self._network = network
        self._witness = witness
        self._rng = rng
        self._registry = TableRegistry()
        self._store: Store | None = None
        self._database: sqlite3.Connection

    def start(self) -> None:
        """Open the table, or resume it if the disk has it."""
        # Give each process its own clock: the clocks of two processes are unrelated.
        process = Process(f"host {self.crashes}", self._loop, self._rng.random() * 1e6)
        self.process = process
        process.call(self._open, process)

    def _open(self, process: Process) -> None:
        if not process.alive:
            return
        kind: type[Store] = Store if self._others is None else self._others.STORE
        store = kind.open(self.path)
        self._store = store
        self._database = store._database
        # Do not sync: tests kill the program but not the machine.
        self._database.execute("PRAGMA synchronous = OFF")
        store._database = MortalDatabase(  # type: ignore[assignment]
            self._database, process, lambda: self.disk_is_full
        )
        rng = Random(self._rng.random())
        journal = self._journal = Journal(store, clock=lambda: self._loop.now, thread=LoopThread())
        if self._others is None:
            server = self._only_table(store, journal, rng)
        else:
            self._registry = TableRegistry()
            server = self._others.open_server(self._registry, store, journal, SECRET, rng)
        self._server = server
        self._network.host = process
        self._network.accept = lambda line: self._accept(server, line)

    def _only_table(self, store: Store, journal: Journal, rng: Random) -> Server:
        found = store.unfinished()
        if found is None:
            number = new_number(rng)
            store.claim(number)
            table = WatchedTable(rng, lambda: rng.randbytes(32), settings=self.settings)
        else:
            number = found.table
            table = WatchedTable.restore(
                store.load(number), rng, lambda: rng.randbytes(32), unix_time=unix_time
            )
        entry = TableEntry(number, TableAccess(SECRET, CODE, Location(port=11214)), table)
        self._registry = TableRegistry([entry])
        workers = PretendWorkers(rng)
        server = Server(self._registry, rng=rng, journal=journal, workers=workers)
        server.keep_opened(entry)
        return server

    def _has_played(self, entry: TableEntry) -> bool:
        if self._others is not None:
            return bool(self._others.has_played(self._server, entry))
        return entry.table is not None and entry.table.games.phase != "lobby"

    def _accept(self, server: Server, line: Line) -> None:
        process = line.host.process
        line.host.sent = lambda frame: self._witness.receive(line, frame)
        line.client.got = lambda frame: self._witness.client_received(line, frame)
        process.start(lambda: server.serve(line.host))

    @property
    def entry(self) -> TableEntry:
        """The entry of the table with the game; fails unless exactly one table has a game."""
        played = [each for each in self._registry.entries if self._has_played(each)]
        assert len(played) == 1, "another table is there only while nobody has come to it"
        return played[0]

    @property
    def owes(self) -> bool:
        """True while the disk is full, and until the journal has recovered from that."""
        journal = self._journal
        return self.disk_is_full or (
            journal is not None
            and (
                journal._trouble is not None or not journal._newest.keys() <= journal.waiting.keys()
            )
        )

    def crash(self, *, silently: bool) -> None:
        """Kill the program. If `silently`, the machine stops too, and nobody is notified."""
        process = self.process
        if process is None:
            return
        self.crashes += 1
        self.last_moments = process.moments
        self.process = None
        process.kill()
        self.buried.append(process)
        self._network.host_is_gone(silently)
        # Close the database as the system does: roll back uncommitted changes, and release locks.
        store, self._store = self._store, None
        if store is not None:
            if self._database.in_transaction:
                self._database.rollback()
            self._database.close()
            store._locks.close()

    @property
    def can_close_for_now(self) -> bool:
        """True if the program runs, and would send a Goodbye after which everybody waits."""
        if self.process is None or self.owes or self._network.accept is None:
            return False
        if self._others is not None:
            return True
        return all(self._server.is_stored(each) for each in self._registry.entries)

    def close(self, closed: Callable[[], object]) -> None:
        """End the program as planned, as Ctrl-C does; then call `closed`."""
        process = self.process
        assert process is not None
        self.process = None
        # Sockets close first: nobody reaches a program that is ending.
        self._network.accept = None

        async def end() -> None:
            await self._server.close()
            self._loop.later(0.0, self._ended, process, closed)

        process.start(end)

    def _ended(self, process: Process, closed: Callable[[], object]) -> None:
        process.kill()
        self.buried.append(process)
        self._store = None
        self._network.host_is_gone(silently=False)
        closed()


class WatchedTable(Table):
    """A table that reports to the witness: answers of bots, and the state after a restart."""

    witness: ClassVar[Witness]

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **{**options, "unix_time": unix_time})

    @classmethod
    def restore(
        cls,
        kept: Snapshot,
        rng: Random,
        new_key: Callable[[], bytes],
        owner_key: bytes | None = None,
        *,
        unix_time: Callable[[], float],
        is_alone: bool = False,
    ) -> Self:
        table = super().restore(
            kept, rng, new_key, owner_key, unix_time=unix_time, is_alone=is_alone
        )
        cls.witness.resumed(kept, table)
        return table

    def receive(
        self, connection: int, message: Message, now: float, network: str = "", port: int = 0
    ) -> list[Effect]:
        before, live = self.games.revision, self.games.play
        turn = None if live is None or live.over else live.turn
        effects = super().receive(connection, message, now, network, port)
        if isinstance(message, Act) and turn is not None and self.games.revision > before:
            self.witness.played(before, turn, message.number)
        return effects

    def answer(self, seat: int, revision: int, action: Action, now: float) -> list[Effect]:
        self.witness.bot_chose(revision, seat, action)
        before = self.games.revision
        effects = super().answer(seat, revision, action, now)
        if self.games.revision > before:
            self.witness.played(before, seat, None)
        return effects


class MortalDatabase:
    """A database on a disk that may be full, whose program may be killed before each statement."""

    def __init__(
        self, database: sqlite3.Connection, process: Process, is_full: Callable[[], bool]
    ) -> None:
        self._database = database
        self._process = process
        self._is_full = is_full

    @property
    def in_transaction(self) -> bool:
        return self._process.alive and self._database.in_transaction

    def execute(
        self, statement: str, values: Sequence[Any] | Mapping[str, Any] = ()
    ) -> sqlite3.Cursor:
        self._pass()
        if statement == "COMMIT" and self._is_full():
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error
        return self._database.execute(statement, values)

    def executemany(self, statement: str, values: Iterable[Iterable[Any]]) -> sqlite3.Cursor:
        self._pass()
        return self._database.executemany(statement, [tuple(each) for each in values])

    def close(self) -> None:
        if self._process.alive:
            self._database.close()

    def _pass(self) -> None:
        if self._process.alive:
            self._process.moment()
        if not self._process.alive:
            raise KilledError
