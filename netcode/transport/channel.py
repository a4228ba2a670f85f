"""Defines the interface of a connection, for server and client: frames in, frames out, and the end.

`websocket.py` makes channels of websockets. `memory_channel` connects two ends in one program.
"""

import asyncio
from typing import Final, Protocol

CLOSE_TIMEOUT_S: Final = 2.0
"""Seconds to wait for a peer to confirm the end of a connection."""


class ChannelClosedError(Exception):
    """Raised if the connection has ended. No more frames arrive or are sent."""


class Channel(Protocol):
    """One end of a connection. Only one task at a time may receive from it."""

    @property
    def peer(self) -> str:
        """The address of the machine at the other end, for counting connections.

        It is "" on a unix socket, and on a connection within this program.
        """

    @property
    def local(self) -> str:
        """The address of this machine on this connection.

        It is "" on a unix socket, and on a connection within this program.
        """

    @property
    def ports(self) -> tuple[int, int]:
        """The ports of this end and of the other end; 0 for an end without a port."""

    @property
    def certificate(self) -> bytes:
        """The certificate, in DER, of the server at the other end; empty without encryption."""

    def send(self, frame: bytes) -> None:
        """Send a frame without waiting. After the end of the connection it is discarded."""

    async def receive(self) -> bytes | str:
        """Return the next frame, as `str` if it was sent as text.

        Raises ChannelClosedError if the connection has ended and no frame is left.
        """

    async def ping(self) -> float:
        """Send a ping; return the seconds until its answer. Only one task at a time may do so.

        There is no time limit. Raises ChannelClosedError if the connection ends before the answer.
        """

    async def close(self, code: int = 1000) -> None:
        """Close the connection with a WebSocket close code, after all earlier frames were sent."""

    def abort(self) -> None:
        """End the connection at once."""


class _MemoryChannelEnd:
    """One end of a connection within a program."""

    def __init__(self) -> None:
        self.other: _MemoryChannelEnd
        self._came: asyncio.Queue[bytes | None] = asyncio.Queue()
        """Unread frames from the other end. None marks the end of the connection."""
        self._closed = False

    peer = local = ""
    ports = 0, 0
    certificate = b""

    def send(self, frame: bytes) -> None:
        if not self._closed:
            self.other._came.put_nowait(frame)

    async def receive(self) -> bytes:
        frame = await self._came.get()
        if frame is None:
            self._came.put_nowait(None)
            raise ChannelClosedError
        return frame

    async def ping(self) -> float:
        if self._closed:
            raise ChannelClosedError
        return 0.0

    async def close(self, code: int = 1000) -> None:
        self._end()

    def abort(self) -> None:
        while not self._came.empty():
            self._came.get_nowait()
        self._came.put_nowait(None)
        self._end()

    def _end(self) -> None:
        for end in (self, self.other):
            if not end._closed:
                end._closed = True
                end._came.put_nowait(None)


def memory_channel() -> tuple[Channel, Channel]:
    """Return both ends of a connection within this program."""
    one, other = _MemoryChannelEnd(), _MemoryChannelEnd()
    one.other, other.other = other, one
    return one, other
