"""Serves whoever connects to a listening socket, each from the moment it is accepted.

Who may begin is decided before TLS, which is a signature and, until it is done, hundreds of
kilobytes.
"""

import asyncio
import contextlib
import logging
import os
import socket
import ssl
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from netcode.limits import BYTES_A_FRAME, FRAMES, Rate, TokenBucket
from netcode.tracebacks import described
from netcode.transport.address import Address
from netcode.transport.channel import CLOSE_TIMEOUT_S, Channel
from netcode.transport.handshake_limits import HandshakeLimits
from netcode.transport.running_clock import RunningClock
from netcode.transport.served_websocket import ServedWebSocket
from netcode.transport.sockets import host_of

OPEN_TIMEOUT_S: Final = 5.0
"""Seconds for a socket to become a websocket; until then it costs us and says nothing."""

CHECK_INTERVAL_S: Final = 2.5
"""Seconds between two checks for silent peers: a quarter of what is waited for."""

ACCEPT_AGAIN_S: Final = 1.0
"""Seconds before another socket is accepted if the system has no more of them."""

Route: TypeAlias = Callable[[socket.socket, str], Awaitable[bool]]
"""Looks at a socket before anything else, and where it comes from; whether it is to be served.

Of one that is not, it sees to the end."""

_log = logging.getLogger(__name__)


class Listener:
    """Serves whoever connects to a listening socket, until it is closed."""

    def __init__(
        self,
        handle: Callable[[Channel], Awaitable[None]],
        listening: socket.socket,
        context: ssl.SSLContext | None = None,
        *,
        limits: HandshakeLimits,
        backlog: int = 64,
        frames: Rate = FRAMES,
        route: Route | None = None,
    ) -> None:
        """Listen from now on, with TLS if there is a context.

        `limits` says who may begin to connect, `backlog` how many may wait to be accepted, and
        `frames` how fast one connection may send. What `route` takes is not served here.
        """
        name = listening.getsockname()
        self._path = name if isinstance(name, str) else None
        self.address = None if self._path is not None else Address(*name[:2])
        """Where on TCP it listens, if it does."""
        self._handle = handle
        self._listening = listening
        self._context = context
        self._limits = limits
        self._route = route
        self._bytes = Rate(BYTES_A_FRAME * frames.per_s, BYTES_A_FRAME * frames.burst)
        self._present: dict[asyncio.Task[None], ServedWebSocket] = {}
        """All that there are, also those that are no websockets yet, each with what serves it."""
        listening.setblocking(False)
        listening.listen(backlog)
        self._accepting = asyncio.create_task(self._accept())
        self._checking = asyncio.create_task(self._check_silence())

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
        self._checking.cancel()
        left = dict(self._present)
        for task, websocket in left.items():
            websocket.abort()
            if not websocket.opened.done():
                task.cancel()
        if left:
            await asyncio.wait(left)

    def check_silence(self, now: float) -> None:
        """Ask those who are silent whether they are there, and end those who did not answer."""
        for websocket in self._present.values():
            websocket.check_silence(now)

    async def _check_silence(self) -> None:
        loop, clock = asyncio.get_running_loop(), RunningClock()
        while True:
            stood_s = await clock.tick(CHECK_INTERVAL_S)
            for websocket in self._present.values():
                # While nobody was here to listen, nobody was silent.
                websocket.heard_at += stood_s
            self.check_silence(loop.time())

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

    def adopt(self, connected: socket.socket, host: str) -> None:
        """Serve a socket that is connected to a machine, unless too many come from there."""
        loop = asyncio.get_running_loop()
        if self._limits.admit(host, loop.time()):
            websocket = ServedWebSocket(host, TokenBucket(self._bytes))
            task = loop.create_task(self._serve(connected, websocket))
            self._present[task] = websocket
            task.add_done_callback(self._present.pop)
        else:
            connected.close()

    async def _serve(self, accepted: socket.socket, websocket: ServedWebSocket) -> None:
        try:
            if await self._opened(accepted, websocket):
                await self._handle(websocket)
        except (OSError, asyncio.CancelledError):
            # Whoever it is, they have given up, or were given up.
            pass
        except Exception as error:
            _log.error("a connection failed with %s", described(error))
        finally:
            websocket.abort()

    async def _opened(self, accepted: socket.socket, websocket: ServedWebSocket) -> bool:
        """Make a websocket of a socket; return whether one has come of it, or raise OSError."""
        task = asyncio.current_task()
        assert task is not None
        handshake = self._limits.add(websocket.peer, task.cancel)
        timeouts = {
            "ssl_handshake_timeout": OPEN_TIMEOUT_S,
            "ssl_shutdown_timeout": CLOSE_TIMEOUT_S,
        }
        try:
            async with asyncio.timeout(OPEN_TIMEOUT_S):
                if self._route is not None and not await self._route(accepted, websocket.peer):
                    return False
                await asyncio.get_running_loop().connect_accepted_socket(
                    lambda: websocket,
                    accepted,
                    ssl=self._context,
                    **(timeouts if self._context is not None else {}),
                )
                return await websocket.opened
        finally:
            self._limits.remove(handshake)
