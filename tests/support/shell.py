"""A pretend network around the real server, in an event loop without a clock.

The network records each frame from the host and the end of each connection, with their times: a
receiver can notice nothing else.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from itertools import count
from random import Random
from typing import Any, Final, Self

from engine.actions import Action
from netcode.limits import Limits
from netcode.protocol.codec import decode_host, encode
from netcode.protocol.fields import Message
from netcode.protocol.table_settings import TableSettings
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.server.tables import Tables
from netcode.storage.journal import Journal
from netcode.storage.store import Store
from netcode.table.effects import Effect, Keep, Think
from netcode.table.snapshot import Snapshot, TableAccess
from netcode.table.table import Table
from netcode.transport.channel import ChannelClosedError
from netcode.workers.worker_pool import WorkerPool
from tests.netcode.simulation.clockwork import Clockwork, LoopThread
from tests.support.dates import unix_time
from tests.support.pretend import Network, Participant
from tests.support.servers import CODE, NUMBER, SECRET, UNPACED

NO_LIMITS: Final = Limits(connections=10_000, from_one_address=10_000, **UNPACED)

MOMENT_S: Final = 0.02
"""Seconds that pass for a message and its answers, long enough for some commits of the journal."""

ConnectionEvents = list[tuple[float, str, bytes]]
"""Events on connections: the time, the kind ("frame", or the manner of the connection's end), and
the frame.
"""


class Plug:
    """The host's end of a connection: a `Channel` that records everything."""

    local = ""
    ports = 0, 0
    certificate = b""

    def __init__(self, loop: Clockwork, peer: str = "") -> None:
        self.peer = peer
        self.events: ConnectionEvents = []
        self.ended = False
        self.takes: Callable[[bytes], None] = lambda frame: None
        """Called with each incoming frame."""
        self.hangs_up: Callable[[], None] = lambda: None
        """Called once when the connection ends at the host's end."""
        self._loop = loop
        self._inbox: deque[bytes | str] = deque()
        self._changed = asyncio.Event()

    def put(self, frame: bytes | str) -> None:
        """Deliver a frame to the host."""
        self._loop.call_soon(self._arrive, frame)

    def _arrive(self, frame: bytes | str) -> None:
        self._inbox.append(frame)
        self._changed.set()

    def cut(self) -> None:
        """Break the connection; unread frames are lost."""
        self._inbox.clear()
        self.ended = True
        self._changed.set()

    def send(self, frame: bytes) -> None:
        if not self.ended:
            self._note("frame", frame)
            self.takes(frame)

    async def receive(self) -> bytes | str:
        while not self._inbox:
            if self.ended:
                raise ChannelClosedError
            await self._change()
        return self._inbox.popleft()

    async def ping(self) -> float:
        if self.ended:
            raise ChannelClosedError
        return 0.0

    async def close(self, code: int = 1000) -> None:
        self._end(f"closed with {code}")

    def abort(self) -> None:
        self._end("aborted")

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    def _end(self, how: str) -> None:
        if not self.ended:
            self._note(how, b"")
            self.cut()
            self.hangs_up()

    def _note(self, what: str, frame: bytes) -> None:
        self.events.append((self._loop.now, what, frame))


class Shelf(Store):
    """A store that records the journal's states in memory, and loads none."""

    def __init__(self) -> None:
        self.kept: list[Keep] = []

    def commit(self, newest: Mapping[int, Keep], at: int) -> None:
        self.kept += newest.values()

    def load(self, number: int) -> Snapshot:
        raise NotImplementedError

    def close(self) -> None:
        pass


class _Steady(Random):
    """A generator that always returns 0.5, so that threads take constant time."""

    def random(self) -> float:
        return 0.5


class ServerNetwork(Network):
    """A table behind a server, and its connections."""

    def __init__(
        self,
        rng: Random | None = None,
        *,
        owner_key: bytes | None = None,
        settings: TableSettings | None = None,
        limits: Limits = NO_LIMITS,
        is_open: bool = True,
        certificate: bytes = b"",
        scripted_bots: bool = True,
        workers: WorkerPool | None = None,
        tables: Tables | None = None,
    ) -> None:
        self.loop = Clockwork(_Steady())
        self.loop.alarm = self._alarmed
        self.guests = {}
        self.plugs: dict[int, Plug] = {}
        self.events: dict[Participant, ConnectionEvents] = {}
        self.choose = lambda think: think.view.legal[0]
        self._errors: list[Exception] = []
        keys = count(1)
        table = Table(
            rng or Random(1),
            lambda: next(keys).to_bytes(32, "big"),
            owner_key=owner_key,
            settings=settings,
            unix_time=unix_time,
        )
        self.entry = TableEntry(NUMBER, TableAccess(SECRET, CODE), table)
        self.shelf = Shelf()
        self.server = Server(
            TableRegistry([self.entry], is_open=is_open),
            rng=Random(1),
            journal=Journal(self.shelf, clock=lambda: self.loop.now, thread=LoopThread()),
            certificate=certificate,
            limits=limits,
            workers=workers,
            tables=tables,
        )
        if scripted_bots:
            self.server._bot_runner._choose = self._chosen  # type: ignore[method-assign]
        self._connections = count(1)

    def _chosen(self, think: Think) -> Action:
        return self.choose(think)

    @property
    def table(self) -> Table:  # type: ignore[override]
        assert self.entry.table is not None
        return self.entry.table

    @property
    def now(self) -> float:  # type: ignore[override]
        return self.loop.now

    def plug(self, address: str = "") -> tuple[int, Plug]:
        """Return a new connection without a client, and its number."""
        plug = Plug(self.loop, address)
        connection = next(self._connections)
        self.plugs[connection] = plug
        self.loop.create_task(self.server.serve(plug))
        self.wait(0.0)
        return connection, plug

    def connect(self, participant: Participant) -> int:
        connection, plug = self.plug()
        plug.events = self.events.setdefault(participant, [])
        plug.takes = lambda frame: participant.take(frame, decode_host(frame))

        def hang_up() -> None:
            # The participant may have another connection by now.
            if participant.connection == connection:
                participant.cut_off = True

        plug.hangs_up = hang_up
        self.guests[connection] = participant
        return connection

    def send(self, connection: int, message: Message) -> None:
        self.put(connection, encode(message))

    def put(self, connection: int, frame: bytes | str) -> None:
        """Deliver any frame to the host."""
        self.plugs[connection].put(frame)
        self.wait(MOMENT_S)

    def cut(self, connection: int) -> None:
        self.guests.pop(connection, None)
        self.plugs[connection].cut()
        self.wait(MOMENT_S)

    def execute(self, effects: list[Effect]) -> None:
        self.loop.call_soon(self.server._runner.execute, self.entry, effects)
        self.wait(MOMENT_S)

    def wait(self, seconds: float) -> None:
        self.run(asyncio.sleep(seconds))

    def close(self) -> None:
        """Close the server, and the loop after all connections; harmless if repeated."""
        if self.loop.is_closed():
            return
        self.run(self.server.close())
        for plug in self.plugs.values():
            plug.cut()
        # Wait until the server's limits delay no frame any more.
        self.wait(1.0)
        self.loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        # Close even after errors: no task may end while a failed test is being reported.
        self._errors.clear()
        self.close()

    def run(self, program: Coroutine[Any, Any, Any]) -> Any:
        """Run a program together with the server; return the program's result.

        Raises the first error that no code has caught.
        """
        result = self.loop.run_until_complete(program)
        if self._errors:
            raise self._errors.pop(0)
        return result

    def _alarmed(self, error: Exception) -> None:
        self._errors.append(error)
