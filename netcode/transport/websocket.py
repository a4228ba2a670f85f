"""Implements a websocket at either end: the library's Sans-I/O protocol on asyncio's transports.

It follows the library's guide "Integrate the Sans-I/O layer". So this program can limit a socket
before TLS begins.
"""

import asyncio
import contextlib
import logging
import socket
import ssl
from collections.abc import Awaitable, Callable
from typing import Any, Final, cast

from websockets.client import ClientProtocol
from websockets.frames import (  # type: ignore[attr-defined]
    CloseCode,
    Frame,
    Opcode,
    apply_mask,
)
from websockets.http11 import Request
from websockets.protocol import SEND_EOF, SERVER, State
from websockets.server import ServerProtocol
from websockets.uri import parse_uri

from netcode.limits import BYTES_A_FRAME, FRAMES, STALLED_BYTES, Rate, TokenBucket
from netcode.protocol.codec import FROM_CLIENT
from netcode.transport.channel import CLOSE_TIMEOUT_S, Channel, ChannelClosedError
from netcode.transport.running_clock import STOPPED_S
from netcode.transport.sockets import host_of

MAXIMUM_FRAME_BYTES: Final = 4 * FROM_CLIENT
"""Maximum bytes of a frame that the websocket library accepts.

The codec refuses a frame of up to this length with a reason. A longer frame ends the connection.
The maximum is less than `BYTES_A_FRAME` allows at once, since a connection above that limit ends
without a reason.
"""

READ_AHEAD: Final = 4
"""Number of unread frames after which reading from the peer pauses."""

OPEN_TIMEOUT_S: Final = 5.0
"""Seconds for a socket to complete the opening handshake. Before that it only costs memory."""

PING_INTERVAL_S: Final = 10.0
"""Seconds of silence before a ping: half of the grace for absent players."""

PING_TIMEOUT_S: Final = 10.0
"""Seconds for a peer to answer a ping."""

_log = logging.getLogger(__name__)

_websockets_log: Final = logging.getLogger("netcode.transport.websockets")
"""The logger of the websockets library. At level DEBUG it would log frames with keys and cards."""

_websockets_log.setLevel(logging.INFO)


