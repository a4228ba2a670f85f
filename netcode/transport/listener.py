"""Accepts whoever connects to a listening socket, and bounds who is not yet what they came for.

Who may begin is decided before TLS, which is a signature and, until it is done, hundreds of
kilobytes. What becomes of a socket is whose listener it is to say.
"""

import asyncio
import contextlib
import logging
import os
import socket
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeAlias

from netcode.tracebacks import described
from netcode.transport.address import Address
from netcode.transport.handshake_limits import HandshakeLimits
from netcode.transport.sockets import host_of

ACCEPT_AGAIN_S: Final = 1.0
"""Seconds before another socket is accepted if the system has no more of them."""

Serve: TypeAlias = Callable[[socket.socket, str, Callable[[], object]], Awaitable[None]]
"""Serves a socket from a machine until it ends or this is cancelled, and closes it.

What it is given last is called once the socket is what it came for: until then it is one of those
of whom, if there are too many, the oldest is ended.
"""

_log = logging.getLogger(__name__)


class Listener:
    """Has whoever connects to a listening socket served, until it is closed."""

    def __init__(
        self,
        serve: Serve,
        listening: socket.socket,
        *,
        limits: HandshakeLimits,
        backlog: int = 64,
    ) -> None:
        """Listen from now on: `limits` says who may begin, and `backlog` how many may wait."""
        name = listening.getsockname()
        self._path = name if isinstance(name, str) else None
        self.address = None if self._path is not None else Address(*name[:2])
        """Where on TCP it listens, if it does."""
        self._serve = serve
        self._listening = listening
        self._limits = limits
        self._present: set[asyncio.Task[None]] = set()
        """All that there are, from the moment they are accepted."""
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

    def adopt(self, connected: socket.socket, machine: str) -> None:
        """Serve a socket that is connected to a machine, unless too many come from there."""
        loop = asyncio.get_running_loop()
        if self._limits.admit(machine, loop.time()):
            task = loop.create_task(self._attend(connected, machine))
            self._present.add(task)
            task.add_done_callback(self._present.discard)
        else:
            connected.close()

    async def _attend(self, connected: socket.socket, machine: str) -> None:
        task = asyncio.current_task()
        assert task is not None
        handshake = self._limits.add(machine, task.cancel)
        try:
            await self._serve(connected, machine, partial(self._limits.remove, handshake))
        except (OSError, asyncio.CancelledError):
            # Whoever it is, they have given up, or were given up.
            pass
        except Exception as error:
            _log.error("a connection failed with %s", described(error))
        finally:
            self._limits.remove(handshake)
