"""Websockets as channels, and where a server listens for them: TCP with TLS or without, or a path.

What goes around the websockets library is in `websockets_internals.py`.
"""

import asyncio
import contextlib
import errno
import logging
import os
import socket
import ssl
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.server import ServerConnection, broadcast, serve, unix_serve
from websockets.exceptions import ConnectionClosed

from engine.words import N_, ExplainedError
from netcode.protocol.codec import FROM_CLIENT
from netcode.protocol.rate_limit import FRAMES, Rate, TokenBucket
from netcode.tracebacks import described
from netcode.transport.address import DEFAULT_PORT, Address
from netcode.transport.channel import CLOSE_TIMEOUT_S, Channel, ChannelClosedError, Take
from netcode.transport.connection_limits import ConnectionLimits
from netcode.transport.running_clock import RunningClock
from netcode.transport.websockets_internals import (
    AcceptedSocket,
    ServedConnection,
    ServedConnections,
    host_of,
)

LONGEST_FRAME: Final = 4 * FROM_CLIENT.frame
"""Longest frame that is read, in bytes; one too long for the codec is refused with a reason.

Less than `BYTES_A_FRAME` lets through at once, or it would be cut off without that reason."""

READ_AHEAD: Final = 4
"""Most frames of a peer that wait to be read; beyond that the peer is made to wait."""

BYTES_A_FRAME: Final = 384
"""Bytes that a peer may send for each frame that it may send: as much as programs need at once that
play a sealed game without a pause, which is six times as much as an act takes elsewhere."""

CHECK_INTERVAL_S: Final = 2.5
"""Seconds between two checks for silent peers: a quarter of what is waited for."""

SOCKET_MODE: Final = 0o666
"""Mode of a unix socket: the folder that it is in decides who gets to it."""

_UNIX: Final[int] = getattr(socket, "AF_UNIX", -1)
"""Family of sockets at paths, for which no command asks where there are none."""

_log = logging.getLogger(__name__)

websockets_log = logging.getLogger("netcode.transport.websockets")
"""Logger of the websockets library; at DEBUG it would log frames, and with them keys and cards."""

websockets_log.setLevel(logging.INFO)


class ListenError(ExplainedError):
    """Why a server cannot listen where it is to, as a sentence."""


class WebSocketChannel:
    """A websocket, of a server or of a client, as a channel."""

    __slots__ = ("_connection",)

    def __init__(self, connection: ServerConnection | ClientConnection) -> None:
        self._connection = connection

    @property
    def peer(self) -> str:
        """The machine at the other end; empty on a unix socket, and if it has gone already."""
        return host_of(self._connection.remote_address)

    @property
    def local(self) -> str:
        """This machine's address on the way there; empty on a unix socket."""
        return host_of(self._connection.local_address)

    @property
    def certificate(self) -> bytes:
        """What the server at the other end has shown, in DER; empty if nothing is encrypted."""
        tls: ssl.SSLObject | None = self._connection.transport.get_extra_info("ssl_object")
        return (tls.getpeercert(binary_form=True) or b"") if tls is not None else b""

    @property
    def waiting(self) -> int:
        """How many bytes the system has not taken yet."""
        return self._connection.transport.get_write_buffer_size()

    def send(self, frame: bytes) -> None:
        """Send a frame without waiting; on a connection that has ended it is lost."""
        broadcast((self._connection,), frame)

    async def receive(self) -> bytes | str:
        """Return the next frame, a text if it was sent as one; raises ChannelClosedError."""
        try:
            return await self._connection.recv()
        except ConnectionClosed:
            raise ChannelClosedError from None

    async def ping(self) -> float:
        """Ask for a sign of life; return the seconds that took; raises ChannelClosedError."""
        try:
            return await (await self._connection.ping())
        except ConnectionClosed:
            raise ChannelClosedError from None

    async def close(self, code: int = 1000) -> None:
        """End the connection after what was sent, or at once if the peer does not agree in time."""
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await self._connection.close(code)
        except TimeoutError:
            self.abort()

    def abort(self) -> None:
        """End the connection at once."""
        self._connection.transport.abort()


class ServedChannel(WebSocketChannel):
    """A websocket of a server, as a channel that hands frames over as they come."""

    __slots__ = ()

    _connection: ServedConnection

    def send(self, frame: bytes) -> None:
        """Send a frame without waiting; on a connection that has ended it is lost."""
        self._connection.write(frame)

    async def receive(self) -> bytes | str:
        """Return the next frame that nobody took; raises ChannelClosedError."""
        # Not by way of the method above: thousands of connections wait in this one.
        self._connection.is_awaited = True
        try:
            return await self._connection.recv()
        except ConnectionClosed:
            raise ChannelClosedError from None
        finally:
            self._connection.is_awaited = False

    def hand_to(self, take: Take[Any], peer: object) -> None:
        """Offer each frame for which `receive` waits to `take`, as one of a peer."""
        self._connection.take, self._connection.peer = take, peer


async def open_tcp(bind: str | None, port: int) -> list[socket.socket]:
    """Return listening sockets on an address, a name or all of IPv4 and IPv6; raises ListenError.

    All are on one port, any that is free if that is 0.
    """
    opened: list[socket.socket] = []
    try:
        loop = asyncio.get_running_loop()
        if bind is None:
            opened.append(_open_all(port))
            found = []
        else:
            found = await loop.getaddrinfo(
                bind, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )
        for family, _, _, _, address in found:
            at = (address[0], port, *address[2:])
            opened.append(socket.create_server(at, family=family))
            port = opened[0].getsockname()[1]
    except OSError as error:
        for each in opened:
            each.close()
        raise _why_not_open(error, bind, port) from error
    for each in opened:
        # What they accept has it from them: asyncio sets it only where a socket names TCP.
        each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return opened


