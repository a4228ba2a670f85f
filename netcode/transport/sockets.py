"""The sockets on which a server listens, and a client's websocket as a channel.

A server's websockets are in `served_websocket.py`.
"""

import asyncio
import errno
import logging
import os
import socket
import ssl
from pathlib import Path
from typing import Final

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.server import broadcast
from websockets.exceptions import ConnectionClosed

from engine.words import N_, ExplainedError
from netcode.transport.address import DEFAULT_PORT
from netcode.transport.channel import CLOSE_TIMEOUT_S, ChannelClosedError

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
    """A client's websocket as a channel."""

    __slots__ = ("_connection",)

    def __init__(self, connection: ClientConnection) -> None:
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
        template = N_("Port {port} needs administrator rights: choose one above 1023.")
    elif bind is not None and no_address:
        template = N_("This machine has no address {address}.")
    why = error.strerror or str(error)
    other = DEFAULT_PORT + (port == DEFAULT_PORT)
    return ListenError(template, port=port, other=other, address=bind or "", why=why)


def host_of(address: object) -> str:
    """Return the host of a socket's address; empty for a unix socket."""
    return str(address[0]) if isinstance(address, tuple) else ""
