"""A server: tables and bots behind sockets, with one clock, from opening to closing.

The life of one connection is in `peer_handler.py`, what tables want done in `table_runner.py`.
"""

import asyncio
import gc
import secrets
import socket
import ssl
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from contextlib import AbstractAsyncContextManager
from functools import partial
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Final

from netcode.limits import HOST_LIMITS, Limits
from netcode.server.admission import NO_CERTIFICATE, Admission
from netcode.server.bot_runner import BotRunner
from netcode.server.peer_handler import PeerHandler
from netcode.server.peers import Peers
from netcode.server.routes import Routes
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.server.table_runner import TableRunner
from netcode.server.tables import OneTable, Tables
from netcode.transport.address import Address
from netcode.transport.channel import CLOSE_TIMEOUT_S, Channel, memory_channel
from netcode.transport.listener import HandshakeLimits
from netcode.transport.running_clock import RunningClock
from netcode.workers.worker_pool import WorkerPool

if TYPE_CHECKING:
    from netcode.storage.journal import Journal
    from netcode.transport.listener import Listener

SWEEP_S: Final = 1.0
"""Seconds between two looks at the clock, by which it knows whether it has stood still."""


RATE_OVER: Final = 11
"""Of how many looks moves are compared: over long enough to be smooth, short enough to be now."""


class Server(AbstractAsyncContextManager["Server"]):
    """Some tables on the network; also an asynchronous context manager that closes it."""

    def __init__(
        self,
        registry: TableRegistry,
        *,
        rng: Random | None = None,
        journal: "Journal | None" = None,
        tables: Tables | None = None,
        certificate: bytes = NO_CERTIFICATE,
        limits: Limits = HOST_LIMITS,
        bot_runner: BotRunner | None = None,
        workers: WorkerPool | None = None,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        """Make the server of some tables.

        The journal and the workers are closed with the server. Bots leave chance to `rng`; spoken
        codes are bound to the certificate (DER) that peers are shown. By default it keeps the one
        table of a host.
        """
        self.registry = registry
        self.workers: WorkerPool = workers or WorkerPool()
        self._journal = journal
        self._tables = tables or OneTable()
        self._limits = limits
        self._handshake_limits = HandshakeLimits(limits.connections, limits.from_one_address)
        self._forwarded_limits = HandshakeLimits(limits.forwarded, limits.from_one_address)
        """Of adopted sockets alone: a forwarder that lies ends no handshake of a direct guest."""
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
        """How many moves there had been at the last looks at the clock."""
        self.send_links: Callable[[], None] = self._runner.send_links
        """Tells everybody by what others come to their table, after that has changed."""
        admission = Admission(registry, certificate, self._tables)
        routes = Routes(registry, self._runner, certificate)
        handler = PeerHandler(
            admission, self._runner, self._peers, self._clock, self._tables, routes
        )
        self.serve: Callable[[Channel], Coroutine[None, None, None]] = handler.serve
        """Serves one connection until it ends."""
        self._tasks: set[asyncio.Task[None]] = set()
        """Connections within this program, and what looks at the clock."""
        self._closed = False

    async def listen(
        self, sockets: Iterable[socket.socket], context: ssl.SSLContext | None = None
    ) -> None:
        """Serve whoever connects to sockets that listen, with TLS if there is a context."""
        # A table within one program needs no sockets, and is there sooner without them.
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

        Of whom a forwarder tells, `host` is `address.forwarded`.
        """
        self._listeners[0].adopt(connected, host, self._forwarded_limits)

    def connect(self) -> Channel:
        """Return a connection to this server from within this program."""
        near, far = memory_channel()
        self._spawn(self.serve(far))
        return near

    def keep_opened(self, entry: TableEntry) -> None:
        """Have a table kept that was opened; to be done before anybody can come to it."""
        assert entry.table is not None
        self._runner.carry_out(entry, entry.table.open(entry.opened))

    @property
    def addresses(self) -> list[Address]:
        """Where on TCP the server listens."""
        return [each.address for each in self._listeners if each.address is not None]

    @property
    def port(self) -> int:
        """The TCP port on which the server listens."""
        return self.addresses[0].port

    @property
    def moves(self) -> int:
        """How many actions have counted since the server began."""
        return self._runner.moves

    @property
    def moves_per_s(self) -> float:
        """How many did in a second of late."""
        return (self._moves[-1] - self._moves[0]) / SWEEP_S / max(1, len(self._moves) - 1)

    @property
    def connections(self) -> int:
        """How many connections there are."""
        return len(self._peers)

    async def close(self, *, for_good: bool = False) -> None:
        """Say goodbye to everybody, after what was sent before, and stop.

        A table that is closed for good cannot be resumed, unless a game is under way.
        """
        if self._closed:
            return
        self._closed = True
        self._bot_runner.stop()
        self._tables.close(for_good=for_good)
        if self._journal is not None:
            await self._journal.settled()
        # Those too that were held back until now.
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
        """Look at the clock and count the moves, again and again."""
        while True:
            await self._clock.tick(SWEEP_S)
            self._moves.append(self.moves)

    def _spawn(self, coroutine: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def collect_rarely() -> None:
    """Exempt all objects that there are from collection, and collect rarely from now on."""
    gc.collect()
    gc.freeze()
    # Acts leave hardly an object behind, but connections that come and go leave hundreds each: with
    # ten times as many, one search held all tables up for 25 ms.
    gc.set_threshold(5_000, 20, 100)