def open_unix(path: Path) -> socket.socket:
    """Return a socket at a path, also where a killed server left one; raises ListenError."""
    opened = socket.socket(_UNIX, socket.SOCK_STREAM)
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
    """Serves whoever connects to a listening socket, until it is closed.

    It finds silent peers itself: what websockets has for that is a task for each, and waits without
    end for a peer that does not take what was sent before.
    """

    def __init__(
        self,
        handle: Callable[[Channel], Awaitable[None]],
        listening: socket.socket,
        served: ServedConnections,
    ) -> None:
        name = listening.getsockname()
        self._path = name if isinstance(name, str) else None
        self.address = None if self._path is not None else Address(*name[:2])
        """Where on TCP it listens, if it does."""
        self._served = served
        self._handle = handle
        self._listening = listening

    async def begin(self, backlog: int) -> None:
        """Listen from now on."""
        begin = serve if self._path is None else unix_serve
        self._server = await begin(
            self._serve,
            sock=self._listening,
            backlog=backlog,
            create_connection=cast(type[ServerConnection], partial(AcceptedSocket, self._served)),
            # A browser says where its page is from; no page has a business here.
            origins=[None],
            compression=None,
            server_header=None,
            # Counted from the moment a socket is accepted, by the connection itself.
            open_timeout=None,
            ping_interval=None,
            close_timeout=CLOSE_TIMEOUT_S,
            max_size=LONGEST_FRAME,
            max_queue=READ_AHEAD,
            logger=websockets_log,
        )
        self._checking = asyncio.create_task(self._check_silence())

    async def stop(self) -> None:
        """Listen no more; connections go on."""
        self._served.is_closed = True
        self._server.close(close_connections=False)
        # The server closes its sockets in its own turn of the loop.
        await asyncio.sleep(0)
        if self._path is not None:
            with contextlib.suppress(OSError):
                os.unlink(self._path)

    async def close(self) -> None:
        """Listen no more, and end the connections that are left."""
        await self.stop()
        self._checking.cancel()
        for connection in list(self._served.present):
            connection.abort()
        await self._server.wait_closed()

    async def check_silence(self, now: float) -> None:
        """Ask those who are silent whether they are there, and end those who did not answer."""
        # A copy: who is asked may turn out to have gone.
        for connection in list(self._served.present):
            await connection.check_silence(now)

    async def _check_silence(self) -> None:
        loop, clock = asyncio.get_running_loop(), RunningClock()
        while True:
            stood_s = await clock.tick(CHECK_INTERVAL_S)
            for connection in self._served.present:
                # While nobody was here to listen, nobody was silent.
                connection.heard_at += stood_s
            await self.check_silence(loop.time())

    async def _serve(self, connection: ServerConnection) -> None:
        assert isinstance(connection, ServedConnection)
        connection.end_handshake()
        connection.forget_headers()
        try:
            await self._handle(ServedChannel(connection))
        except Exception as error:
            _log.error("a connection failed with %s", described(error))
        finally:
            connection.abort()


async def listen(
    handle: Callable[[Channel], Awaitable[None]],
    listening: socket.socket,
    context: ssl.SSLContext | None = None,
    *,
    limits: ConnectionLimits,
    backlog: int = 64,
    frames: Rate = FRAMES,
) -> Listener:
    """Serve whoever connects to a socket, with TLS if there is a context; return what does.

    `limits` says who may begin to connect, `backlog` how many may wait to be accepted, and `frames`
    how fast one connection may send.
    """
    bytes_ = Rate(BYTES_A_FRAME * frames.per_s, BYTES_A_FRAME * frames.burst)
    new_byte_limit = partial(TokenBucket, bytes_)
    listener = Listener(handle, listening, ServedConnections(context, limits, new_byte_limit))
    await listener.begin(backlog)
    return listener


def _is_left_over(path: Path) -> bool:
    """Whether there is a socket at a path to which nobody listens."""
    if not path.is_socket():
        return False
    with socket.socket(_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            return True
    return False


def _why_not_at(error: OSError, path: Path) -> ListenError:
    template = N_("A table cannot be opened at {path}: {why}.")
    if error.errno == errno.EADDRINUSE:
        template = N_("There is something at {path} already: take another path for the socket.")
    return ListenError(template, path=str(path), why=error.strerror or str(error))


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
    no_address = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
    template = N_("Cannot listen on port {port}: {why}. Try driflamme doctor.")
    if error.errno == errno.EADDRINUSE:
        template = N_(
            "Port {port} is in use, perhaps by another table: choose one that is free with --port, "
            "as in driflamme host --port {other}."
        )
    elif error.errno == errno.EACCES and port < 1024:
        template = N_("Port {port} is not for everybody: choose one above 1023.")
    elif bind is not None and no_address:
        template = N_("This machine has no address {address}.")
    why = error.strerror or str(error)
    other = DEFAULT_PORT + (port == DEFAULT_PORT)
    return ListenError(template, port=port, other=other, address=bind or "", why=why)
