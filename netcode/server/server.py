"""Runs a server: tables and bots behind sockets, with one clock, from opening to closing.

`peer_handler.py` serves a connection, and `table_runner.py` executes the effects of tables.
"""

import asyncio
import gc
import secrets
import socket
import ssl
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from contextlib import AbstractAsyncContextManager
from functools import partial
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Final

from netcode.limits import HOST_LIMITS, Limits
from netcode.protocol.fields import TableNotice
from netcode.server.admission import NO_CERTIFICATE, Admission
from netcode.server.bot_runner import BotRunner
from netcode.server.peer_handler import PeerHandler
from netcode.server.peers import Peers
from netcode.server.routes import Routes
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.server.table_runner import TableRunner
from netcode.server.tables import OneTable, TableJournal, Tables
from netcode.transport.address import Address
from netcode.transport.channel import CLOSE_TIMEOUT_S, Channel, memory_channel
from netcode.transport.listener import HandshakeLimits
from netcode.transport.running_clock import RunningClock
from netcode.workers.worker_pool import WorkerPool

if TYPE_CHECKING:
    from netcode.transport.listener import Listener

SWEEP_S: Final = 1.0
"""Seconds between two ticks, which show whether the program was stopped for a while."""


RATE_OVER: Final = 11
"""Number of ticks over which the rate of moves is averaged."""


