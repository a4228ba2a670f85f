"""The undocumented parts of the websockets library on which `websockets_internals.py` relies.

A failure here says what has changed; the module says how to go on without it.
"""

import asyncio
import inspect
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from netcode.transport import sockets
from netcode.transport.channel import Channel, ChannelClosedError, PromptChannel
from netcode.transport.connection_limits import ConnectionLimits
from tests.netcode.rooms import opened, raw, runs


def test_a_server_connection_is_a_protocol_whose_steps_can_be_extended() -> None:
    assert issubclass(ServerConnection, asyncio.Protocol)
    steps = {
        name: list(inspect.signature(getattr(ServerConnection, name)).parameters)
        for name in ("connection_made", "data_received", "connection_lost", "process_event")
    }
    assert steps == {
        "connection_made": ["self", "transport"],
        "data_received": ["self", "data"],
        "connection_lost": ["self", "exc"],
        "process_event": ["self", "event"],
    }


def test_serve_makes_the_protocol_of_a_socket_by_create_connection() -> None:
    assert "create_connection" in inspect.signature(serve).parameters


@runs
async def test_a_connection_has_what_is_used_of_it() -> None:
    async with opened() as server, raw(server):
        (listener,) = server._listeners
        (connection,) = listener._served.present
        assert isinstance(connection.transport, asyncio.Transport)
        assert connection.loop is asyncio.get_running_loop()
        assert connection.request is not None
        assert connection.response is not None
        assert not connection.request.headers
        assert not connection.response.headers


class Written:
    """A transport that notes what is written."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: bytes) -> None:
        self.data += data


@runs
async def test_a_message_is_written_as_the_library_writes_it() -> None:
    async with opened() as server, raw(server) as client:
        (listener,) = server._listeners
        (connection,) = listener._served.present
        transport = connection.transport

        def written(write: Callable[[bytes], object], payload: bytes) -> bytes:
            connection.transport = note = Written()  # type: ignore[assignment]
            try:
                write(payload)
            finally:
                connection.transport = transport
            return note.data

        for length in (0, 1, 125, 126, 127, 65_535, 65_536):
            payload = bytes(length)
            theirs = written(lambda payload: broadcast((connection,), payload), payload)
            assert written(connection.write, payload) == theirs
            assert theirs.endswith(payload)
        await client.close()
        await connection.wait_closed()
        assert written(connection.write, b"too late") == b""


@asynccontextmanager
async def listened(
    take: Callable[[bytes], bool], received: Callable[[bytes], object]
) -> AsyncIterator[ClientConnection]:
    """Connect to a listener which offers messages to `take` and receives the others."""

    async def handle(channel: Channel) -> None:
        assert isinstance(channel, PromptChannel)
        channel.hand_to(lambda peer, frame: take(frame), "anna")
        channel.send(b"begin")
        while True:
            try:
                frame = await channel.receive()
            except ChannelClosedError:
                return
            assert isinstance(frame, bytes)
            # More may come meanwhile.
            await asyncio.sleep(0)
            received(frame)

    (listening,) = await sockets.open_tcp("127.0.0.1", 0)
    listener = await sockets.listen(handle, listening, limits=ConnectionLimits(8, 8))
    assert listener.address is not None
    try:
        async with connect(f"ws://127.0.0.1:{listener.address.port}", compression=None) as client:
            assert await client.recv() == b"begin"
            yield client
    finally:
        await listener.close()


@runs
async def test_messages_keep_their_order_whether_they_are_taken_or_received() -> None:
    got: list[tuple[str, bytes]] = []
    wanted = [b"%s%d" % (b"r" if number % 5 == 0 else b"t", number) for number in range(30)]

    def take(frame: bytes) -> bool:
        if frame.startswith(b"r"):
            return False
        got.append(("taken", frame))
        return True

    async with listened(take, lambda frame: got.append(("received", frame))) as client:
        for number, frame in enumerate(wanted):
            if number % 7 == 3:
                # In two pieces, with a ping in between.
                client.protocol.send_binary(frame[:1], fin=False)
                client.send_data()
                await client.ping()
                client.protocol.send_continuation(frame[1:], fin=True)
                client.send_data()
            else:
                await client.send(frame)
            while number > 15 and len(got) <= number:
                await asyncio.sleep(0)
    assert [frame for _, frame in got] == wanted
    assert {how for how, _ in got} == {"taken", "received"}


@runs
async def test_a_message_is_read_without_the_parser_only_between_frames() -> None:
    got: list[bytes] = []
    parsed: list[bytes] = []

    def take(peer: object, frame: bytes) -> bool:
        got.append(frame)
        return True

    async with opened() as server, raw(server):
        (listener,) = server._listeners
        (connection,) = listener._served.present
        connection.take = take
        read = connection.protocol.receive_data

        def noted(data: bytes | bytearray) -> None:
            parsed.append(bytes(data))
            read(data)

        connection.protocol.receive_data = noted  # type: ignore[method-assign]

        def come(data: bytes, *, is_parsed: bool) -> None:
            parsed.clear()
            connection.is_awaited = True
            connection.data_received(data)
            assert parsed == [data] * is_parsed

        def masked(payload: bytes, first: int = 0x82) -> bytes:
            return Frame(Opcode(first & 0x0F), payload, bool(first & 0x80)).serialize(mask=True)

        for length in (0, 1, 125):
            come(masked(bytes(length)), is_parsed=False)
        come(masked(bytes(126)), is_parsed=True)
        # Two in one go, then one in all its parts.
        come(masked(b"1") + masked(b"2"), is_parsed=True)
        inner = masked(b"no frame")
        whole = masked(inner)
        come(whole[:6], is_parsed=True)
        come(whole[6:], is_parsed=True)
        come(whole[:2], is_parsed=True)
        come(whole[2:], is_parsed=True)
        come(masked(b"3"), is_parsed=False)
        come(masked(b"", 0x89), is_parsed=True)
        come(masked(b"4"), is_parsed=False)
        lengths = [b"", bytes(1), bytes(125), bytes(126)]
        assert got == [*lengths, b"1", b"2", inner, inner, b"3", b"4"]


@runs
async def test_a_mistake_in_taking_ends_the_connection_and_tells_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def take(frame: bytes) -> bool:
        raise RuntimeError(f"not to be told: {frame!r}")

    async with listened(take, lambda frame: None) as client:
        with caplog.at_level(logging.INFO):
            await client.send(b"a secret")
            with pytest.raises(ConnectionClosed):
                await client.recv()
    assert "a connection failed with RuntimeError" in caplog.text
    assert "a secret" not in caplog.text
