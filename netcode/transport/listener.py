"""Accepts whoever connects to a listening socket, and bounds who is not yet what they came for.

Who may begin is decided before TLS, which is a signature and, until it is done, hundreds of
kilobytes. What becomes of a socket is whose listener it is to say; what has become a connection is
counted by `peers.py`.
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
from netcode.tracebacks import described
from netcode.transport.address import Address, network_of
from netcode.transport.freed_memory import return_freed_memory
from netcode.transport.sockets import host_of

ACCEPT_AGAIN_S: Final = 1.0
"""Seconds before another socket is accepted if the system has no more of them."""

RETURN_MEMORY_S: Final = 60.0
"""Seconds after the end of a connection in which the memory of all that end is returned at once.

Returning it takes a few milliseconds."""

Serve: TypeAlias = Callable[[socket.socket, str, Callable[[], object]], Awaitable[None]]
"""Serves a socket from a machine until it ends or this is cancelled, and closes it.

What it is given last is called once the socket is what it came for: until then it is one of those
of whom, if there are too many, the oldest is ended.
"""

_log = logging.getLogger(__name__)


class Handshake(Struct, eq=False):
    """A socket that is not yet what it came for."""

    network: str
    """Where it comes from, as `address.network_of` names it."""
    abort: Callable[[], object]
    """Ends it without a word."""


class HandshakeLimits:
    """Bounds how fast sockets come and how many handshakes go on at once.

    Of too many the oldest is ended: it is the least likely to be completed.
    """

    def __init__(self, most: int, most_from_one: int) -> None:
        """Begin without any; so many may go on at once, and so many of them from one network."""
        self._most = most
        self._most_from_one = most_from_one
        self._handshakes: dict[Handshake, None] = {}
        """All handshakes, the oldest first."""
        self._from = Counter[str]()
        """How many there are, by network."""
        burst = min(most_from_one * ARRIVALS.burst, ARRIVALS_AT_ONCE)
        self._arrivals = Buckets(Rate(most_from_one * ARRIVALS.per_s, burst))

    def __len__(self) -> int:
        return len(self._handshakes)

    def admit(self, host: str, now: float) -> bool:
        """Return whether a new socket may go on; one of this machine (without a host) may."""
        return not spend(now, self._arrivals.of(network_of(host), now))

    def add(self, host: str, abort: Callable[[], object]) -> Handshake:
        """Begin a handshake; `abort` ends it without a word."""
        handshake = Handshake(network_of(host), abort)
        self._handshakes[handshake] = None
        self._from[handshake.network] += 1
        if handshake.network and self._from[handshake.network] > self._most_from_one:
            self._end(next(each for each in self._handshakes if each.network == handshake.network))
        if len(self) > self._most:
            self._end(next(iter(self._handshakes)))
        return handshake

    def remove(self, handshake: Handshake) -> None:
        """Forget a handshake that is completed, or has ended."""
        if handshake in self._handshakes:
            del self._handshakes[handshake]
            self._from[handshake.network] -= 1
            if not self._from[handshake.network]:
                del self._from[handshake.network]

    def _end(self, handshake: Handshake) -> None:
        self.remove(handshake)
        handshake.abort()


class Listener:
    """Has whoever connects to a listening socket served, until it is closed."""

    def __init__(
        self,
        serve: Serve,
        listening: socket.socket,
        *,
        limits: HandshakeLimits,
        backlog: int = 64,
        collects: bool = False,
    ) -> None:
        """Listen from now on: `limits` says who may begin, and `backlog` how many may wait.

        With `collects`, ended connections leave reference cycles, which only a collection frees.
        """
        name = listening.getsockname()
        self._path = name if isinstance(name, str) else None
        self.address = None if self._path is not None else Address(host_of(name), name[1])
        """Where on TCP it listens, if it does."""
        self._serve = serve
        self._listening = listening
        self._limits = limits
        self._present: set[asyncio.Task[None]] = set()
        """All that there are, from the moment they are accepted."""
        self._collects = collects
        self._returning: asyncio.Handle | None = None
        """Returns the memory of connections that have ended."""
        listening.setblocking(False)
        listening.listen(backlog)
        self._accepting = asyncio.create_task(self._accept())

    async def stop(self) -> None:
        """Listen no more; connections go on."""
        if self._accepting.done():
            return
        # A socket that is accepted as the task is cancelled would be lost.
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
        """Listen no more, and end the connections that are left."""
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
                # Gone before it was accepted.
                continue
            except OSError as error:
                _log.error("no connection can be accepted: %s", error.strerror)
                await asyncio.sleep(ACCEPT_AGAIN_S)
                continue
            self.adopt(accepted, host_of(address))
            # One in a turn of the loop: of a flood others notice no more than that.
            await asyncio.sleep(0)

    def adopt(
        self, connected: socket.socket, machine: str, limits: HandshakeLimits | None = None
    ) -> None:
        """Serve a socket that is connected to a machine, unless too many come from there.

        It counts against `limits`; without them, against those of the accepted sockets.
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
        # In a thread, so that the loop goes on while the C library is at it.
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
            # Whoever it is, they have given up, or were given up.
            pass
        except Exception as error:
            _log.error("a connection failed with %s", described(error))
        finally:
            limits.remove(handshake)
