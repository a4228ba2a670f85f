"""Connections of a server: bounded from the moment a socket is accepted, and quick with messages.

This goes around the websockets library, which has TLS done, and a task and a parser made, before it
asks anybody about a socket; which wakes a task for each message that comes, and makes objects of
each that goes. It relies on what its documentation does not promise:

- `serve` hands what `create_connection` makes to the event loop as the protocol of each accepted
  socket, whatever it is (`AcceptedSocket`);
- `ServerConnection` is an `asyncio.Protocol`, whose `connection_made`, `data_received` and
  `connection_lost` a subclass may extend, and has `transport`, `loop`, `request` and `response`;
- its `process_event` is given each frame once that is whole and keeps the rules, and a `recv` to
  which something is left returns without letting anything else happen before;
- what `broadcast` sends is written to the transport at once, and as a whole frame;
- `protocol.parser`, a generator, waits in `StreamReader.at_eof` when nothing but whole frames has
  come, and `protocol.current_size` is None unless a message has come in part.

Worth: turning an accepted socket away costs a server 0.12 ms of a core, and a handshake with TLS
1.0 ms and hundreds of kilobytes until it is done: a flood of sockets takes a ninth of the time.
Messages that are taken at once, without the parser if they come alone, and written by `write` are a
fifth of what a move costs a server of many tables: 0.8 of the time of a core, and a turn of the
event loop less for each.

`tests/netcode/transport/test_websockets_internals.py` fails when the library changes. To go on
without this, give `serve` the class `ServedConnection` and the context for TLS: then sockets are
bounded only once they are encrypted. And serve a `WebSocketChannel` in the place of a
`ServedChannel`.
"""

import asyncio
import contextlib
import logging
import os
import socket
import ssl
import struct
import sys
from collections.abc import Callable
from types import CodeType, GeneratorType
from typing import Any, Final, cast

from msgspec import Struct, field
from websockets.asyncio.server import ServerConnection, broadcast
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode
from websockets.protocol import Event, State
from websockets.streams import StreamReader

try:
    from websockets.speedups import apply_mask
except ImportError:
    # Where the extension in C could not be built.
    from websockets.utils import apply_mask

from netcode.protocol.rate_limit import TokenBucket
from netcode.tracebacks import described
from netcode.transport.channel import CLOSE_TIMEOUT_S, Take
from netcode.transport.connection_limits import ConnectionLimits, Handshake

OPEN_TIMEOUT_S: Final = 5.0
"""Seconds for a connection to become a websocket; until then it costs us and says nothing."""

PING_INTERVAL_S: Final = 10.0
"""Seconds of silence before a peer is asked for a sign of life: half of the grace of those away."""

PING_TIMEOUT_S: Final = 10.0
"""Seconds that a peer may take to answer a ping."""

_BINARY: Final = 0x82
"""First byte of a frame that is a whole binary message (RFC 6455, 5.2)."""

_MASKED: Final = 0x80
"""Bit of the second byte of a frame that is masked, as a client's are; the rest is its length."""

_SHORT_HEAD: Final = 6
"""Bytes before the payload of such a frame, if it is short: two, and the mask."""

_LONGER: Final = struct.Struct("!BBH")
"""Head of a frame of 126 bytes or more."""

_AT_EOF: Final = StreamReader.at_eof.__code__
"""Where the library waits for another frame to begin."""

_log = logging.getLogger(__name__)


class ServedConnections(Struct, eq=False):
    """The connections of one listener, and the bounds on them."""

    context: ssl.SSLContext | None
    """For TLS; without one, nothing is encrypted."""
    limits: ConnectionLimits
    """Who may begin to connect."""
    new_byte_limit: Callable[[], TokenBucket]
    """Makes what counts the bytes of one connection."""
    present: set["ServedConnection"] = field(default_factory=set)
    """All that there are, also those that are no websockets yet."""
    is_closed: bool = False
    """Whether no more sockets are let in."""