class WebSocket(asyncio.Protocol):
    """A websocket as a channel. It ends if the peer sends too much, or is silent too long.

    Its life begins with `connection_made`, before the opening handshake.
    """

    __slots__ = (
        "_byte_limit",
        "_due",
        "_ended",
        "_is_between_frames",
        "_is_paused",
        "_looking",
        "_loop",
        "_messages",
        "_opcode",
        "_overdue",
        "_piece",
        "_pings",
        "_ponged",
        "_protocol",
        "_reader",
        "_transport",
        "opened",
        "peer",
        "received_at",
    )

    def __init__(
        self,
        protocol: ServerProtocol | ClientProtocol,
        peer: str = "",
        byte_limit: TokenBucket | None = None,
    ) -> None:
        """Begin a connection with the machine `peer`.

        A client passes "", and its socket then gives the address. `byte_limit` bounds input that
        slow reading cannot stop, such as control frames; None is no limit.
        """
        self._loop = asyncio.get_running_loop()
        self.peer = peer
        """The address of the machine at the other end, for counting connections."""
        self.received_at = self._loop.time()
        """The time of the last input of any kind."""
        self.opened: asyncio.Future[bool] = self._loop.create_future()
        """Set to True when the opening handshake succeeds, and to False when it fails."""
        self._byte_limit = byte_limit
        self._protocol = protocol
        self._transport: asyncio.Transport | None = None
        self._messages: list[bytes | str] = []
        """Unread messages. They are so few that a list is as fast as a deque, with a tenth of the
        memory.
        """
        self._opcode = Opcode.BINARY
        self._piece = bytearray()
        """The fragments of an incomplete message."""
        self._reader: asyncio.Future[None] | None = None
        """The future for which a reading task waits; None if no task waits."""
        self._pings = 0
        """Number of pings sent."""
        self._ponged: asyncio.Future[None] | None = None
        """The future for which a pinging task waits; None if no task waits."""
        self._is_between_frames = False
        """True at a server while each input so far has ended with a whole message.

        Then the next input can be read without the library.
        """
        self._is_paused = False
        """True while reading from the transport is paused."""
        self._ended: asyncio.Future[None] = self._loop.create_future()
        """The future that is done when the transport has ended."""
        self._looking: asyncio.Handle | None = None
        """The timer for the next `look`; None if it is not set."""
        self._due = self._loop.time()
        """The time of the next `look`. It is stored here, since some timers of uvloop cannot return
        theirs.
        """
        self._overdue: asyncio.Handle | None = None
        """The timer that aborts the connection if the peer does not confirm its end; None if it is
        not set.
        """

    # The interface of a channel

    @property
    def certificate(self) -> bytes:
        """The certificate of the server at the other end, in DER; empty without encryption."""
        tls: ssl.SSLObject | None = self._about("ssl_object")
        return (tls.getpeercert(binary_form=True) or b"") if tls is not None else b""

    @property
    def local(self) -> str:
        """This machine's address on this connection; "" on a unix socket."""
        return host_of(self._about("sockname"))

    @property
    def ports(self) -> tuple[int, int]:
        """The ports of this end and of the other; zeros on a unix socket."""
        own, other = (_port_of(self._about(name)) for name in ("sockname", "peername"))
        return own, other

    def _about(self, name: str) -> Any:
        return None if self._transport is None else self._transport.get_extra_info(name)

    def send(self, frame: bytes) -> None:
        """Send a frame without waiting. After the end of the connection it is discarded."""
        if self._protocol.state is not State.OPEN:
            return
        if self._protocol.side is SERVER and not self._protocol.extensions:
            assert self._transport is not None
            self._transport.write(server_frame(frame))
            self._cut_off_if_stalled()
        else:
            self._protocol.send_binary(frame)
            self._flush()

    async def receive(self) -> bytes | str:
        """Return the next frame, as `str` if it was sent as text.

        Raises ChannelClosedError if the connection has ended and no frame is left.
        """
        while not self._messages:
            if self._ended.done():
                raise ChannelClosedError
            self._reader = self._loop.create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        message = self._messages.pop(0)
        if self._is_paused and len(self._messages) < READ_AHEAD // 2:
            self._is_paused = False
            if self._transport is not None and not self._transport.is_closing():
                self._transport.resume_reading()
        return message

    async def ping(self) -> float:
        """Send a ping; return the seconds until its answer.

        Raises ChannelClosedError if the connection ends before the answer.
        """
        if self._protocol.state is not State.OPEN:
            raise ChannelClosedError
        began = self._loop.time()
        self._pings += 1
        self._ponged = self._loop.create_future()
        self._protocol.send_ping(self._pings.to_bytes(8, "big"))
        self._flush()
        await self._ponged
        return self._loop.time() - began

    async def close(self, code: int = 1000) -> None:
        """Close the connection after earlier frames.

        Abort it if the peer does not confirm the end.
        """
        if self._protocol.state is State.OPEN:
            self._protocol.send_close(code)
            self._flush()
        await asyncio.shield(self._ended)

    def abort(self) -> None:
        """End the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def look(self) -> None:
        """Ping a silent peer. End the connection if the peer has not answered a ping in time."""
        now = self._loop.time()
        if now - self._due > STOPPED_S:
            # Count the silence from now: while this program was stopped, it could receive nothing.
            self.received_at = now
        due_s = PING_INTERVAL_S
        if now - self.received_at >= PING_INTERVAL_S + PING_TIMEOUT_S:
            _log.info("a peer is gone; cut off")
            self.abort()
            return
        if now - self.received_at >= PING_INTERVAL_S:
            due_s += PING_TIMEOUT_S
            if self._protocol.state is State.OPEN:
                self._protocol.send_ping(b"")
                self._flush()
        self._due = self.received_at + due_s
        self._looking = self._loop.call_at(self._due, self.look)

    # The interface of an asyncio protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start to receive; a client also sends its request for a websocket."""
        self._transport = cast(asyncio.Transport, transport)
        self.look()
        if isinstance(self._protocol, ClientProtocol):
            self.peer = host_of(self._about("peername"))
            self._protocol.send_request(self._protocol.connect())
            self._flush()

    def data_received(self, data: bytes) -> None:
        """Handle input; end the connection if the input exceeds the byte limit.

        The library reads all input except single short messages.
        """
        self.received_at = now = self._loop.time()
        if self._byte_limit is not None and self._byte_limit.take(now, len(data)) > 0:
            _log.info("a peer sends too much; cut off")
            self.abort()
            return
        if self._is_between_frames:
            message = short_message(data)
            if message is not None and self._protocol.state is State.OPEN:
                self._take_message(Opcode.BINARY, message)
                return
            # If a frame continues in the next input, the library reads everything from now on.
            self._is_between_frames = are_whole_frames(data)
        is_opening = self._protocol.state is State.CONNECTING
        self._protocol.receive_data(data)
        self._handle_events()
        if is_opening and self._protocol.side is SERVER:
            # True if the input was the whole request, and no frame came with it.
            self._is_between_frames = (
                data.startswith(b"GET ") and data.find(b"\r\n\r\n") == len(data) - 4
            )

    def eof_received(self) -> None:
        """Handle the end of the input. The transport then closes itself."""
        self._protocol.receive_eof()
        self._handle_events()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wake all waiting tasks, since no more input will come."""
        self._protocol.receive_eof()
        for timer in (self._looking, self._overdue):
            if timer is not None:
                timer.cancel()
        self._looking = self._overdue = None
        _release(self._protocol)
        self._ended.set_result(None)
        self._settle_opening(is_open=False)
        self._wake_reader()
        if self._ponged is not None and not self._ponged.done():
            self._ponged.set_exception(ChannelClosedError())

    def _handle_events(self) -> None:
        """Handle the frames and the handshake that the library has read from the input."""
        for event in self._protocol.events_received():
            if isinstance(event, Frame):
                self._take_frame(event)
            elif isinstance(self._protocol, ClientProtocol):
                # Report the opening now, since the same input may contain the connection's end.
                self._settle_opening(is_open=self._protocol.handshake_exc is None)
            elif not self._protocol.eof_sent:
                # More input in the same piece may have ended the connection. Then send no answer.
                assert isinstance(event, Request)
                self._protocol.send_response(self._protocol.accept(event))
                # Free the memory of the request's headers, which are no longer needed.
                event.headers.clear()
                if self._protocol.state is State.OPEN:
                    self._settle_opening(is_open=True)
        if isinstance(self._protocol, ClientProtocol) and self._protocol.handshake_exc:
            self._settle_opening(is_open=False)
        self._flush()

    def _settle_opening(self, *, is_open: bool) -> None:
        """Set the result of `opened`; only the first call counts."""
        if not self.opened.done():
            self.opened.set_result(is_open)

    def _take_frame(self, frame: Frame) -> None:
        if frame.opcode is Opcode.PONG:
            is_last = bytes(frame.data) == self._pings.to_bytes(8, "big")
            if is_last and self._ponged is not None and not self._ponged.done():
                self._ponged.set_result(None)
        elif frame.opcode in (Opcode.BINARY, Opcode.TEXT, Opcode.CONT):
            if frame.opcode is not Opcode.CONT:
                self._opcode = frame.opcode
            if frame.fin and not self._piece:
                self._take_message(self._opcode, bytes(frame.data))
                return
            self._piece += frame.data
            if frame.fin:
                data, self._piece = bytes(self._piece), bytearray()
                self._take_message(self._opcode, data)

    def _take_message(self, opcode: Opcode, data: bytes) -> None:
        try:
            self._messages.append(data.decode() if opcode is Opcode.TEXT else data)
        except UnicodeDecodeError:
            self._protocol.fail(CloseCode.INVALID_DATA)
            return
        self._wake_reader()
        if len(self._messages) >= READ_AHEAD and not self._is_paused:
            assert self._transport is not None
            self._is_paused = True
            if not self._transport.is_closing():
                self._transport.pause_reading()

    def _wake_reader(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def _flush(self) -> None:
        """Send the library's output, and limit the time for the closing handshake."""
        assert self._transport is not None
        for data in self._protocol.data_to_send():
            if data != SEND_EOF:
                self._transport.write(data)
                continue
            if self._transport.can_write_eof():
                with contextlib.suppress(OSError, RuntimeError):
                    # Ignore the error: the peer has gone.
                    self._transport.write_eof()
            else:
                self._transport.close()
            # Drop later output: the peer sent the end together with its request, so it gets no
            # answer.
            break
        is_stalled = self._cut_off_if_stalled()
        if not is_stalled and self._overdue is None and self._protocol.close_expected():
            self._overdue = self._loop.call_later(CLOSE_TIMEOUT_S, self.abort)

    def _cut_off_if_stalled(self) -> bool:
        """Abort the connection if its peer does not read; return True if so."""
        assert self._transport is not None
        if self._transport.get_write_buffer_size() <= STALLED_BYTES:
            return False
        _log.info("a peer does not read; cut off")
        self.abort()
        return True


