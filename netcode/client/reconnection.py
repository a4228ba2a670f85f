"""A player's connection to a table: its heartbeat, and coming back when it is lost.

What messages mean is `session.py`'s, and how one gets to a table `connectors.py`'s.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from random import Random
from typing import Final, TypeAlias

from msgspec import Struct, field

from engine.words import N_, ExplainedError
from netcode.client.sealed_filter import SealedFilter
from netcode.client.sealed_news import Asked, SealedRequest, Told
from netcode.client.session import ProtocolError, Session
from netcode.protocol.codec import CodecError, decode_host, encode
from netcode.protocol.messages import (
    AdmissionMessage,
    Admitted,
    ClientMessage,
    Hello,
    HostMessage,
    Leave,
    Refused,
    Welcome,
)
from netcode.protocol.refusal_sentences import UNKNOWN_KEY
from netcode.transport.channel import Channel, ChannelClosedError

HEARTBEAT_S: Final = 2.0
"""Seconds of silence before a sign of life is asked for: the latency shown stays news."""

HEARTBEAT_TIMEOUT_S: Final = 4.0
"""Seconds that a sign of life may take: a few packets that are lost end no connection."""

OVERSLEPT_S: Final = 1.0
"""Seconds by which a timer is late that stood still together with its machine."""

FIRST_WAIT_S: Final = 0.5
"""Longest wait before the first attempt to come back; each further wait is twice as long."""

LONGEST_WAIT_S: Final = 15.0
"""Longest wait between two attempts: within the patience of somebody who watches the screen."""


class ConnectError(ExplainedError):
    """Why there is no connection to a table, as a sentence."""

    code = ""
    """The code of the reason, if the table has refused the connection with one."""


Connect: TypeAlias = Callable[[], Awaitable[Channel]]
"""Opens a connection to one table or club, any number of times; raises ConnectError."""


class Connection:
    """A connection to a table: messages go in, and come out of iterating over it."""

    def __init__(self, channel: Channel, sealed: SealedFilter | None = None) -> None:
        """Begin; at a sealed table, `sealed` stands between host and session."""
        self.latency: float | None = None
        """Seconds to the host and back when last measured; None before."""
        self._channel = channel
        self._sealed = sealed
        self._heard_at = 0.0
        self.is_welcome = False
        """Whether there has been a Welcome."""
        self._waiting: list[ClientMessage] = []
        """What is to be said once there has been a Welcome."""

    @property
    def channel(self) -> Channel:
        """What carries it."""
        return self._channel

    async def send(self, message: Asked) -> None:
        """Send a message; on a connection that has ended it is lost, as iterating will show.

        What is for a table waits until iterating has brought the Welcome: to the host it is a sign
        that the key in the Welcome has arrived, after which it takes the key before it no more.
        """
        if isinstance(message, Hello | Leave | AdmissionMessage):
            self._channel.send(encode(message))
        elif self._sealed is not None and self._sealed.say(message):
            pass
        elif not isinstance(message, SealedRequest):
            self._send(message)

    def _send(self, message: ClientMessage) -> None:
        if self.is_welcome:
            self._channel.send(encode(message))
        else:
            self._waiting.append(message)

    async def _receive(self) -> HostMessage:
        """Return the next message; raises ChannelClosedError and ProtocolError."""
        frame = await self._channel.receive()
        self._heard_at = asyncio.get_running_loop().time()
        try:
            return decode_host(frame)
        except CodecError as error:
            raise ProtocolError(f"a frame is no message: {error.code}") from error

    async def _told(self) -> AsyncGenerator[Told, None]:
        """Yield what comes, or at a sealed table what one's own program makes of it."""
        if self._sealed is None:
            while True:
                yield await self._receive()
        async with aclosing(self._sealed.between(self._receive, self._send)) as told:
            async for message in told:
                yield message

    async def __aiter__(self) -> AsyncGenerator[Told, None]:
        """Yield messages while the host gives signs of life; raises ProtocolError at a bad one.

        Raises ConnectError if a sealed game cannot go on here.
        """
        heartbeat = asyncio.create_task(self._beat())
        try:
            async with aclosing(self._told()) as told:
                async for message in told:
                    if isinstance(message, Welcome):
                        self.is_welcome = True
                    yield message
                    if self.is_welcome and self._waiting:
                        # Whoever iterates has dealt with the Welcome, and put the new key by.
                        waiting, self._waiting = self._waiting, []
                        for each in waiting:
                            self._send(each)
        except ChannelClosedError:
            return
        except OSError as error:
            raise ConnectError(
                N_("What is signed at a sealed table must be kept first, and was not: {why}"),
                why=str(error),
            ) from error
        finally:
            heartbeat.cancel()

    async def close(self) -> None:
        """End the connection."""
        await self._channel.close()

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
                        self.latency = await self._channel.ping()
                except TimeoutError:
                    overslept = loop.time() - asked_at > HEARTBEAT_TIMEOUT_S + OVERSLEPT_S
                    if self._heard_at <= asked_at and not overslept:
                        self._channel.abort()
                        return
                else:
                    self._heard_at = loop.time()