class Server(AbstractAsyncContextManager["Server"]):
    """Tables on the network. It is an asynchronous context manager that closes them."""

    def __init__(
        self,
        registry: TableRegistry,
        *,
        rng: Random | None = None,
        journal: TableJournal | None = None,
        tables: Tables | None = None,
        certificate: bytes = NO_CERTIFICATE,
        limits: Limits = HOST_LIMITS,
        bot_runner: BotRunner | None = None,
        workers: WorkerPool | None = None,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
        unix_time: Callable[[], float] = time.time,
    ) -> None:
        """Make the server of some tables.

        At its end the server closes the journal and the workers. Bots use `rng`. Proofs of spoken
        codes include the certificate (DER) that peers see. Without `tables`, the server has the one
        table of a host.
        """
        self.registry = registry
        self.workers: WorkerPool = workers or WorkerPool()
        self._journal = journal
        self._tables = tables or OneTable()
        self._limits = limits
        self._handshake_limits = HandshakeLimits(limits.connections, limits.from_one_address)
        self._forwarded_limits = HandshakeLimits(limits.forwarded, limits.from_one_address)
        """Limits the handshakes of adopted sockets, so that a lying forwarder cannot end the
        handshake of a direct guest.
        """
        self._listeners: list[Listener] = []
        self._clock = RunningClock()
        self._peers = Peers(limits)
        self._bot_runner = bot_runner or BotRunner(rng or SystemRandom(), self.workers, self._clock)
        self._runner = TableRunner(
            registry,
            self._peers,
            self._clock,
            self._bot_runner,
            random_bytes,
            journal,
            self._tables,
        )
        self._tables.attach(self._runner)
        self._moves: deque[int] = deque((0,), RATE_OVER)
        """The total number of moves at each of the last ticks."""
        self.send_links: Callable[[], None] = self._runner.send_links
        """Sends each connection the present link of its table."""
        admission = Admission(registry, certificate, self._tables)
        routes = Routes(registry, self._runner, certificate, unix_time)
        handler = PeerHandler(
            admission, self._runner, self._peers, self._clock, self._tables, routes
        )
        self.serve: Callable[[Channel], Coroutine[None, None, None]] = handler.serve
        """Serves one connection until it ends."""
        self._tasks: set[asyncio.Task[None]] = set()
        """The tasks of connections within this program, and of the ticks."""
        self._closed = False

    async def listen(
        self, sockets: Iterable[socket.socket], context: ssl.SSLContext | None = None
    ) -> None:
        """Accept connections on listening sockets, with TLS if there is a context.

        The first call also starts the server's ticks.
        """
        # Import here: a table within one program needs no sockets and starts faster without this
        # module.
        from netcode.transport.listener import Listener
        from netcode.transport.websocket import serve_websocket

        serve = partial(serve_websocket, self.serve, context=context, frames=self._limits.frames)
        for each in sockets:
            listener = Listener(
                serve, each, limits=self._handshake_limits, backlog=self._limits.backlog
            )
            self._listeners.append(listener)
        if not self._tasks:
            self._spawn(self._sweep())

    def adopt(self, connected: socket.socket, host: str) -> None:
        """Serve a socket that this machine has connected for a guest at `host`.

        The server must already listen. If only a forwarder has reported the guest's address, `host`
        comes from `address.guest_address`.
        """
        self._listeners[0].adopt(connected, host, self._forwarded_limits)

    def connect(self) -> Channel:
        """Return the client's end of a new connection to this server within this program."""
        near, far = memory_channel()
        self._spawn(self.serve(far))
        return near

    def keep_opened(self, entry: TableEntry) -> None:
        """Store the secrets and the code of an open table, before anybody can join by them.

        Then let the table do everything that became due while no program had it in memory.
        """
        table = entry.table
        assert table is not None
        self._runner.execute(entry, table.open(entry.opened))
        self._runner.execute(entry, table.alarm(self._clock.now()))

    def set_notice(self, entry: TableEntry, notice: TableNotice) -> None:
        """Set a notice of a table, and send it to all interpreters that lack it.

        Does nothing if the table is not in memory.
        """
        self._runner.set_notice(entry, notice)

    def is_stored(self, entry: TableEntry) -> bool:
        """Return True if a table is stored, or will be with the next commit."""
        return self._journal is not None and self._journal.keeps(entry.number)

    @property
    def addresses(self) -> list[Address]:
        """The TCP addresses on which the server listens."""
        return [each.address for each in self._listeners if each.address is not None]

    @property
    def port(self) -> int:
        """The TCP port on which the server listens; raises IndexError if there is none."""
        return self.addresses[0].port

    @property
    def moves(self) -> int:
        """Number of moves since the server was started."""
        return self._runner.moves

    @property
    def moves_per_s(self) -> float:
        """Moves per second, on average over the last `RATE_OVER` ticks."""
        return (self._moves[-1] - self._moves[0]) / SWEEP_S / max(1, len(self._moves) - 1)

    @property
    def connections(self) -> int:
        """Number of connections."""
        return len(self._peers)

    async def close(self, *, for_good: bool = False) -> None:
        """Send all earlier messages and a Goodbye to everybody, and stop.

        Only the first call has an effect.

        With `for_good` a table stays resumable only if a game is running.
        """
        if self._closed:
            return
        self._closed = True
        self._bot_runner.stop()
        self._tables.close(for_good=for_good)
        if self._journal is not None:
            await self._journal.settled()
        # Stop bots again: effects that the journal has released just now may have started them.
        self._bot_runner.stop()
        peers = list(self._peers)
        for peer in peers:
            self._tables.dismiss(peer)
        closing = [asyncio.create_task(peer.closed()) for peer in peers]
        if closing:
            await asyncio.wait(closing, timeout=CLOSE_TIMEOUT_S)
        for listener in self._listeners:
            await listener.close()
        for task in self._tasks:
            task.cancel()
        await self.workers.close()
        if self._journal is not None:
            await self._journal.close()

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def _sweep(self) -> None:
        """Every `SWEEP_S` seconds, tick the clock and store the total number of moves."""
        while True:
            await self._clock.tick(SWEEP_S)
            self._moves.append(self.moves)

    def _spawn(self, coroutine: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def collect_rarely() -> None:
    """Exempt all present objects from garbage collection, and make later collections rare."""
    gc.collect()
    gc.freeze()
    # An act leaves hardly any garbage, but an ended connection leaves hundreds of objects. With ten
    # times these thresholds, one collection delayed all tables by 25 ms.
    gc.set_threshold(5_000, 20, 100)