class ServedConnection(ServerConnection):
    """A websocket that is aborted when more comes than is ever read, or nothing for too long."""

    # Instances share the names of 30 attributes at most, and the library has nearly as many; slots
    # save 1.3 of the 10.9 KB that a connection takes which says nothing.
    __slots__ = (
        "_byte_limit",
        "_handshake",
        "_is_between_frames",
        "_served",
        "abort",
        "heard_at",
        "is_awaited",
        "peer",
        "take",
    )

    def __init__(self, served: ServedConnections, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.abort: Callable[[], object]
        """Ends the connection at once, however far it has come."""
        self.heard_at = self.loop.time()
        """When something came last, of whatever kind."""
        self.take: Take[Any] | None = None
        """Offered each message for which somebody waits in `recv`."""
        self.peer: object = None
        """Whose message that is, for `take`."""
        self.is_awaited = False
        """Whether somebody waits in `recv` and nothing has come that they are to get."""
        self._is_between_frames = False
        """Whether all that came so far was whole frames, none of a message that goes on."""
        self._served = served
        self._byte_limit = served.new_byte_limit()
        """Bounds what reading late cannot hold back, such as control frames."""
        self._handshake: tuple[Handshake, asyncio.TimerHandle] | None = None
        """As long as the connection is no websocket."""

    def begin_handshake(self, host: str, abort: Callable[[], object]) -> None:
        """Count as a handshake, which must not take too long."""
        self.abort = abort
        self._served.present.add(self)
        overdue = self.loop.call_later(OPEN_TIMEOUT_S, self._abort)
        self._handshake = self._served.limits.add(host, self._abort), overdue

    def end_handshake(self) -> None:
        """Count no longer as a handshake: this is a websocket, or has ended."""
        if self._handshake is not None:
            handshake, overdue = self._handshake
            self._served.limits.remove(handshake)
            overdue.cancel()
            self._handshake = None

    def forget_headers(self) -> None:
        """Free what the handshake left: a fifth of the memory of a connection that says nothing."""
        for each in (self.request, self.response):
            if each is not None:
                each.headers.clear()

    def end(self) -> None:
        """Forget the connection, which has ended."""
        self.end_handshake()
        self._served.present.discard(self)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to listen to what comes."""
        super().connection_made(transport)
        self.abort = self.transport.abort

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take in what has come, unless it is too much."""
        self.heard_at = now = self.loop.time()
        if self._byte_limit.take(now, len(data)) > 0:
            _log.info("a peer sends too much; cut off")
            self.abort()
            return
        if (
            self.is_awaited
            and self._is_between_frames
            and _is_short_message(data)
            and self.protocol.state is State.OPEN
        ):
            if self._offer(apply_mask(data[_SHORT_HEAD:], data[2:_SHORT_HEAD])):
                return
            self.is_awaited = False
        super().data_received(data)
        self._is_between_frames = (
            self.protocol.current_size is None and _waits_in(self.protocol.parser) is _AT_EOF
        )

    def process_event(self, event: Event) -> None:
        """Offer a whole binary message to whoever takes some, if somebody waits for it."""
        if (
            self.is_awaited
            and isinstance(event, Frame)
            and event.opcode is Opcode.BINARY
            and event.fin
            and self._offer(bytes(event.data))
        ):
            return
        # What is left to be received goes before all that comes after it.
        self.is_awaited = False
        super().process_event(event)

    def _offer(self, payload: bytes) -> bool:
        """Offer a message to whoever takes some; return whether it needs not to be received."""
        try:
            return self.take is not None and self.take(self.peer, payload)
        except Exception as error:
            _log.error("a connection failed with %s", described(error))
            self.abort()
            return True

    def write(self, payload: bytes) -> None:
        """Send a binary message as `broadcast` does; on a connection that has ended it is lost."""
        length = len(payload)
        if length >= 1 << 16:
            broadcast((self,), payload)
        elif self.protocol.state is State.OPEN:
            head = bytes((_BINARY, length)) if length < 126 else _LONGER.pack(_BINARY, 126, length)
            self.transport.write(head + payload)

    async def check_silence(self, now: float) -> None:
        """Ask a peer that has been silent for a sign of life, and end one that gave none."""
        silence = now - self.heard_at
        if silence > PING_INTERVAL_S + PING_TIMEOUT_S:
            _log.info("a peer is gone; cut off")
            self.abort()
        elif silence > PING_INTERVAL_S and self.state is State.OPEN:
            # Who does not read what was sent before is asked all the same, and not waited for.
            with contextlib.suppress(TimeoutError, ConnectionClosed):
                async with asyncio.timeout(0):
                    await self.ping()

    def _abort(self) -> None:
        self.abort()


class AcceptedSocket(asyncio.Protocol):
    """A socket that has just been accepted, which becomes a websocket if the limits let it in.

    TLS begins after that: the event loop accepts without, and is given the socket a second time.
    Windows gives a socket to one of its queues once and for all: there the loop is told to begin
    TLS on what it has, which under uvloop might lose what comes first.
    """

    def __init__(self, served: ServedConnections, *arguments: Any, **options: Any) -> None:
        self._served = served
        self._connection = ServedConnection(served, *arguments, **options)
        self._early: list[bytes] = []
        """What came together with the end of the handshake for TLS, when that is begun here."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let the socket in, or end it."""
        transport = cast(asyncio.Transport, transport)
        loop, connection, served = asyncio.get_running_loop(), self._connection, self._served
        host = host_of(transport.get_extra_info("peername"))
        if served.is_closed or not served.limits.admit(host, loop.time()):
            transport.abort()
        elif served.context is None:
            connection.begin_handshake(host, transport.abort)
            transport.set_protocol(connection)
            connection.connection_made(transport)
        elif sys.platform == "win32":
            self._encrypting = loop.create_task(self._encrypt_here(transport, served.context))
            connection.begin_handshake(host, transport.abort)
        else:
            accepted = socket.socket(fileno=os.dup(transport.get_extra_info("socket").fileno()))
            transport.abort()
            encrypting = loop.create_task(self._encrypt(accepted, served.context))
            connection.begin_handshake(host, encrypting.cancel)

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

    async def _encrypt_here(self, transport: asyncio.Transport, context: ssl.SSLContext) -> None:
        encrypted: asyncio.Transport | None = None
        with contextlib.suppress(OSError):
            encrypted = await asyncio.get_running_loop().start_tls(
                transport,
                self,
                context,
                server_side=True,
                ssl_handshake_timeout=OPEN_TIMEOUT_S,
                ssl_shutdown_timeout=CLOSE_TIMEOUT_S,
            )
        if encrypted is None or encrypted.is_closing():
            transport.abort()
            self._connection.end()
            return
        encrypted.set_protocol(self._connection)
        self._connection.connection_made(encrypted)
        for data in self._early:
            self._connection.data_received(data)

    def data_received(self, data: bytes) -> None:
        """Keep what came before the websocket could take it."""
        self._early.append(data)


def _waits_in(parser: object) -> CodeType | None:
    """Return the code of the innermost generator in which one waits."""
    code = None
    while isinstance(parser, GeneratorType):
        code, parser = parser.gi_code, parser.gi_yieldfrom
    return code


def _is_short_message(data: bytes) -> bool:
    """Whether data is one masked frame that is a whole binary message of less than 126 bytes."""
    return (
        len(data) >= _SHORT_HEAD
        and data[0] == _BINARY
        and data[1] == _MASKED + len(data) - _SHORT_HEAD
        and data[1] < _MASKED + 126
    )


def host_of(address: object) -> str:
    """Return the host of a socket's address; empty for a unix socket."""
    return str(address[0]) if isinstance(address, tuple) else ""
