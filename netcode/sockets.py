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
from typing import Any, Final, cast

from websockets.asyncio.connection import Connection, broadcast
from websockets.asyncio.server import Server as WebSocketServer
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.frames import Frame, Opcode
from websockets.protocol import Event, State
from websockets.server import ServerProtocol

try:
    from websockets.speedups import apply_mask
except ImportError:
    # Where the extension in C could not be built.
    from websockets.utils import apply_mask

from engine.words import N_, ExplainedError
from netcode.address import Address
from netcode.codec import FROM_CLIENT
from netcode.gate import Gate
from netcode.pace import TokenBucket
from netcode.running_clock import RunningClock
from netcode.tracebacks import described
from netcode.wire import CLOSE_TIMEOUT_S, Wire, WireClosedError

LONGEST_FRAME: Final = 8 * FROM_CLIENT.frame
"""Bytes; a frame too long for the codec is refused with a reason, one beyond this is not read."""

READ_AHEAD: Final = 4
"""Frames of a peer that wait to be read; beyond, it is made to wait itself."""

SLICE_BYTES: Final = 4096
"""Of what has come that are looked at in one go: so little that what a flood is made of fits."""

FRAMES_WAITING: Final = 256
"""Frames of a peer that may have come at once and wait to be read. Four times as many as it may
send at once without being made to wait; who sends more is flooding."""

ACCEPT_AGAIN_S: Final = 1.0
"""After the system had no room for another socket."""

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

_BINARY: Final = 0x82
"""The first byte of a frame that is a whole binary message (RFC 6455, 5.2)."""

_MASKED: Final = 6
"""Bytes before the message in such a frame of a client, if it is short: two and the mask."""

_WHOLE: Final = (Opcode.BINARY, Opcode.TEXT)
"""What begins a message, and if nothing follows is one."""

