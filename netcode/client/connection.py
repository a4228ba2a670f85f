"""A connection to a table, and its heartbeat."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, TypeAlias

from msgspec.structs import replace

from engine.words import ExplainedError
from netcode.client.session import ProtocolError
from netcode.protocol.codec import CodecError, decode_host, encode
from netcode.protocol.fields import Message
from netcode.protocol.messages import Lobby, Welcome
from netcode.transport.channel import Channel, ChannelClosedError

HEARTBEAT_S: Final = 2.0
"""Seconds of silence before a sign of life is asked for: the latency shown stays news."""

HEARTBEAT_TIMEOUT_S: Final = 4.0
"""Seconds that a sign of life may take: a few packets that are lost end no connection."""

OVERSLEPT_S: Final = 1.0
"""Seconds by which a timer is late that stood still together with its machine."""


class ConnectError(ExplainedError):
    """Why there is no connection to a table, as a sentence."""

    code = ""
    """The code of the reason, if the table has refused the connection with one."""


Connect: TypeAlias = Callable[[], Awaitable[Channel]]
"""Opens a connection to one table or club, any number of times; raises ConnectError."""


class Connection:
    """A connection to a table: `say` sends, and `listen` has what comes taken in."""

    def __init__(self, channel: Channel) -> None:
        self.channel: Final = channel
        """What carries it."""
        self.latency: float | None = None
        """Seconds to the host and back when last measured; None before."""
        self.is_welcome = False
        """Whether there has been a Welcome."""
        self._heard_at = 0.0
        self._failure: Exception | None = None

    def say(self, message: Message) -> None:
        """Send a message; on a connection that has ended it is lost, as `listen` will show."""
        self.channel.send(encode(message))

    def set_exception(self, error: Exception) -> None:
        """End the connection; as of a future, whoever listens has the error raised."""
        self._failure = self._failure or error
        self.channel.abort()

    async def listen(self, take: Callable[[Message], object]) -> None:
        """Have each message taken in while the host gives signs of life.

        Raises ProtocolError at a bad one.
        """
        heartbeat = asyncio.create_task(self._beat())
        try:
            while self._failure is None:
                message = decode_host(await self.channel.receive())
                self._heard_at = asyncio.get_running_loop().time()
                self.is_welcome |= isinstance(message, Welcome)
                if isinstance(message, Lobby) and message.invitation:
                    # A table within one program invites nobody, and is there sooner without it.
                    from netcode.joining.invitation import written_anew

                    # Guests paste it into their shells: it is nothing that a host dictates.
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
        """Ask for a sign of life whenever there has been none for a while, until there is none."""
        loop = asyncio.get_running_loop()
        self._heard_at = loop.time()
        with suppress(ChannelClosedError):
            while True:
                asked_at = loop.time()
                silence = asked_at - self._heard_at
                if silence < HEARTBEAT_S:
                    await asyncio.sleep(HEARTBEAT_S - silence)
                    continue
                try:
                    async with asyncio.timeout(HEARTBEAT_TIMEOUT_S):
                        self.latency = await self.channel.ping()
                except TimeoutError:
                    overslept = loop.time() - asked_at > HEARTBEAT_TIMEOUT_S + OVERSLEPT_S
                    if self._heard_at <= asked_at and not overslept:
                        self.channel.abort()
                        return
                else:
                    self._heard_at = loop.time()