class Connected(Struct, frozen=True):
    """Says that there is a connection, and that hello has been said on it."""

    connection: Connection
    """What to send on until it is lost."""


class Lost(Struct, frozen=True):
    """Says that the connection is lost, or that an attempt failed; there will be another."""

    attempt: int
    """The number, from 1, of the attempt that comes after the wait."""
    wait_s: float
    _hurried: asyncio.Event = field(default_factory=asyncio.Event)

    def hurry(self) -> None:
        """Try at once instead of waiting any longer."""
        self._hurried.set()

    async def wait(self) -> None:
        """Wait for as long as it says, or until somebody is in a hurry."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self.wait_s):
                await self._hurried.wait()


News: TypeAlias = Told | Connected | Lost
"""What a session has taken in, and how the connection fares."""


async def stay_connected(
    connect: Connect,
    session: Session,
    name: str,
    *,
    spectator: bool = False,
    rng: Random | None = None,
    sealed: SealedFilter | None = None,
) -> AsyncGenerator[News, None]:
    """Keep a session at its table, coming back to its seat whenever the connection is lost.

    Yields every message, after the session has taken it in, and how the connection fares; an act
    without an answer is sent again once whoever iterates has dealt with the Welcome. The
    name is for the first Hello; later ones repeat what the session last said. Members of a club get
    a Club: they send what `Session.enter` returns, or an OpenTable, and then are at that table.
    At a sealed table, `sealed` makes of the host's parcels what a host says elsewhere. Ends when
    the host has said goodbye; close it (`contextlib.aclosing`) to stop before. Raises ConnectError
    if the first attempt fails, and ProtocolError if the host makes no sense.
    """
    rng = rng or Random()
    attempt, wait = 0, FIRST_WAIT_S
    while True:
        try:
            connection = Connection(await connect(), sealed)
        except ConnectError:
            if not attempt:
                raise
        else:
            try:
                async with aclosing(_converse(connection, session, name, spectator)) as messages:
                    async for message in messages:
                        if isinstance(message, Welcome):
                            attempt, wait = 0, FIRST_WAIT_S
                        yield message
            finally:
                await connection.close()
            if session.goodbye is not None:
                return
        attempt += 1
        # Not all at once: when a host comes back, everybody does.
        lost = Lost(attempt, wait * rng.uniform(0.5, 1.0))
        yield lost
        await lost.wait()
        wait = min(LONGEST_WAIT_S, 2 * wait)


async def _converse(
    connection: Connection, session: Session, name: str, spectator: bool
) -> AsyncGenerator[Told | Connected, None]:
    """Say hello, then yield what comes, until the connection ends."""
    await connection.send(_hello(session, name, spectator))
    yield Connected(connection)
    async with aclosing(aiter(connection)) as messages:
        async for message in messages:
            key = session.key
            session.receive(message)
            if isinstance(message, Refused) and message.code == UNKNOWN_KEY and key is not None:
                # The seat is gone, and with it its key: join anew.
                await connection.send(_hello(session, name, spectator))
                continue
            yield message
            if isinstance(message, Welcome) and session.pending is not None:
                # Not before the new key can have been put by: whatever is said with it makes the
                # one before it worthless.
                await connection.send(session.pending)
            elif isinstance(message, Admitted):
                await connection.send(session.enter(message.secret))


def _hello(session: Session, name: str, spectator: bool) -> Hello:
    """Return what to say first, or again."""
    if session.name is None:
        return session.hello(name, spectator)
    return session.hello(session.name, session.spectator)