def server_frame(data: bytes) -> bytes:
    r"""Return a server's frame with a whole binary message, as the library makes it.

    A server with many tables sends thousands of small frames a second, so their cost counts.

    >>> server_frame(b"abc")
    b'\x82\x03abc'
    """
    length = len(data)
    if length < 126:
        return b"\x82%c%b" % (length, data)
    if length < 1 << 16:
        return b"\x82\x7e%b%b" % (length.to_bytes(2), data)
    return b"\x82\x7f%b%b" % (length.to_bytes(8), data)


def short_message(data: bytes) -> bytes | None:
    r"""Return the message in a client's frame; None if `data` is not one short binary message.

    The library takes several times as long, and a server receives a frame for each move.

    >>> short_message(b"\x82\x83\0\0\0\0abc")
    b'abc'
    >>> short_message(b"\x82\x83\0\0\0\0ab")
    """
    length = len(data) - 6
    if 0 <= length < 126 and data[0] == 0x82 and data[1] == 0x80 | length:
        return apply_mask(data[6:], data[2:6])
    return None


def are_whole_frames(data: bytes) -> bool:
    r"""Return True if a client's input consists of whole short frames that end their messages.

    >>> are_whole_frames(b"\x82\x81\0\0\0\0a\x8a\x80\0\0\0\0")
    True
    >>> are_whole_frames(b"\x82\x81\0\0\0\0a\x8a\x80")
    False
    """
    at = 0
    while at + 6 <= len(data) and data[at] & 0x80 and 0x80 <= data[at + 1] < 0xFE:
        at += 6 + (data[at + 1] & 0x7F)
    return at == len(data)


