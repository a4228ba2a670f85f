"""Tests that a server reads a client's frames however the network divides them."""

import asyncio
from typing import Any, cast

import pytest
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from netcode.transport.websocket import WebSocket

REQUEST = (
    b"GET / HTTP/1.1\r\nHost: table\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)

LONG = bytes(range(200))

ALONE: dict[str, tuple[Frame, list[bytes | str]]] = {
    "short": (Frame(Opcode.BINARY, b"abc"), [b"abc"]),
    "empty": (Frame(Opcode.BINARY, b""), [b""]),
    "longest of the short ones": (Frame(Opcode.BINARY, LONG[:125]), [LONG[:125]]),
    "long": (Frame(Opcode.BINARY, LONG), [LONG]),
    "text": (Frame(Opcode.TEXT, b"abc"), ["abc"]),
    "ping": (Frame(Opcode.PING, b"abc"), []),
    "pong": (Frame(Opcode.PONG, b""), []),
}
"""A frame of each kind, and the messages in it."""


class Transport:
    """A transport that records what is written."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.is_aborted = False

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def abort(self) -> None:
        self.is_aborted = True

    def get_extra_info(self, name: str) -> None:
        return None

    def get_write_buffer_size(self) -> int:
        return 0

    def pause_reading(self) -> None:
        pass

    def is_closing(self) -> bool:
        return False

    def can_write_eof(self) -> bool:
        return False

    def close(self) -> None:
        self.is_aborted = True


def opened(request: bytes = REQUEST) -> WebSocket:
    """Return a server's websocket after the opening handshake, in which `request` came."""
    socket = WebSocket(ServerProtocol(max_size=4096))
    socket.connection_made(cast(asyncio.BaseTransport, Transport()))
    socket.data_received(request)
    assert socket.opened.result()
    return socket


def messages(socket: WebSocket) -> list[bytes | str]:
    """Return the unread messages."""
    return cast(list[bytes | str], cast(Any, socket)._messages)


def stream(*frames: Frame) -> bytes:
    """Return the frames as a client sends them, with random masks."""
    return b"".join(frame.serialize(mask=True) for frame in frames)


@pytest.mark.parametrize("name", ALONE)
async def test_frames_are_read_wherever_the_input_is_divided(name: str) -> None:
    frame, found = ALONE[name]
    wanted: list[bytes | str] = [b"before", *found, b"after"]
    before, after = Frame(Opcode.BINARY, b"before"), Frame(Opcode.BINARY, b"after")
    data = stream(before, frame, after)
    for at in range(len(data) + 1):
        socket = opened()
        for part in filter(None, (data[:at], data[at:])):
            socket.data_received(part)
        assert messages(socket) == wanted


async def test_frames_are_read_one_by_one_and_with_the_request() -> None:
    frames = [frame for frame, _ in ALONE.values()]
    wanted = [message for _, found in ALONE.values() for message in found]
    for together in range(len(frames)):
        socket = opened(REQUEST + stream(*frames[:together]))
        found = messages(socket).copy()
        for each in frames[together:]:
            messages(socket).clear()
            socket.data_received(stream(each))
            found += messages(socket)
        assert found == wanted


@pytest.mark.parametrize("glued", [b"\x02\x84\0\0\0\0\r\n\r\n", b"\x82\x8a\0\0\0\0\r\n\r\n"])
async def test_the_beginning_of_a_message_with_the_request_stays_its_beginning(
    glued: bytes,
) -> None:
    socket = opened(REQUEST + glued)
    socket.data_received(stream(Frame(Opcode.BINARY, b"")))
    assert b"" not in messages(socket), "its bytes belong to the message that has begun"


async def test_the_library_does_not_read_single_short_messages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    socket = opened()
    monkeypatch.setattr(ServerProtocol, "receive_data", None)
    socket.data_received(stream(Frame(Opcode.BINARY, b"abc")))
    assert messages(socket) == [b"abc"]


async def test_a_message_within_another_one_ends_the_connection() -> None:
    socket = opened()
    socket.data_received(stream(Frame(Opcode.BINARY, b"", fin=False)))
    socket.data_received(stream(Frame(Opcode.BINARY, b"abc")))
    assert messages(socket) == []
    assert cast(Any, socket)._protocol.state is not State.OPEN


async def test_frames_after_the_end_are_no_messages() -> None:
    socket = opened()
    socket.data_received(stream(Frame(Opcode.CLOSE, b"\x03\xe8")))
    socket.data_received(stream(Frame(Opcode.BINARY, b"abc")))
    assert messages(socket) == []
