"""Tests that ended connections leave nothing in memory, and that freed memory is returned.

The tests use real sockets on this machine, and the event loop of a server.
"""

import asyncio
import gc
import socket
import ssl
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager, suppress

import pytest
import uvloop

from netcode.protocol.codec import encode
from netcode.protocol.messages import Knock
from netcode.server import peer_handler
from netcode.transport import listener, websocket
from netcode.transport.certificate import client_context
from netcode.transport.freed_memory import return_freed_memory
from netcode.transport.sockets import open_tcp
from tests.netcode.transport.test_hostile_sockets import (
    BINARY,
    CLOSE,
    PING,
    PLAIN_REQUEST,
    REQUEST,
    frame,
)
from tests.support.garbage import collect_garbage
from tests.support.pretend import hello
from tests.support.servers import CODE, SECRET, identity, new_table, server_of

LIBRARIES = ("netcode", "websockets", "uvloop", "asyncio", "ssl", "_ssl")
"""Packages that define the objects of a connection."""


def is_of_connection(each: object) -> bool:
    return type(each).__module__.partition(".")[0] in LIBRARIES


@contextmanager
def left_to_collect() -> Iterator[list[object]]:
    """Yield a list; at the end, add the objects that only garbage collection could free."""
    left: list[object] = []
    collect_garbage()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield left
        gc.collect()
        left += filter(is_of_connection, gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@contextmanager
def dialled(port: int, context: ssl.SSLContext | None, name: str | None) -> Iterator[socket.socket]:
    """Yield a connection to a port; close it at the end without a goodbye."""
    plain = socket.create_connection(("127.0.0.1", port), timeout=10)
    connected = plain if context is None else context.wrap_socket(plain, server_hostname=name)
    with closing(connected):
        yield connected


def upgraded(connected: socket.socket) -> socket.socket:
    connected.sendall(REQUEST)
    assert connected.recv(4096).startswith(b"HTTP/1.1 101")
    return connected


def until_the_end(connected: socket.socket) -> None:
    with suppress(ConnectionError):
        while connected.recv(4096):
            pass


def silent_websocket(connected: socket.socket) -> None:
    upgraded(connected)


def websocket_that_is_closed(connected: socket.socket) -> None:
    upgraded(connected).sendall(frame(CLOSE, b"\x03\xe8"))
    until_the_end(connected)


def websocket_that_pings(connected: socket.socket) -> None:
    upgraded(connected).sendall(frame(PING))
    connected.recv(4096)


def frame_that_is_none(connected: socket.socket) -> None:
    upgraded(connected).sendall(frame(BINARY, reserved=7))
    until_the_end(connected)


def half_a_request(connected: socket.socket) -> None:
    connected.sendall(REQUEST[:-2])


def requested_page(connected: socket.socket) -> None:
    connected.sendall(PLAIN_REQUEST)
    until_the_end(connected)


def nonsense(connected: socket.socket) -> None:
    connected.sendall(b"nonsense\r\n\r\n")
    until_the_end(connected)


def player(connected: socket.socket) -> None:
    upgraded(connected).sendall(frame(BINARY, encode(hello("anna", secret=SECRET))))
    connected.recv(4096)


def knock(connected: socket.socket) -> None:
    message = Knock(protocol=1, prefix=CODE[:3], share=b"B" + bytes(32))
    upgraded(connected).sendall(frame(BINARY, encode(message)))
    connected.recv(4096)


def stranger_who_is_sent_away(connected: socket.socket) -> None:
    until_the_end(upgraded(connected))


def nothing(connected: socket.socket) -> None:
    """Do nothing with a connection."""


KINDS = [
    nothing,
    half_a_request,
    requested_page,
    nonsense,
    silent_websocket,
    websocket_that_is_closed,
    websocket_that_pings,
    frame_that_is_none,
    player,
    knock,
    stranger_who_is_sent_away,
]

Kind = Callable[[socket.socket], None]


async def come_and_go(
    kind: Kind, port: int, context: ssl.SSLContext | None, name: str | None = None
) -> None:
    """Let a client of a kind connect and leave, in a thread."""

    def visit() -> None:
        with dialled(port, context, name) as connected:
            kind(connected)

    await asyncio.to_thread(visit)


async def left_by(kind: Kind, ends: Callable[[], bool], *there: object) -> list[object]:
    """Let some clients connect and leave; return the objects that only garbage collection frees."""
    await come_and_go(kind, *there)  # type: ignore[arg-type]
    while not ends():
        await asyncio.sleep(0.005)
    with left_to_collect() as left:
        for _ in range(3):
            await come_and_go(kind, *there)  # type: ignore[arg-type]
        while not ends():
            await asyncio.sleep(0.005)
        # Wait some turns of the loop for the final callbacks of the transports.
        for _ in range(5):
            await asyncio.sleep(0)
    return left


@pytest.mark.parametrize("is_encrypted", [False, True], ids=["plain", "tls"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_connection_that_has_ended_leaves_nothing_that_only_a_collection_frees(
    kind: Kind, is_encrypted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind is stranger_who_is_sent_away:
        monkeypatch.setattr(peer_handler, "HELLO_TIMEOUT_S", 0.05)

    # These clients do not confirm the end of a connection.
    monkeypatch.setattr(websocket, "CLOSE_TIMEOUT_S", 0.05)

    async def run() -> list[object]:
        async with server_of(new_table()) as server:
            context = identity("host").context if is_encrypted else None
            await server.listen(await open_tcp("127.0.0.1", 0), context)
            (listening,) = server._listeners
            client = client_context(None) if is_encrypted else None
            return await left_by(kind, lambda: not listening._present, server.port, client)

    assert uvloop.run(run()) == []


# Memory returned to the system


@asynccontextmanager
async def returns_counted(
    monkeypatch: pytest.MonkeyPatch, delay_s: float
) -> AsyncIterator[tuple[int, list[bool], listener.Listener]]:
    """Yield a server's port, one list entry for each return of memory, and the listener."""
    returned: list[bool] = []
    monkeypatch.setattr(listener, "RETURN_MEMORY_S", delay_s)
    monkeypatch.setattr(
        listener, "return_freed_memory", lambda *, collects: returned.append(collects)
    )
    async with server_of(new_table()) as server:
        await server.listen(await open_tcp("127.0.0.1", 0))
        (listening,) = server._listeners
        yield server.port, returned, listening


async def test_memory_is_returned_once_some_connections_have_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with returns_counted(monkeypatch, 0.0) as (port, returned, _):
        await asyncio.sleep(0)
        assert returned == []
        await come_and_go(silent_websocket, port, None)
        while not returned:
            await asyncio.sleep(0.005)
        # The server of a game has many objects, and its connections need no collection.
        assert set(returned) == {False}


async def test_memory_is_returned_once_however_many_have_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with returns_counted(monkeypatch, 3600.0) as (port, returned, listening):
        for _ in range(3):
            await come_and_go(silent_websocket, port, None)
        while listening._present:
            await asyncio.sleep(0.005)
        timer = listening._returning
        assert timer is not None
        listening._return_memory()
        assert listening._returning is None
        timer.cancel()
        while not returned:
            await asyncio.sleep(0.005)
        assert returned == [False]
    assert timer.cancelled()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads what Linux says of memory")
def test_what_is_freed_goes_back_to_the_system() -> None:
    def resident() -> int:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1])

    return_freed_memory()
    before = resident()
    # The pieces are too small for mappings of their own, and the last one keeps the heap from
    # shrinking.
    pieces = [bytearray(100_000) for _ in range(300)]
    for piece in pieces:
        piece[::4096] = b"x" * len(piece[::4096])
    last = pieces[-1]
    del pieces[:-1], piece
    occupied = resident()
    return_freed_memory(collects=True)
    assert last
    assert resident() - before < (occupied - before) / 2
