"""Servers for tests: a table on this machine, and connections to it."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from socket import socket
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect

from netcode.client.connection import Connect, Connection
from netcode.client.connectors import Plain, connector
from netcode.limits import HOST_LIMITS, Limits, Rate
from netcode.protocol.codec import decode_host, encode
from netcode.protocol.fields import Message
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.storage.journal import Journal
from netcode.table.snapshot import TableAccess
from netcode.table.table import Table
from netcode.transport.address import Address
from netcode.transport.certificate import Identity, load_identity
from netcode.transport.sockets import open_tcp
from netcode.workers.worker_pool import WorkerPool
from tests.support.dates import unix_time

SECRET = bytes(range(12))
CODE = "K7QF2MXR"
NUMBER = 7


UNPACED: Any = {
    "frames": Rate(1e9, 1e9),
    "table_frames": Rate(1e9, 1e9),
    "network_ms": Rate(1e9, 1e9),
    "gather_s": 0.0,
}
"""Limits of a server that accepts any rate of messages."""


def new_table(**options: Any) -> Table:
    keys = count(1)
    options = {"unix_time": unix_time, **options}
    return Table(Random(1), lambda: next(keys).to_bytes(32, "big"), **options)


UNGATHERED = replace(HOST_LIMITS, gather_s=0.0)
"""The limits of a host that sends each lobby at once."""


def server_of(
    table: Table,
    *,
    rng: Random | None = None,
    journal: Journal | None = None,
    limits: Limits = UNGATHERED,
    workers: WorkerPool | None = None,
    unix_time: Callable[[], float] = unix_time,
) -> Server:
    """Return the server of a table that admits everybody."""
    registry = TableRegistry([TableEntry(NUMBER, TableAccess(SECRET, CODE), table)], is_open=True)
    return Server(
        registry,
        rng=rng or Random(1),
        journal=journal,
        limits=limits,
        workers=workers,
        unix_time=unix_time,
    )


async def listens(server: Server, port: int = 0) -> None:
    """Let a server listen on this machine, without encryption."""
    await server.listen(await open_tcp("127.0.0.1", port))


@asynccontextmanager
async def opened(limits: Limits = UNGATHERED, **options: Any) -> AsyncIterator[Server]:
    """Open a table on this machine, without encryption; yield its server."""
    async with server_of(new_table(**options), limits=limits) as server:
        await listens(server)
        yield server


def table_of(server: Server) -> Table:
    entry = server.registry.only_entry
    assert entry is not None
    assert entry.table is not None
    return entry.table


def here(server: Server) -> Address:
    return Address("127.0.0.1", server.port)


def way_to(server: Server) -> Connect:
    return connector(Plain(here(server)))


async def connected(server: Server) -> Connection:
    return Connection(await way_to(server)())


@asynccontextmanager
async def raw(server: Server) -> AsyncIterator[ClientConnection]:
    """Yield the connection of a plain websocket client."""
    async with connect(f"ws://127.0.0.1:{server.port}", compression=None) as socket:
        yield socket


async def receive_message(socket: ClientConnection) -> Message:
    return decode_host(await socket.recv())


async def send_message(connection: Connection | None, message: Message) -> None:
    assert connection is not None
    connection.send(message)


async def send_to_socket(socket: ClientConnection, message: Message) -> None:
    await socket.send(encode(message))


def make_identity() -> Identity:
    """Return a new identity of a host."""
    with TemporaryDirectory() as folder:
        return load_identity(Path(folder))


@cache
def identity(whose: str) -> Identity:
    """Return the identity for a name, the same at each call."""
    return make_identity()


@contextmanager
def closed_sockets() -> Iterator[None]:
    """Assert that the block has opened sockets for a server, and has closed them all."""
    opened: list[socket] = []

    async def open_recorded(bind: str | None, port: int) -> list[socket]:
        found = await open_tcp(bind, port)
        opened.extend(found)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("netcode.transport.sockets.open_tcp", open_recorded)
        yield
    assert [each.fileno() for each in opened] == [-1] * max(1, len(opened))
