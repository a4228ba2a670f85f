"""Websockets as channels, and where a server listens for them: TCP with TLS or without, or a path.

The only module on the host's side that knows the websockets library, in the ways that its
documentation describes. It knows no message.
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
from websockets.protocol import State

from engine.words import N_, ExplainedError
from netcode.protocol.codec import FROM_CLIENT
from netcode.protocol.rate_limit import BURST, FRAMES_PER_S, TokenBucket
from netcode.tracebacks import described
from netcode.transport.address import Address
from netcode.transport.channel import CLOSE_TIMEOUT_S, Channel, ChannelClosedError
from netcode.transport.connection_limits import ConnectionLimits, Opening
from netcode.transport.running_clock import RunningClock

LONGEST_FRAME: Final = 8 * FROM_CLIENT.frame
"""Bytes; a frame too long for the codec is refused with a reason, one beyond this is not read."""

READ_AHEAD: Final = 4
"""Frames of a peer that wait to be read; beyond, it is made to wait itself."""

BYTES_A_FRAME: Final = 128
"""What a peer may send for each frame that it may send: twice as much as an act takes."""

OPEN_TIMEOUT_S: Final = 5.0
"""Time for a connection to become a websocket; until then it costs us and says nothing."""

PING_INTERVAL_S: Final = 10.0
"""Of silence before a peer is asked whether it is still there: half of the grace of those away."""

PING_TIMEOUT_S: Final = 10.0
"""How long it may take to answer that."""

LOOK_S: Final = 2.5
"""Between two looks for peers that are silent: a quarter of what is waited for."""

SOCKET_MODE: Final = 0o666
"""Of a unix socket: the folder that it is in decides who gets to it."""

_log = logging.getLogger(__name__)

websockets_log = logging.getLogger("netcode.transport.websockets")
# At DEBUG websockets would log frames, and with them keys and cards.
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
        return _machine_of(self._connection.remote_address)

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
        """End the connection after what was sent, with a WebSocket close code.

        A peer that does not agree in time, or does not even read so far, is cut off.
        """
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await self._connection.close(code)
        except TimeoutError:
            self.abort()

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
    """Serves whoever connects to a listening socket, until it is closed.

    It looks itself for peers that are gone, all of them at once: what websockets has for that is a
    task for each, and waits without end for a peer that does not take what was sent before.
    """

    def __init__(
        self,
        handle: Callable[[Channel], Awaitable[None]],
        listening: socket.socket,
        context: ssl.SSLContext | None,
        gate: ConnectionLimits,
        new_pace: Callable[[], TokenBucket],
    ) -> None:
        name = listening.getsockname()
        self._path = name if listening.family == socket.AF_UNIX else None
        self.address = None if self._path is not None else Address(*name[:2])
        """Where on TCP it listens, if it does."""
        self.context = context
        self.gate = gate
        self.new_pace = new_pace
        """Makes what counts the bytes of one connection."""
        self.connections: set[ServedConnection] = set()
        """All that there are, also those that are no websockets yet."""
        self.is_closed = False
        self._handle = handle
        self._listening = listening

    async def begin(self, backlog: int) -> None:
        """Listen from now on."""
        begin = serve if self._path is None else unix_serve
        self._server = await begin(
            self._serve,
            sock=self._listening,
            backlog=backlog,
            create_connection=cast(type[ServerConnection], partial(_Arrival, self)),
            # A browser says where its page is from; no page has a business here.
            origins=[None],
            compression=None,
            server_header=None,
            # An arrival's own counts from the first moment.
            open_timeout=None,
            ping_interval=None,
            close_timeout=CLOSE_TIMEOUT_S,
            max_size=LONGEST_FRAME,
            max_queue=READ_AHEAD,
            logger=websockets_log,
        )
        self._looking = asyncio.create_task(self._look_again())

    async def stop(self) -> None:
        """Listen no more; connections go on."""
        self.is_closed = True
        self._server.close(close_connections=False)
        # It does so when it is its turn.
        await asyncio.sleep(0)
        if self._path is not None:
            with contextlib.suppress(OSError):
                os.unlink(self._path)

    async def close(self) -> None:
        """Listen no more, and end the connections that are left."""
        await self.stop()
        self._looking.cancel()
        for connection in list(self.connections):
            connection.cut()
        await self._server.wait_closed()

    async def look(self, now: float) -> None:
        """Ask those who are silent whether they are there, and end those who did not answer."""
        # A copy: who is asked may turn out to have gone.
        for connection in list(self.connections):
            await connection.look(now)

    async def _look_again(self) -> None:
        loop, clock = asyncio.get_running_loop(), RunningClock()
        while True:
            stood_s = await clock.tick(LOOK_S)
            for connection in self.connections:
                # While nobody was here to listen, nobody was silent.
                connection.heard_at += stood_s
            await self.look(loop.time())

    async def _serve(self, connection: ServerConnection) -> None:
        assert isinstance(connection, ServedConnection)
        connection.leave_gate()
        for handshake in (connection.request, connection.response):
            if handshake is not None:
                # A fifth of the memory of a connection that says nothing.
                handshake.headers.clear()
        try:
            await self._handle(WebSocketChannel(connection))
        except Exception as error:
            _log.error("a connection failed with %s", described(error))
        finally:
            connection.cut()


class ServedConnection(ServerConnection):
    """A websocket that is cut off when more comes than is ever read, or nothing for too long."""

    def __init__(self, listener: Listener, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.cut: Callable[[], object]
        """Ends it at once, however far it has come."""
        self.heard_at = self.loop.time()
        """When something came last, of whatever kind."""
        self._listener = listener
        self._pace = listener.new_pace()
        """Of bytes. What cannot be made to wait by being read late is bounded by it: control
        frames, pieces of messages, and whatever comes in one go."""
        self._opening: tuple[Opening, asyncio.TimerHandle] | None = None
        """As long as it is no websocket."""

    def enter_gate(self, host: str, cut: Callable[[], object]) -> None:
        """Be on the way to become a websocket, which must not take too long."""
        self.cut = cut
        self._listener.connections.add(self)
        overdue = self.loop.call_later(OPEN_TIMEOUT_S, self._cut)
        self._opening = self._listener.gate.enter(host, self._cut), overdue

    def leave_gate(self) -> None:
        """Be a websocket, or nothing any more."""
        if self._opening is not None:
            opening, overdue = self._opening
            self._listener.gate.leave(opening)
            overdue.cancel()
            self._opening = None

    def end(self) -> None:
        """Take note that the connection has ended."""
        self.leave_gate()
        self._listener.connections.discard(self)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to listen to what comes."""
        super().connection_made(transport)
        self.cut = self.transport.abort

    def connection_lost(self, exc: Exception | None) -> None:
        """Take note that nothing comes any more."""
        self.end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in what has come, unless it is too much."""
        self.heard_at = self.loop.time()
        if self._pace.take(self.heard_at, len(data)) > 0:
            _log.info("a peer sends too much; cut off")
            self.cut()
        else:
            super().data_received(data)

    async def look(self, now: float) -> None:
        """Ask for a sign of life if there was none for long, and end what does not give one."""
        silence = now - self.heard_at
        if silence > PING_INTERVAL_S + PING_TIMEOUT_S:
            _log.info("a peer is gone; cut off")
            self.cut()
        elif silence > PING_INTERVAL_S and self.state is State.OPEN:
            # Who does not read what was sent before is asked all the same, and not waited for.
            with contextlib.suppress(TimeoutError, ConnectionClosed):
                async with asyncio.timeout(0):
                    await self.ping()

    def _cut(self) -> None:
        self.cut()


class _Arrival(asyncio.Protocol):
    """A socket that has just been accepted, of which a websocket is made if the gate is open to it.

    TLS begins after that. So the event loop, which accepts for websockets, does so without TLS, and
    is given the socket a second time to begin it.
    """

    def __init__(self, listener: Listener, *arguments: Any, **options: Any) -> None:
        self._listener = listener
        self._connection = ServedConnection(listener, *arguments, **options)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport = cast(asyncio.Transport, transport)
        loop, connection = asyncio.get_running_loop(), self._connection
        host = _machine_of(transport.get_extra_info("peername"))
        if self._listener.is_closed or not self._listener.gate.admits(host, loop.time()):
            transport.abort()
        elif self._listener.context is None:
            connection.enter_gate(host, transport.abort)
            transport.set_protocol(connection)
            connection.connection_made(transport)
        else:
            accepted = socket.socket(fileno=os.dup(transport.get_extra_info("socket").fileno()))
            transport.abort()
            encrypting = loop.create_task(self._encrypt(accepted, self._listener.context))
            connection.enter_gate(host, encrypting.cancel)

    async def _encrypt(self, accepted: socket.socket, context: ssl.SSLContext) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.connect_accepted_socket(
                lambda: self._connection,
                accepted,
                ssl=context,
                ssl_handshake_timeout=OPEN_TIMEOUT_S,
                ssl_shutdown_timeout=CLOSE_TIMEOUT_S,
            )
        except (OSError, asyncio.CancelledError):
            # Whoever it is, they have given up, or were given up.
            self._connection.end()


async def listen(
    handle: Callable[[Channel], Awaitable[None]],
    listening: socket.socket,
    context: ssl.SSLContext | None = None,
    *,
    gate: ConnectionLimits,
    backlog: int = 64,
    frames_per_s: float = FRAMES_PER_S,
    burst: float = BURST,
) -> Listener:
    """Serve whoever connects to a socket.

    Args:
        handle: Serves one connection until it ends.
        listening: Of `open_tcp` or `open_unix`.
        context: For TLS; without one, nothing is encrypted.
        gate: Who may begin to connect.
        backlog: How many may wait to be accepted.
        frames_per_s: That one connection may send for long.
        burst: That it may send at once.
    """
    new_pace = partial(TokenBucket, BYTES_A_FRAME * frames_per_s, BYTES_A_FRAME * burst)
    listener = Listener(handle, listening, context, gate, new_pace)
    await listener.begin(backlog)
    return listener


def _machine_of(address: object) -> str:
    """Return the host of a socket's address; empty for a unix socket."""
    return str(address[0]) if isinstance(address, tuple) else ""


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