def _release(protocol: ServerProtocol | ClientProtocol) -> None:
    """Break the reference cycles of an ended protocol, so that no garbage collection is needed.

    The protocol's parser is a generator that refers to the protocol. The protocol's exceptions
    refer to the parser's frames.
    """
    protocol.parser.close()
    error: BaseException | None
    for error in (protocol.parser_exc, protocol.handshake_exc):
        while error is not None:
            error.__traceback__ = None
            error = error.__cause__ or error.__context__


async def serve_websocket(
    handle: Callable[[Channel], Awaitable[None]],
    accepted: socket.socket,
    machine: str,
    arrived: Callable[[], object],
    *,
    context: ssl.SSLContext | None,
    frames: Rate = FRAMES,
) -> None:
    """Turn a socket into a websocket, with TLS if there is a context, and serve it.

    `frames` limits the peer's rate. `handle` serves the channel, and `listener.ServeSocket`
    explains the other arguments.
    """
    limit = Rate(BYTES_A_FRAME * frames.per_s, BYTES_A_FRAME * frames.burst)
    protocol = ServerProtocol(
        # Browsers send the origin of their page. No web page may connect here.
        origins=[None],
        max_size=MAXIMUM_FRAME_BYTES,
        logger=_websockets_log,
    )
    websocket = WebSocket(protocol, machine, TokenBucket(limit))
    timeouts = {"ssl_handshake_timeout": OPEN_TIMEOUT_S, "ssl_shutdown_timeout": CLOSE_TIMEOUT_S}
    try:
        async with asyncio.timeout(OPEN_TIMEOUT_S):
            await asyncio.get_running_loop().connect_accepted_socket(
                lambda: websocket,
                accepted,
                ssl=context,
                **(timeouts if context is not None else {}),
            )
            if not await websocket.opened:
                return
        arrived()
        await handle(websocket)
    finally:
        websocket.abort()


async def open_websocket(
    dial: Callable[[Callable[[], WebSocket]], Awaitable[object]],
    *,
    timeout: float,
    maximum_frame_bytes: int,
) -> WebSocket:
    """Return a client's websocket on a new connection.

    `dial` opens the connection. Raises OSError if no server answers within `timeout` seconds, and
    WebSocketException if the server uses another protocol.
    """
    # Tables ignore the host and path of the request.
    uri = parse_uri("ws://driflamme/")
    protocol = ClientProtocol(uri, max_size=maximum_frame_bytes, logger=_websockets_log)
    websocket = WebSocket(protocol)
    try:
        async with asyncio.timeout(timeout):
            await dial(lambda: websocket)
            if not await websocket.opened:
                raise protocol.handshake_exc or ConnectionResetError
    except BaseException:
        websocket.abort()
        raise
    return websocket


def _port_of(name: Any) -> int:
    """Return the port in the name of a socket; 0 if there is none."""
    return int(name[1]) if isinstance(name, tuple) and len(name) >= 2 else 0
