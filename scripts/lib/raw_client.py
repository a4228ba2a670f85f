"""A client's end of a WebSocket, by hand: what players and floods of benchmarks speak through.

It does the least that a client can, so that it is several times as fast as the server before it.
"""

import socket
import struct
from collections.abc import Iterator
from typing import Final, TypeVar

from netcode.protocol.codec import CodecError, decode_host
from netcode.protocol.messages import Goodbye, HostMessage, Refused

UPGRADE: Final = (
    b"GET / HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)

PATIENCE_S: Final = 20.0
"""How long nothing may come before the measurement is given up."""

Message = TypeVar("Message", bound=HostMessage)


class UnexpectedError(Exception):
    """The server sent something else than the rules say, or nothing."""


def decoded(frame: bytes) -> HostMessage:
    """Return the message in a frame; raises UnexpectedError if it is none, or ends what we do."""
    try:
        message = decode_host(frame)
    except CodecError as error:
        raise UnexpectedError(f"{error.code}, of a frame that begins {frame[:40]!r}") from error
    if isinstance(message, Refused | Goodbye):
        raise UnexpectedError(message)
    return message


class Connection:
    """One connection to a server on this machine."""

    def __init__(self, port: int) -> None:
        """Connect, and become a websocket; raises OSError and UnexpectedError."""
        self._buffer = b""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        try:
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.socket.sendall(UPGRADE)
            while b"\r\n\r\n" not in self._buffer:
                self._read()
            head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 101 "):
                raise UnexpectedError(head)
        except BaseException:
            self.socket.close()
            raise

    def say(self, frame: bytes) -> None:
        """Send a message's frame."""
        self.socket.sendall(masked(frame))

    def hear(self, kind: type[Message]) -> Message:
        """Return the next message of a kind, passing others over."""
        while True:
            message = decoded(self.next_frame())
            if isinstance(message, kind):
                return message

    def next_frame(self) -> bytes:
        """Return the payload of the next frame, waiting for it."""
        while (frame := next(self._frames(), None)) is None:
            self._read()
        return frame

    def attend(self) -> None:
        """Take what has come besides: pings, which are answered, and messages to pass over."""
        self._read()
        for frame in self._frames():
            decoded(frame)

    def _read(self) -> None:
        self._add(self.socket.recv(65536))

    def _add(self, data: bytes) -> None:
        if not data:
            raise UnexpectedError("the connection ended")
        self._buffer += data

    def _frames(self) -> Iterator[bytes]:
        """Take the payloads of whole frames out of what has come; pings are answered."""
        while len(self._buffer) >= 2:
            opcode, length = self._buffer[0] & 0x0F, self._buffer[1]
            start = 2
            if length == 126:
                start = 4
                if len(self._buffer) < start:
                    return
                (length,) = struct.unpack_from("!H", self._buffer, 2)
            if length == 127:
                raise UnexpectedError("a frame of more than 64 KiB")
            end = start + length
            if len(self._buffer) < end:
                return
            payload, self._buffer = self._buffer[start:end], self._buffer[end:]
            if opcode == 2:
                yield payload
            elif opcode == 9:
                self.socket.sendall(masked(payload, 0x8A))
            elif opcode == 8:
                raise UnexpectedError("the connection was closed")


def masked(payload: bytes, first: int = 0x82) -> bytes:
    """Return a client's WebSocket frame; its mask is zero, so the payload stays as it is."""
    if len(payload) < 126:
        return bytes((first, 0x80 | len(payload))) + bytes(4) + payload
    return bytes((first, 0xFE)) + struct.pack("!H", len(payload)) + bytes(4) + payload


def unmasked(payload: bytes) -> bytes:
    """Return a server's WebSocket frame."""
    if len(payload) < 126:
        return bytes((0x82, len(payload))) + payload
    return b"\x82\x7e" + struct.pack("!H", len(payload)) + payload


def payload(frame: bytes) -> bytes:
    """Return what is in a server's WebSocket frame."""
    return frame[4 if frame[1] == 126 else 2 :]
