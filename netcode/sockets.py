"""Websockets as wires, and where a server listens for them: TCP with TLS or without, or a path.

The only module on the host's side that knows the websockets library. It knows no message.
"""

import asyncio
import contextlib
import errno
import logging
import os
import socket
import ssl
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from websockets.asyncio.connection import Connection, broadcast
from websockets.asyncio.server import Server as WebSocketServer
from websockets.asyncio.server import ServerConnection, serve, unix_serve
from websockets.exceptions import ConnectionClosed

from engine.words import N_, ExplainedError
from netcode.address import Address
from netcode.codec import FROM_CLIENT
from netcode.wire import Wire, WireClosedError

LONGEST_FRAME: Final = 8 * FROM_CLIENT.frame
"""Bytes; a frame too long for the codec is refused with a reason, one beyond this is not read."""

READ_AHEAD: Final = 4
"""Frames of a peer that wait to be read; beyond, it is made to wait itself."""

OPEN_TIMEOUT_S: Final = 5.0
"""Time for a connection to become a websocket; until then it costs us and says nothing."""

PING_INTERVAL_S: Final = 10.0
"""Between two questions whether a peer is still there; half of the grace of those away."""

PING_TIMEOUT_S: Final = 10.0
"""How long it may take to answer that."""

CLOSE_TIMEOUT_S: Final = 2.0
"""How long a peer may take to agree to an end before it is cut off."""

SOCKET_MODE: Final = 0o666
"""Of a unix socket: the folder that it is in decides who gets to it."""

wire_log = logging.getLogger("netcode.wire")
# At DEBUG websockets would log frames, and with them keys and cards.
wire_log.setLevel(logging.INFO)


class ListenError(ExplainedError):
    """Why a server cannot listen where it is to, as a sentence."""


class WebSocketWire:
    """A websocket, of a server or of a client, as a wire."""

    __slots__ = ("_connection",)

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @property
    def peer(self) -> str:
        """The machine at the other end; empty on a unix socket, and if it has gone already."""
        remote = self._connection.remote_address
        return str(remote[0]) if isinstance(remote, tuple) else ""

    @property
    def waiting(self) -> int:
        """How many bytes the system has not taken yet."""
        return self._connection.transport.get_write_buffer_size()

    def send(self, frame: bytes) -> None:
        """Send a frame without waiting; on a connection that has ended it is lost."""
        broadcast((self._connection,), frame)

    async def drain(self) -> None:
        """Wait until there is room for more; raises WireClosedError."""
        await self._connection.drain()
        if self._connection.transport.is_closing():
            raise WireClosedError

    async def receive(self) -> bytes | str:
        """Return the next frame, a text if it was sent as one; raises WireClosedError."""
        try:
            return await self._connection.recv()
        except ConnectionClosed:
            raise WireClosedError from None

    async def ping(self) -> float:
        """Ask for a sign of life; return the seconds that took; raises WireClosedError."""
        try:
            return await (await self._connection.ping())
        except ConnectionClosed:
            raise WireClosedError from None

    async def close(self, code: int = 1000) -> None:
        """End the connection after what was sent, with a WebSocket close code."""
        await self._connection.close(code)

    def abort(self) -> None:
        """End the connection at once."""
        self._connection.transport.abort()


async def open_tcp(bind: str | None, port: int) -> list[socket.socket]:
    """Return listening sockets, all on one port; raises ListenError.

    Args:
        bind: An address or a name of this machine; None for all, of IPv4 and of IPv6.
        port: 0 for any that is free.
    """
    opened: list[socket.socket] = []
    try:
        if bind is None:
            return [_open_all(port)]
        loop = asyncio.get_running_loop()
        for family, _, _, _, address in await loop.getaddrinfo(
            bind, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            at = (address[0], port, *address[2:])
            opened.append(socket.create_server(at, family=family))
            port = opened[0].getsockname()[1]
    except OSError as error:
        for each in opened:
            each.close()
        raise _why_not_open(error, bind, port) from error
    return opened


def open_unix(path: Path) -> socket.socket:
    """Return a socket that listens at a path; raises ListenError.

    What a server that was killed has left there is replaced.
    """
    opened = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        if _is_left_over(path):
            path.unlink()
        opened.bind(str(path))
        os.chmod(path, SOCKET_MODE)
        opened.listen()
    except OSError as error:
        opened.close()
        raise _why_not_at(error, path) from error
    return opened


class Listener:
    """Serves whoever connects to a listening socket, until it is closed."""

    def __init__(self, server: WebSocketServer, listening: socket.socket) -> None:
        self._server = server
        name = listening.getsockname()
        self._path = name if listening.family == socket.AF_UNIX else None
        self.address = None if self._path is not None else Address(*name[:2])
        """Where on TCP it listens, if it does."""

    async def close(self) -> None:
        """Listen no more, and end the connections that are left."""
        self._server.close()
        if self._path is not None:
            with contextlib.suppress(OSError):
                os.unlink(self._path)
        await self._server.wait_closed()


async def listen(
    handle: Callable[[Wire], Awaitable[None]],
    listening: socket.socket,
    context: ssl.SSLContext | None = None,
    backlog: int = 16,
) -> Listener:
    """Serve whoever connects to a socket.

    Args:
        handle: Serves one connection until it ends.
        listening: Of `open_tcp` or `open_unix`.
        context: For TLS; without one, nothing is encrypted.
        backlog: How many connections may wait to be accepted.
    """

    async def handle_socket(connection: ServerConnection) -> None:
        await handle(WebSocketWire(connection))

    serve_socket = unix_serve if listening.family == socket.AF_UNIX else serve
    server = await serve_socket(
        handle_socket,
        sock=listening,
        ssl=context,
        backlog=backlog,
        open_timeout=OPEN_TIMEOUT_S,
        # A browser says where its page is from; no page has a business here.
        origins=[None],
        compression=None,
        max_size=LONGEST_FRAME,
        max_queue=READ_AHEAD,
        ping_interval=PING_INTERVAL_S,
        ping_timeout=PING_TIMEOUT_S,
        close_timeout=CLOSE_TIMEOUT_S,
        server_header=None,
        logger=wire_log,
    )
    return Listener(server, listening)


def _is_left_over(path: Path) -> bool:
    """Whether there is a socket at a path to which nobody listens."""
    if not path.is_socket():
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            return True
    return False


def _why_not_at(error: OSError, path: Path) -> ListenError:
    if error.errno == errno.EADDRINUSE:
        return ListenError(
            N_("There is something at {path} already: take another path for the socket."),
            path=str(path),
        )
    return ListenError(
        N_("A table cannot be opened at {path}: {why}."),
        path=str(path),
        why=error.strerror or str(error),
    )


def _open_all(port: int) -> socket.socket:
    """Listen on every address of this machine."""
    if socket.has_dualstack_ipv6():
        try:
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
        except OSError as error:
            # Compiled in, but switched off on this machine.
            if error.errno not in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL):
                raise
    return socket.create_server(("", port))


def _why_not_open(error: OSError, bind: str | None, port: int) -> ListenError:
    if error.errno == errno.EADDRINUSE:
        return ListenError(
            N_("Port {port} is in use: another table may be open. Choose another port."), port=port
        )
    if error.errno == errno.EACCES:
        return ListenError(
            N_("Port {port} is not for everybody: choose one above 1023."), port=port
        )
    if bind is not None and (
        isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
    ):
        return ListenError(N_("This machine has no address {address}."), address=bind)
    return ListenError(
        N_("Cannot listen on port {port}: {why}."), port=port, why=error.strerror or str(error)
    )
