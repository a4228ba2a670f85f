"""Defines a connection to a table, with its heartbeat."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, TypeAlias

from msgspec.structs import replace

from engine.texts import ExplainedError
from netcode.client.session import ProtocolError
from netcode.protocol.codec import UNKNOWN_MESSAGE, CodecError, decode_host, encode
from netcode.protocol.fields import Message
from netcode.protocol.messages import Goodbye, Lobby, Welcome
from netcode.protocol.refusal_sentences import HOST_PART_MISSING, PART_MISSING
from netcode.protocol.table_settings import TableSettings
from netcode.transport.channel import Channel, ChannelClosedError

HEARTBEAT_S: Final = 2.0
"""Seconds of silence before a ping. The connection would survive longer silence, but the displayed
latency should be recent.
"""

HEARTBEAT_TIMEOUT_S: Final = 4.0
"""Seconds to wait for the answer to a ping: long enough that a few lost packets end no
connection.
"""

OVERSLEPT_S: Final = 1.0
"""A timer that is later than this many seconds shows that the machine was suspended."""


class ConnectError(ExplainedError):
    """Raised if a connection to a table failed. The error's sentence has the reason."""

    code = ""
    """The code of the table's refusal; "" if the table has not refused."""


Connect: TypeAlias = Callable[[], Awaitable[Channel]]
"""A function that opens a new connection to a server at each call. Raises ConnectError on failure.
"""


class Connection:
    """A connection to a table: `send` sends messages, and `listen` receives them."""

    def __init__(self, channel: Channel) -> None:
        self.channel: Final = channel
        self.latency: float | None = None
        """Seconds of the last ping's way to the host and back; None before the first answer."""
        self.is_welcome = False
        """True after the first Welcome of this connection."""
        self._received_at = 0.0
        self._failure: Exception | None = None

    def send(self, message: Message) -> None:
        """Send a message without waiting. After the end of the connection it is discarded."""
        self.channel.send(encode(message))

    def set_exception(self, error: Exception) -> None:
        """End the connection with an error, which `listen` raises. A second error is ignored."""
        self._failure = self._failure or error
        self.channel.abort()

    async def listen(self, take: Callable[[Message], object]) -> None:
        """Pass each message of the host to `take` until the connection ends, and then return.

        The connection also ends when the host stops answering pings. Raises ProtocolError for an
        invalid message, and the error of `set_exception`.

        After the Welcome, messages of unknown types are ignored: they may belong to an optional
        part of the host that this program lacks. Before the Welcome, or if the table's game needs
        such a part, `take` receives a Goodbye and this function returns.
        """
        heartbeat = asyncio.create_task(self._beat())
        try:
            while self._failure is None:
                frame = await self.channel.receive()
                self._received_at = asyncio.get_running_loop().time()
                try:
                    message = decode_host(frame)
                except CodecError as error:
                    if error.code != UNKNOWN_MESSAGE:
                        raise
                    if self.is_welcome:
                        continue
                    take(Goodbye(code=HOST_PART_MISSING))
                    return
                self.is_welcome |= isinstance(message, Welcome)
                if isinstance(message, Lobby) and _is_beyond(message.settings):
                    take(Goodbye(code=PART_MISSING))
                    return
                if isinstance(message, Lobby) and message.invitation:
                    # Import here: a table within one program invites nobody, and starts faster
                    # without this module.
                    from netcode.joining.invitation import written_anew

                    # Guests paste the invitation into their shells, so accept only the program's
                    # own form of it.
                    message = replace(message, invitation=written_anew(message.invitation))
                take(message)
        except CodecError as error:
            raise ProtocolError(f"a frame is no message: {error.code}") from error
        except ChannelClosedError:
            pass
        finally:
            heartbeat.cancel()
        if self._failure is not None:
            raise self._failure

    async def _beat(self) -> None:
        """Ping the host after each silence.

        End the connection when the host does not answer a ping. A timer that is late does not
        count, since the machine was suspended meanwhile.
        """
        loop = asyncio.get_running_loop()
        self._received_at = loop.time()
        with suppress(ChannelClosedError):
            while True:
                sent_at = loop.time()
                silence = sent_at - self._received_at
                if silence < HEARTBEAT_S:
                    await asyncio.sleep(HEARTBEAT_S - silence)
                    continue
                try:
                    async with asyncio.timeout(HEARTBEAT_TIMEOUT_S):
                        self.latency = await self.channel.ping()
                except TimeoutError:
                    overslept = loop.time() - sent_at > HEARTBEAT_TIMEOUT_S + OVERSLEPT_S
                    if self._received_at <= sent_at and not overslept:
                        self.channel.abort()
                        return
                else:
                    self._received_at = loop.time()


def _is_beyond(settings: TableSettings) -> bool:
    """Return True if this program lacks the wing for the kind of game in the settings."""
    if settings.kind is None:
        return False
    # Import here: ordinary tables need no wing.
    from netcode.table.kinds import kind_of_wing

    return kind_of_wing(settings.kind) is None
