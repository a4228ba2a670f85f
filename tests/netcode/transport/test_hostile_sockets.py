"""Tests hostile clients below the messages: sockets, TLS, HTTP and websockets.

The tests use real sockets on this machine. They wait only for the host, and long timeouts are
shortened.
"""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from ssl import SSLContext

import pytest
import uvloop
from websockets.asyncio.client import ClientConnection, connect

import driflamme_tui
import netcode
from netcode.limits import ARRIVALS, BYTES_A_FRAME, HOST_LIMITS, Limits, Rate
from netcode.protocol.codec import FROM_CLIENT, decode_host, encode
from netcode.protocol.messages import ChooseFamily, Goodbye, Here, Lobby, SetReady, Welcome
from netcode.server.server import Server
from netcode.transport import listener, websocket
from netcode.transport.certificate import Identity, client_context
from netcode.transport.channel import Channel, ChannelClosedError
from netcode.transport.listener import HandshakeLimits
from netcode.transport.running_clock import STOPPED_S
from netcode.transport.sockets import open_tcp
from netcode.transport.websocket import (
    MAXIMUM_FRAME_BYTES,
    PING_INTERVAL_S,
    PING_TIMEOUT_S,
    WebSocket,
    serve_websocket,
)
from tests.support.pretend import hello
from tests.support.servers import (
    UNPACED,
    make_identity,
    new_table,
    opened,
    raw,
    receive_message,
    send_to_socket,
    server_of,
)

