"""A connection as both sides' shells see it: frames in, frames out, and how to be rid of it.

`sockets.py` makes channels of websockets, `memory_channel` of nothing but memory.
"""

import asyncio
from typing import Final, Protocol

CLOSE_TIMEOUT_S: Final = 2.0
"""Seconds that a peer may take to agree to an end before it is cut off."""


class ChannelClosedError(Exception):
    """The connection has ended; nothing comes from it any more, and nothing gets through."""


class Channel(Protocol):
    """One connection, at one of its ends. Only one task reads it."""

    @property
    def peer(self) -> str:
        """The machine at the other end, for counting connections; empty if that means nothing."""

    @property
    def local(self) -> str:
        """This machine's address on the way there; empty if that means nothing."""

    @property
    def ports(self) -> tuple[int, int]:
        """The ports of this end and of the other as seen here; zeros if that means nothing."""

    @property
    def certificate(self) -> bytes:
        """What the server at the other end has shown, in DER; empty if nothing is encrypted."""

    def send(self, frame: bytes) -> None:
        """Send a frame without waiting; on a connection that has ended it is lost."""

    async def receive(self) -> bytes | str:
        """Return the next frame, a text if it was sent as one; raises ChannelClosedError."""

    async def ping(self) -> float:
        """Ask the other end for a sign of life, as one task does at a time.

        Return the seconds that took, however many; raises ChannelClosedError.
        """

    async def close(self, code: int = 1000) -> None:
        """End the connection after what was sent, with a WebSocket close code."""

    def abort(self) -> None:
        """End the connection at once."""


class _MemoryChannelEnd:
    """One end of a connection within a program."""

    def __init__(self) -> None:
        self.other: _MemoryChannelEnd
        self._came: asyncio.Queue[bytes | None] = asyncio.Queue()
        """What came from the other end and was not read, and at its end None."""
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
    """Return the two ends of a connection within this program."""
    one, other = _MemoryChannelEnd(), _MemoryChannelEnd()
    one.other, other.other = other, one
    return one, other