_log = logging.getLogger(__name__)

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

    def hand_to(self, take: Callable[[bytes], bool]) -> None:
        """Hand nothing over: `receive` returns all frames."""

    async def ping(self) -> float:
        """Ask for a sign of life; return the seconds that took; raises WireClosedError."""
        try:
            return await (await self._connection.ping())
        except ConnectionClosed:
            raise WireClosedError from None

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

    It accepts sockets itself instead of leaving that to the event loop, so that `gate.py` can
    turn them away before they cost anything. It also looks itself for peers that are gone, all
    of them at once: what websockets has for that is a task for each, and waits without end for a
    peer that does not take what was sent before.
    """

    def __init__(
        self,
        handle: Callable[[Wire], Awaitable[None]],
        listening: socket.socket,
        context: ssl.SSLContext | None,
        gate: Gate,
    ) -> None:
        name = listening.getsockname()
        self._path = name if listening.family == socket.AF_UNIX else None
        self.address = None if self._path is not None else Address(*name[:2])
        """Where on TCP it listens, if it does."""
        self._handle = handle
        self._listening = listening
        self._context = context
        self._gate = gate
        self._serving: set[asyncio.Task[None]] = set()
        self._open: set[_GuardedConnection] = set()
        self._accepting = asyncio.create_task(self._accept())
        self._looking = asyncio.create_task(self._look_again())

    def is_serving(self) -> bool:
        """Whether it still listens; websockets asks before it opens a connection."""
        return not self._accepting.done()

    async def stop(self) -> None:
        """Listen no more; connections go on."""
        self._accepting.cancel()
        await asyncio.wait([self._accepting])
        self._listening.close()
        if self._path is not None:
            with contextlib.suppress(OSError):
                os.unlink(self._path)

    async def close(self) -> None:
        """Listen no more, and end the connections that are left."""
        await self.stop()
        self._looking.cancel()
        for task in self._serving:
            task.cancel()
        if self._serving:
            await asyncio.wait(self._serving)

    def look(self, now: float) -> None:
        """Ask those who are silent whether they are there, and end those who did not answer."""
        # A copy: who is asked may turn out to have gone.
        for connection in list(self._open):
            connection.look(now)

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, address = await loop.sock_accept(self._listening)
            except OSError as error:
                # Most likely there are no more descriptors. Those who are there can go on.
                _log.warning("no socket can be accepted for now: %s", error.strerror)
                await asyncio.sleep(ACCEPT_AGAIN_S)
                continue
            host = str(address[0]) if isinstance(address, tuple) else ""
            if self._gate.admits(host, loop.time()):
                self._serving.add(asyncio.create_task(self._serve(accepted, host)))
            else:
                accepted.close()
            # Accepting may not have waited at all, and others are to have their turns in a flood.
            await asyncio.sleep(0)

    async def _serve(self, accepted: socket.socket, host: str) -> None:
        this = asyncio.current_task()
        assert this is not None
        try:
            connection = await self._begin(accepted, host, this)
            if connection is not None:
                self._open.add(connection)
                try:
                    await self._handle(_ServedWire(connection))
                finally:
                    self._open.discard(connection)
                    connection.transport.abort()
        except Exception as error:
            _log.error("a connection failed with %s", described(error))
        finally:
            self._serving.discard(this)

    async def _look_again(self) -> None:
        loop, clock = asyncio.get_running_loop(), RunningClock()
        while True:
            stood_s = await clock.tick(LOOK_S)
            for connection in self._open:
                # While nobody was here to listen, nobody was silent.
                connection.heard_at += stood_s
            self.look(loop.time())

    async def _begin(
        self, accepted: socket.socket, host: str, task: asyncio.Task[None]
    ) -> "_GuardedConnection | None":
        """Make a websocket of a socket, unless that has ended, takes too long, or is nonsense."""

        def cut() -> None:
            task.cancel()

        connection = self._new_connection()
        transport: asyncio.Transport | None = None
        opening = self._gate.enter(host, cut)
        try:
            async with asyncio.timeout(OPEN_TIMEOUT_S):
                transport = await self._speak(accepted, connection)
                await connection.handshake(server_header=None)
        except (OSError, WebSocketException):
            pass
        finally:
            self._gate.leave(opening)
            is_open = connection.protocol.state is State.OPEN
            if transport is not None and not is_open:
                transport.abort()
        return connection if is_open else None

    async def _speak(
        self, accepted: socket.socket, connection: ServerConnection
    ) -> asyncio.Transport:
        """Begin to speak with a socket, after TLS if there is to be any; raises OSError."""
        if self._path is None:
            try:
                accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            except OSError:
                accepted.close()
                raise
        # From here on the socket is the event loop's to close, also if this fails: uvloop has its
        # descriptor, which must not become another's under its hands.
        loop = asyncio.get_running_loop()
        if self._context is None:
            transport, _ = await loop.connect_accepted_socket(lambda: connection, accepted)
        else:
            transport, _ = await loop.connect_accepted_socket(
                lambda: connection,
                accepted,
                ssl=self._context,
                ssl_handshake_timeout=OPEN_TIMEOUT_S,
                ssl_shutdown_timeout=CLOSE_TIMEOUT_S,
            )
        return transport

    def _new_connection(self) -> "_GuardedConnection":
        protocol = ServerProtocol(
            # A browser says where its page is from; no page has a business here.
            origins=[None],
            max_size=LONGEST_FRAME,
            logger=wire_log,
        )
        return _GuardedConnection(
            protocol,
            # All that it is asked is whether it is serving.
            cast(WebSocketServer, self),
            close_timeout=CLOSE_TIMEOUT_S,
            max_queue=READ_AHEAD,
        )


class _GuardedConnection(ServerConnection):
    """A websocket that is cut off when more comes than is ever read.

    What of a flood gets past `Wire.receive`, which makes a peer wait: control frames and pieces of
    messages, and what came in one go before it could be made to wait.

    A message that has come whole and alone, as acts do, is handed over at once, if somebody takes
    it. That spares following it through all that a frame could be, and waking the task that waits
    for it, which together take as long as the rules and the views.
    """

    take: Callable[[bytes], bool] | None = None
    """What is handed a message first; it says whether it has taken it."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._besides = TokenBucket()
        """Of frames that are no messages of their own: a heartbeat needs one in two seconds."""
        self._is_flooded = False
        self.heard_at = self.loop.time()
        """When something came last, of whatever kind."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Without the task that a ServerConnection starts here: the listener has one already.
        Connection.connection_made(self, transport)

    def look(self, now: float) -> None:
        """Ask for a sign of life if there was none for long, and end what does not give one."""
        silence = now - self.heard_at
        if self.recv_messages.paused:
            # It is made to wait, and what it says meanwhile is not heard.
            return
        if silence > PING_INTERVAL_S + PING_TIMEOUT_S:
            _log.info("a peer is gone; cut off")
            self.transport.abort()
        elif silence > PING_INTERVAL_S and self.protocol.state is State.OPEN:
            self.protocol.send_ping(b"")
            self.send_data()

    def data_received(self, data: bytes) -> None:
        self.heard_at = self.loop.time()
        if (
            self.take is not None
            and _is_short_message(data)
            and self._is_awaited
            and self.take(apply_mask(data[_MASKED:], data[2:_MASKED]))
        ):
            return
        for at in range(0, len(data), SLICE_BYTES):
            super().data_received(data[at : at + SLICE_BYTES])
            if len(self.recv_messages.frames) > FRAMES_WAITING or self._is_flooded:
                self.transport.abort()
                break

    @property
    def _is_awaited(self) -> bool:
        """Whether somebody waits for what comes next, and nothing has begun before it."""
        return (
            self.recv_messages.get_in_progress
            and not self.recv_messages.frames
            and not self.protocol.reader.buffer
            and self.protocol.current_size is None
            and self.protocol.state is State.OPEN
        )

    def process_event(self, event: Event) -> None:
        if isinstance(event, Frame) and not (event.fin and event.opcode in _WHOLE):
            self._is_flooded = self._besides.take(self.loop.time()) > 0
        super().process_event(event)


class _ServedWire(WebSocketWire):
    """The server's end of a websocket."""

    __slots__ = ()

    _connection: _GuardedConnection

    def send(self, frame: bytes) -> None:
        """Send a frame without waiting; on a connection that has ended it is lost."""
        connection = self._connection
        if connection.protocol.state is State.OPEN:
            # What `broadcast` comes to, without a detour for what frames could be besides.
            connection.transport.write(_head(len(frame)) + frame)

    def hand_to(self, take: Callable[[bytes], bool]) -> None:
        """Hand short frames over as they come, unless others wait to be received."""
        self._connection.take = take


def _is_short_message(data: bytes) -> bool:
    """Whether this is one binary message of up to 125 bytes from a client, and nothing else."""
    length = len(data) - _MASKED
    return 0 < length < 126 and data[0] == _BINARY and data[1] == 0x80 | length


def _head(length: int) -> bytes:
    """Return what stands before the bytes of a binary message from a server."""
    if length < 126:
        return bytes((_BINARY, length))
    if length < 1 << 16:
        return bytes((_BINARY, 126)) + length.to_bytes(2, "big")
    return bytes((_BINARY, 127)) + length.to_bytes(8, "big")


async def listen(
    handle: Callable[[Wire], Awaitable[None]],
    listening: socket.socket,
    context: ssl.SSLContext | None = None,
    *,
    gate: Gate,
    backlog: int = 64,
) -> Listener:
    """Serve whoever connects to a socket.

    Args:
        handle: Serves one connection until it ends.
        listening: Of `open_tcp` or `open_unix`.
        context: For TLS; without one, nothing is encrypted.
        gate: Who may begin to connect.
        backlog: How many may wait to be accepted.
    """
    listening.setblocking(False)
    listening.listen(backlog)
    return Listener(handle, listening, context, gate)


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
