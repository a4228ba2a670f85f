"""Accepts connections on listening sockets, and limits unfinished handshakes.

The limits apply before TLS: an unfinished TLS handshake costs a signature and hundreds of
kilobytes. The owner of a listener brings the function that serves the sockets. `peers.py` counts
finished connections.
"""

import asyncio
import contextlib
import logging
import os
import socket
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeAlias

from msgspec import Struct

from netcode.limits import ARRIVALS, ARRIVALS_AT_ONCE, Buckets, Rate, spend
from netcode.tracebacks import error_line
from netcode.transport.address import Address, network_of
from netcode.transport.freed_memory import return_freed_memory
from netcode.transport.sockets import host_of

ACCEPT_AGAIN_S: Final = 1.0
"""Seconds before the next attempt to accept, after the system had no free sockets."""

RETURN_MEMORY_S: Final = 60.0
"""Seconds from the end of a connection until its memory is returned to the system. Returning it
takes milliseconds, so it is done once for all connections that end in this time.
"""

ServeSocket: TypeAlias = Callable[[socket.socket, str, Callable[[], object]], Awaitable[None]]
"""A function that serves a socket until its end, and then closes it.

Its second argument is the address of the peer's machine. It must call its third argument when the
handshake is complete. Until then `HandshakeLimits` counts the socket and may end it.
"""

_log = logging.getLogger(__name__)


class Handshake(Struct, eq=False):
    """A socket whose handshake is not complete."""

    network: str
    """The network of the socket, as `address.network_of` returns it."""
    abort: Callable[[], object]
    """Ends the socket without an answer."""


class HandshakeLimits:
    """Limits the rate of new sockets and the number of simultaneous handshakes.

    If too many handshakes are open, it ends the oldest, which is the least likely to complete.
    """

    def __init__(self, most: int, most_from_one: int) -> None:
        """Set the maximum number of handshakes, of all networks and of one network."""
        self._most = most
        self._most_from_one = most_from_one
        self._handshakes: dict[Handshake, None] = {}
        """All handshakes, oldest first."""
        self._from = Counter[str]()
        """Number of handshakes of each network."""
        burst = min(most_from_one * ARRIVALS.burst, ARRIVALS_AT_ONCE)
        self._arrivals = Buckets(Rate(most_from_one * ARRIVALS.per_s, burst))

    def __len__(self) -> int:
        return len(self._handshakes)

    def admit(self, host: str, now: float) -> bool:
        """Count a new socket, and return True if it may begin its handshake.

        A unix socket, for which `host` is empty, always may.
        """
        return not spend(now, self._arrivals.of(network_of(host), now))

    def add(self, host: str, abort: Callable[[], object]) -> Handshake:
        """Begin a handshake; `abort` ends it without an answer.

        If there are too many, altogether or from one network, the oldest is aborted.
        """
        handshake = Handshake(network_of(host), abort)
        self._handshakes[handshake] = None
        self._from[handshake.network] += 1
        if handshake.network and self._from[handshake.network] > self._most_from_one:
            self._end(next(each for each in self._handshakes if each.network == handshake.network))
        if len(self) > self._most:
            self._end(next(iter(self._handshakes)))
        return handshake

    def remove(self, handshake: Handshake) -> None:
        """Remove a handshake that completed or ended."""
        if handshake in self._handshakes:
            del self._handshakes[handshake]
            self._from[handshake.network] -= 1
            if not self._from[handshake.network]:
                del self._from[handshake.network]

    def _end(self, handshake: Handshake) -> None:
        self.remove(handshake)
        handshake.abort()


class Listener:
    """Accepts connections on a listening socket and serves them, until it is closed."""

    def __init__(
        self,
        serve: ServeSocket,
        listening: socket.socket,
        *,
        limits: HandshakeLimits,
        backlog: int = 64,
        collects: bool = False,
    ) -> None:
        """Start to listen.

        `limits` bounds the handshakes, and `backlog` is the length of the accept queue. With
        `collects`, reference cycles are collected after connections have ended.
        """
        name = listening.getsockname()
        self._path = name if isinstance(name, str) else None
        self.address = None if self._path is not None else Address(host_of(name), name[1])
        """The TCP address of the listening socket; None for a unix socket."""
        self._serve = serve
        self._listening = listening
        self._limits = limits
        self._present: set[asyncio.Task[None]] = set()
        """The tasks of all accepted sockets."""
        self._collects = collects
        self._returning: asyncio.Handle | None = None
        """The timer that returns the memory of ended connections; None if it is not set."""
        listening.setblocking(False)
        listening.listen(backlog)
        self._accepting = asyncio.create_task(self._accept())

    async def stop(self) -> None:
        """Stop listening, and delete the file of a unix socket. Open connections continue."""
        if self._accepting.done():
            return
        # Cancel only a waiting accept: a socket that is accepted during cancellation would be lost.
        with contextlib.suppress(NotImplementedError):
            asyncio.get_running_loop().remove_reader(self._listening)
        await asyncio.sleep(0)
        self._accepting.cancel()
        await asyncio.wait([self._accepting])
        self._listening.close()
        if self._path is not None:
            with contextlib.suppress(OSError):
                os.unlink(self._path)

    async def close(self) -> None:
        """Stop listening, and end all connections."""
        await self.stop()
        left = set(self._present)
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left)
        if self._returning is not None:
            self._returning.cancel()

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, address = await loop.sock_accept(self._listening)
            except ConnectionError:
                # The peer closed the connection before it was accepted.
                continue
            except OSError as error:
                _log.error("no connection can be accepted: %s", error.strerror)
                await asyncio.sleep(ACCEPT_AGAIN_S)
                continue
            self.adopt(accepted, host_of(address))
            # Accept one socket in each turn of the event loop, so that a flood does not delay other
            # peers.
            await asyncio.sleep(0)

    def adopt(
        self, connected: socket.socket, machine: str, limits: HandshakeLimits | None = None
    ) -> None:
        """Serve a connected socket of a machine; close it if the machine's network opens too many.

        The socket counts towards `limits`; with None, towards the limits of accepted sockets.
        """
        loop = asyncio.get_running_loop()
        limits = self._limits if limits is None else limits
        if limits.admit(machine, loop.time()):
            task = loop.create_task(self._attend(connected, machine, limits))
            self._present.add(task)
            task.add_done_callback(self._ended)
        else:
            connected.close()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._present.discard(task)
        if self._returning is None:
            loop = asyncio.get_running_loop()
            self._returning = loop.call_later(RETURN_MEMORY_S, self._return_memory)

    def _return_memory(self) -> None:
        self._returning = None
        # Use a thread, so that the event loop continues meanwhile.
        loop = asyncio.get_running_loop()
        loop.run_in_executor(None, partial(return_freed_memory, collects=self._collects))

    async def _attend(
        self, connected: socket.socket, machine: str, limits: HandshakeLimits
    ) -> None:
        task = asyncio.current_task()
        assert task is not None
        handshake = limits.add(machine, task.cancel)
        try:
            await self._serve(connected, machine, partial(limits.remove, handshake))
        except (OSError, asyncio.CancelledError):
            # The peer has given up, or its handshake was ended.
            pass
        except Exception as error:
            _log.error("a connection failed with %s", error_line(error))
        finally:
            limits.remove(handshake)