REQUEST = (
    b"GET / HTTP/1.1\r\nHost: table\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)

PLAIN_REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA


def frame(opcode: int, data: bytes = b"", *, fin: bool = True, reserved: int = 0) -> bytes:
    """Return a websocket frame of a client, masked with zeros."""
    head = bytes([(0x80 if fin else 0) | reserved << 4 | opcode])
    if len(data) < 126:
        head += bytes([0x80 | len(data)])
    else:
        head += b"\xfe" + struct.pack(">H", len(data))
    return head + bytes(4) + data


class Raw:
    """A TCP connection that sends arbitrary bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def opened(cls, server: Server, context: SSLContext | None = None) -> "Raw":
        return cls(*await asyncio.open_connection("127.0.0.1", server.port, ssl=context))

    @classmethod
    async def upgraded(cls, server: Server) -> "Raw":
        """Return a connection that has become a websocket."""
        self = await cls.opened(server)
        await self.send(REQUEST)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 101")
        return self

    async def send(self, data: bytes) -> None:
        with suppress(ConnectionError):
            self.writer.write(data)
            await self.writer.drain()

    async def receive(self) -> bytes:
        """Return the payload of the next websocket frame from the host."""
        _, length = await self.reader.readexactly(2)
        if length == 126:
            (length,) = struct.unpack(">H", await self.reader.readexactly(2))
        return await self.reader.readexactly(length)

    async def is_cut_off(self) -> None:
        """Wait until the host ends the connection; if it never does, the test fails."""
        with suppress(ConnectionError):
            async with asyncio.timeout(60):
                while await self.reader.read(1 << 16):
                    pass

    def close(self) -> None:
        self.writer.close()


@asynccontextmanager
async def encrypted(identity: Identity, limits: Limits = HOST_LIMITS) -> AsyncIterator[Server]:
    async with server_of(new_table(), limits=limits) as server:
        await server.listen(await open_tcp("127.0.0.1", 0), identity.context)
        yield server


@pytest.fixture(scope="module")
def identity() -> Identity:
    return make_identity()


async def is_well(server: Server, name: str = "anna") -> None:
    """Assert that a well-behaved client can join."""
    async with raw(server) as peer:
        await send_to_socket(peer, hello(name))
        assert isinstance(await receive_message(peer), Welcome)


# Before the websocket handshake


UNFINISHED = {
    "nothing": b"",
    "half a line": b"GET / HTTP/1.1\r\nHost: ta",
    "half a request": REQUEST[:-2],
}


@pytest.mark.parametrize("sent", UNFINISHED.values(), ids=UNFINISHED)
async def test_who_does_not_get_on_with_http_is_cut_off(
    sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "OPEN_TIMEOUT_S", 0.05)
    async with opened() as server:
        peer = await Raw.opened(server)
        await peer.send(sent)
        await peer.is_cut_off()
        assert server.connections == 0
        peer.close()
        monkeypatch.undo()
        await is_well(server)


@pytest.mark.parametrize("sent", [b"", b"\x16\x03\x01\x02\x00\x01\x00"], ids=["nothing", "half"])
async def test_who_does_not_get_on_with_tls_is_cut_off(
    sent: bytes, identity: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "OPEN_TIMEOUT_S", 0.05)
    async with encrypted(identity) as server:
        peer = await Raw.opened(server)
        await peer.send(sent)
        await peer.is_cut_off()
        assert server.connections == 0
        peer.close()


NO_REQUESTS = {
    "zeros": b"\x00" * 100_000,
    "a line without an end": b"A" * 100_000,
    "a thousand headers": b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 1000,
    "a long header": b"GET / HTTP/1.1\r\nx: " + b"y" * 20_000 + b"\r\n\r\n",
    "a body": b"POST / HTTP/1.1\r\nContent-Length: 9999999999\r\n\r\n",
    "another version": REQUEST.replace(b"13", b"12"),
    "a web page": REQUEST.replace(b"\r\n\r\n", b"\r\nOrigin: null\r\n\r\n"),
    "the end with the request": REQUEST + frame(CLOSE),
    "no frame with the request": REQUEST + b"\x82\x01x",
    "no frame with a request for a page": PLAIN_REQUEST + b"\xff" * 4,
    "two requests for a page": PLAIN_REQUEST * 2,
}


@pytest.mark.parametrize("sent", NO_REQUESTS.values(), ids=NO_REQUESTS)
@pytest.mark.parametrize("is_encrypted", [False, True])
async def test_what_is_no_request_gets_no_websocket(
    is_encrypted: bool, sent: bytes, identity: Identity, caplog: pytest.LogCaptureFixture
) -> None:
    context = client_context(identity.pin) if is_encrypted else None
    async with encrypted(identity) if is_encrypted else opened() as server:
        peer = await Raw.opened(server, context)
        await peer.send(sent)
        answer = await peer.reader.read(100)
        assert not answer.startswith(b"HTTP/1.1 101")
        peer.close()
        if not is_encrypted:
            await is_well(server)
    assert not [each for each in caplog.records if each.levelname == "ERROR"]


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_sockets_that_say_nothing_take_each_others_places(
    loop: object, identity: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "ARRIVALS", Rate(0.1, burst=1000))

    async def flood() -> None:
        limits = Limits(connections=8, from_one_address=4)
        async with encrypted(identity, limits) as server:
            silent = [await Raw.opened(server) for _ in range(20)]
            for peer in silent[:-4]:
                await peer.is_cut_off()
            assert len(server._handshake_limits) == 4
            async with connect(
                f"wss://127.0.0.1:{server.port}", ssl=client_context(identity.pin)
            ) as well:
                await send_to_socket(well, hello("anna"))
                assert isinstance(await receive_message(well), Welcome)
                assert len(server._handshake_limits) == 3
            for peer in silent:
                peer.close()

    with asyncio.Runner(loop_factory=loop) as runner:  # type: ignore[arg-type]
        runner.run(flood())


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop])
def test_a_silent_peer_is_cut_off_although_its_timer_is_due_at_once(
    loop: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Use less than half a millisecond: for so short a delay, uvloop returns a handle without a
    # time.
    monkeypatch.setattr(websocket, "PING_INTERVAL_S", 0.0001)
    monkeypatch.setattr(websocket, "PING_TIMEOUT_S", 0.0001)
    errors: list[dict[str, object]] = []

    async def be_silent() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
        async with opened() as server:
            peer = await Raw.opened(server)
            await peer.is_cut_off()
            peer.close()

    with asyncio.Runner(loop_factory=loop) as runner:  # type: ignore[arg-type]
        runner.run(be_silent())
    assert errors == []


def test_no_module_asks_a_timer_for_its_time() -> None:
    """Timers have the type `asyncio.Handle`: mypy then refuses `when()`, which uvloop may lack."""
    names = (".TimerHandle", "import TimerHandle", ".when()")
    found = [
        f"{path.name}: {name}"
        for package in (netcode, driflamme_tui)
        for path in Path(package.__path__[0]).rglob("*.py")
        for name in names
        if name in path.read_text("utf-8")
    ]
    assert found == []


async def test_who_connects_without_end_is_not_even_listened_to() -> None:
    limits = Limits(connections=100, from_one_address=4)
    async with opened(limits) as server, raw(server) as well:
        await send_to_socket(well, hello("anna"))
        assert isinstance(await receive_message(well), Welcome)
        peers = [await Raw.opened(server) for _ in range(40)]
        for peer in peers[4 * int(ARRIVALS.burst) :]:
            await peer.is_cut_off()
        assert isinstance(await receive_message(well), Lobby)
        await send_to_socket(well, SetReady(ready=True))
        assert isinstance(await receive_message(well), Lobby)
        for peer in peers:
            peer.close()


# Websocket frames


@asynccontextmanager
async def beside_anna(server: Server) -> AsyncIterator[tuple[ClientConnection, Raw]]:
    """Yield the connection of a well-behaved client, and another connection to the same server."""
    async with raw(server) as anna:
        await send_to_socket(anna, hello("anna"))
        assert isinstance(await receive_message(anna), Welcome)
        await receive_lobby(anna)
        mallory = await Raw.upgraded(server)
        await mallory.send(frame(BINARY, encode(hello("mallory"))))
        assert len((await receive_lobby(anna)).seats) == 2
        for kind in (Welcome, Lobby):
            assert isinstance(decode_host(await mallory.receive()), kind)
        yield anna, mallory
        # The well-behaved client is answered as usual.
        await send_to_socket(anna, SetReady(ready=True))
        while not (await receive_lobby(anna)).seats[0].ready:
            pass
        mallory.close()


FRAMES = {
    "pings": frame(PING) * 5000,
    "long pings": frame(PING, bytes(125)) * 5000,
    "pongs": frame(PONG) * 5000,
    "empty pieces": frame(BINARY, fin=False) + frame(CONTINUATION, fin=False) * 5000,
    "messages": frame(BINARY, encode(Here())) * (BYTES_A_FRAME * 8),
    # Violations of the websocket protocol
    "too long": frame(BINARY, bytes(MAXIMUM_FRAME_BYTES + 1)),
    "2^63 bytes": b"\x82\xff" + struct.pack(">Q", 2**63 - 1) + bytes(4),
    "4 GB": b"\x82\xff" + struct.pack(">Q", 2**32) + bytes(4),
    "too long in pieces": frame(BINARY, bytes(MAXIMUM_FRAME_BYTES), fin=False)
    + frame(CONTINUATION, b"x"),
    "unmasked": b"\x82\x05hello",
    "an opcode that is none": frame(0x3, b"x"),
    "a control opcode that is none": frame(0xB),
    "compressed": frame(BINARY, b"x", reserved=4),
    "the end of nothing": frame(CONTINUATION, b"x"),
    "a start in between": frame(BINARY, b"x", fin=False) + frame(BINARY, b"y"),
    "half a ping": frame(PING, b"x", fin=False),
    "a ping that is too long": frame(PING, bytes(126)),
    "a text that is none": frame(TEXT, b"\xff\xfe"),
    "half a reason": frame(CLOSE, b"\x00"),
    "a reason that is none": frame(CLOSE, struct.pack(">H", 1)),
}


@pytest.mark.parametrize("sent", FRAMES.values(), ids=FRAMES)
async def test_a_flood_of_frames_or_what_is_none_ends_its_connection(
    sent: bytes,
) -> None:
    async with opened() as server, beside_anna(server) as (_, mallory):
        await mallory.send(sent)
        await mallory.is_cut_off()


async def test_what_is_within_a_frame_that_has_begun_is_no_message() -> None:
    async with opened() as server, beside_anna(server) as (anna, mallory):
        await mallory.send(b"\x82\xfe" + struct.pack(">H", 1000) + bytes(4))
        await mallory.send(frame(BINARY, encode(ChooseFamily(family="v"))))
        await send_to_socket(anna, ChooseFamily(family="y"))
        assert [seat.family for seat in (await receive_lobby(anna)).seats] == ["y", "b"]
        # Mallory's frame never ends, so mallory counts as silent, and the host disconnects mallory.
        await been_silent(server)
        await mallory.is_cut_off()
        assert [seat.present for seat in (await receive_lobby(anna)).seats] == [True, False]


async def test_who_does_not_say_hello_is_said_goodbye_to_whatever_they_do_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("netcode.server.peer_handler.HELLO_TIMEOUT_S", 0.05)
    monkeypatch.setattr(websocket, "CLOSE_TIMEOUT_S", 0.05)
    async with opened() as server:
        mallory = await Raw.upgraded(server)
        assert decode_host(await mallory.receive()) == Goodbye(code="hello_overdue")
        # The client does not confirm the end, and the host ends the connection anyway.
        await mallory.is_cut_off()
        mallory.close()


@asynccontextmanager
async def beside_one_who_does_not_read() -> AsyncIterator[tuple[Server, ClientConnection]]:
    """Yield a server with two clients: anna, and mallory, who reads nothing of a long output."""
    limits = Limits(connections=20, from_one_address=20, **UNPACED)
    async with server_of(new_table(), limits=limits) as server:
        (listening,) = await open_tcp("127.0.0.1", 0)
        # Make the system's own buffers small, so that the host's buffers fill.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
        await server.listen([listening])
        async with raw(server) as anna:
            await send_to_socket(anna, hello("anna"))
            assert isinstance(await receive_message(anna), Welcome)
            assert isinstance(await receive_message(anna), Lobby)
            with socket.socket() as mallory:
                mallory.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                await asyncio.to_thread(mallory.connect, ("127.0.0.1", server.port))
                mallory.sendall(REQUEST + frame(BINARY, encode(hello("mallory"))))
                assert isinstance(await receive_message(anna), Lobby)
                for each in range(100):
                    await send_to_socket(anna, SetReady(ready=each % 2 == 0))
                    assert (await receive_lobby(anna)).seats[1].present
                yield server, anna


async def test_who_stops_reading_takes_bounded_memory_is_let_go_and_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with beside_one_who_does_not_read() as (server, anna):
        line = second_of(server)
        assert line._transport is not None
        waiting = line._transport.get_write_buffer_size()
        monkeypatch.setattr(websocket, "STALLED_BYTES", waiting + FROM_CLIENT)
        for each in range(100):
            await send_to_socket(anna, SetReady(ready=each % 2 == 0))
            if not (await receive_lobby(anna)).seats[1].present:
                break
        else:
            pytest.fail("whoever does not read stays for ever")
        async with raw(server) as again:
            await send_to_socket(again, hello("mallory", key=(2).to_bytes(32, "big")))
            assert isinstance(await receive_message(again), Welcome)
            assert (await receive_lobby(again)).you == "b"
            while not (await receive_lobby(anna)).seats[1].present:
                pass


async def test_whom_the_host_lets_go_is_let_go_though_they_do_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with beside_one_who_does_not_read() as (server, anna):
        monkeypatch.setattr(websocket, "CLOSE_TIMEOUT_S", 0.01)
        _, slow = server._peers
        slow.close()
        assert not (await receive_lobby(anna)).seats[1].present


async def been_silent(server: Server) -> None:
    """Make the host notice that its second peer has been silent for too long."""
    silent = second_of(server)
    silent.received_at -= PING_INTERVAL_S + PING_TIMEOUT_S
    silent.look()


def second_of(server: Server) -> WebSocket:
    """Return the host's connection to its second peer."""
    _, peer = server._peers
    assert isinstance(peer.channel, WebSocket)
    return peer.channel


async def test_who_is_silent_is_asked_whether_they_are_there_and_asked_anew_after_a_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop = asyncio.get_running_loop()
    time, later = loop.time, 0.0
    async with opened() as server, beside_anna(server) as (_, mallory):
        monkeypatch.setattr(loop, "time", lambda: time() + later)
        line = second_of(server)
        for stopped_s, is_pinged in ((PING_INTERVAL_S, True), (PING_TIMEOUT_S + STOPPED_S, False)):
            later += stopped_s
            line.look()
            if is_pinged:
                assert await mallory.receive() == b""
        assert server.connections == 2
        later = 0.0


async def receive_lobby(peer: ClientConnection) -> Lobby:
    heard = await receive_message(peer)
    assert isinstance(heard, Lobby)
    return heard


async def test_a_message_in_pieces_is_read_in_its_turn_whatever_comes_between() -> None:
    wanted = [b"%d" % number for number in range(30)]
    got: list[bytes | str] = []

    async def handle(channel: Channel) -> None:
        with suppress(ChannelClosedError):
            while True:
                got.append(await channel.receive())
                # Let more frames arrive than the reader buffers.
                await asyncio.sleep(0)

    (listening,) = await open_tcp("127.0.0.1", 0)
    serve = partial(serve_websocket, handle, context=None)
    opened_there = listener.Listener(serve, listening, limits=HandshakeLimits(8, 8))
    assert opened_there.address is not None
    async with connect(f"ws://127.0.0.1:{opened_there.address.port}", compression=None) as client:
        for number, said in enumerate(wanted):
            if number % 7 == 3:
                client.protocol.send_binary(said[:1], fin=False)
                for _ in range(number):
                    client.protocol.send_continuation(b"", fin=False)
                client.send_data()
                await client.ping()
                client.protocol.send_continuation(said[1:], fin=True)
                client.send_data()
            else:
                await client.send(said)
        await (await client.ping())
    await opened_there.close()
    assert got == wanted


async def test_a_system_without_sockets_to_spare_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listener, "ACCEPT_AGAIN_S", 0.0)
    loop = asyncio.get_running_loop()
    accept, tries = loop.sock_accept, iter((OSError(24, "too many"), ConnectionAbortedError()))

    async def failing(listening: socket.socket) -> object:
        for error in tries:
            raise error
        return await accept(listening)

    monkeypatch.setattr(loop, "sock_accept", failing)
    async with opened() as server:
        await is_well(server)


@pytest.mark.parametrize("turns", range(5))
async def test_who_connects_as_a_host_closes_is_not_left_open(turns: int) -> None:
    loop, complaints = asyncio.get_running_loop(), list[dict[str, object]]()
    loop.set_exception_handler(lambda _, context: complaints.append(context))
    accepted: list[socket.socket] = []

    class Listening(socket.socket):
        def accept(self) -> tuple[socket.socket, object]:
            connected, address = super().accept()
            accepted.append(connected)
            return connected, address

    async def serve(connected: socket.socket, *_of_it: object) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            connected.close()

    (listening,) = await open_tcp("127.0.0.1", 0)
    opened_there = listener.Listener(
        serve, Listening(fileno=listening.detach()), limits=HandshakeLimits(8, 8)
    )
    await asyncio.sleep(0)
    assert opened_there.address is not None
    with socket.create_connection((opened_there.address.host, opened_there.address.port)):
        for _ in range(turns):
            await asyncio.sleep(0)
        await opened_there.close()
        await asyncio.sleep(0)
    assert [each.fileno() for each in accepted] == [-1] * len(accepted)
    assert complaints == []
