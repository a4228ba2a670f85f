"""The shell around a session on a player's side: one connection, and staying connected.

It carries messages and says how the connection fares; what they mean is `session.py`'s.
"""

import asyncio
import logging
import socket
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, suppress
from dataclasses import dataclass
from random import Random
from typing import Final, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from engine.words import N_, ExplainedError
from netcode.address import Address
from netcode.codec import FROM_HOST, CodecError, decode_host, encode
from netcode.messages import ClientMessage, HostMessage, Refused, Welcome
from netcode.refusals import UNKNOWN_KEY
from netcode.session import ProtocolError, Session

CONNECT_TIMEOUT_S: Final = 10.0
"""For a table to answer: long for a network, short for a person who waits."""

SECOND_ADDRESS_S: Final = 0.25
"""Before the next address of a name is tried too, as RFC 8305 advises."""

PING_INTERVAL_S: Final = 5.0
"""Between two questions whether the host is still there, so that a dead line shows in seconds."""

PING_TIMEOUT_S: Final = 5.0
"""How long it may take to answer that."""

CLOSE_TIMEOUT_S: Final = 2.0
"""How long the host may take to agree to an end."""

FIRST_WAIT_S: Final = 0.5
"""Before the second attempt to come back; each further wait is twice as long."""

LONGEST_WAIT_S: Final = 15.0
"""Between two attempts: within the patience of somebody who watches the screen."""

_wire_log = logging.getLogger("netcode.wire")
# At DEBUG websockets would log frames, and with them keys and cards.
_wire_log.setLevel(logging.INFO)


class ConnectError(ExplainedError):
    """Why there is no connection to a table, as a sentence."""


class Connection:
    """A connection to a table: messages go in, and come out of iterating over it."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    @classmethod
    async def connect(cls, address: Address, *, timeout: float = CONNECT_TIMEOUT_S) -> Self:
        """Connect to a table; raises ConnectError. Nothing is said yet."""
        where = str(address)
        try:
            return cls(
                await connect(
                    # Whom the request is for does not matter to a table, and a link-local
                    # address has no place in a URI. With a host given apart, the request
                    # cannot be sent on to somebody else either.
                    "ws://driflamme/",
                    host=address.host,
                    port=address.port,
                    happy_eyeballs_delay=SECOND_ADDRESS_S,
                    # Tables are on the same network or tunnelled to, never behind a web proxy.
                    proxy=None,
                    compression=None,
                    max_size=FROM_HOST.frame,
                    open_timeout=timeout,
                    ping_interval=PING_INTERVAL_S,
                    ping_timeout=PING_TIMEOUT_S,
                    close_timeout=CLOSE_TIMEOUT_S,
                    user_agent_header=None,
                    logger=_wire_log,
                )
            )
        except TimeoutError:
            raise ConnectError(
                N_("{address} does not answer: is the address right, and does a firewall bar it?"),
                address=where,
            ) from None
        except socket.gaierror:
            raise ConnectError(
                N_("There is no machine called {host}."), host=address.host
            ) from None
        except OSError as error:
            # asyncio has no number for several addresses of one name that all fail.
            if isinstance(error, ConnectionRefusedError) or error.errno is None:
                raise ConnectError(
                    N_("No table is open at {address}: ask the host for the exact command."),
                    address=where,
                ) from None
            raise ConnectError(
                N_("{address} cannot be reached: {why}."),
                address=where,
                why=error.strerror or str(error),
            ) from None
        except (WebSocketException, ValueError):
            raise ConnectError(
                N_("Something answers at {address}, but it is no table of Driflamme."),
                address=where,
            ) from None

    async def send(self, message: ClientMessage) -> None:
        """Send a message; on a connection that has ended it is lost, as iterating will show."""
        with suppress(ConnectionClosed):
            await self._socket.send(encode(message))

    async def __aiter__(self) -> AsyncIterator[HostMessage]:
        """Yield messages until the connection ends; raises ProtocolError at one that is none."""
        try:
            while True:
                frame = await self._socket.recv()
                try:
                    message = decode_host(frame)
                except CodecError as error:
                    raise ProtocolError(f"a frame is no message: {error.code}") from error
                yield message
        except ConnectionClosed:
            return

    async def close(self) -> None:
        """End the connection."""
        await self._socket.close()


@dataclass(frozen=True, slots=True)
class Connected:
    """There is a connection, and hello has been said on it."""

    connection: Connection
    """What to send on until it is lost."""


@dataclass(frozen=True, slots=True)
class Lost:
    """There is none any more; it is tried again."""

    attempt: int
    """The number, from 1, of the attempt that comes after the wait."""
    wait_s: float


async def stay_connected(
    address: Address,
    session: Session,
    name: str,
    *,
    spectator: bool = False,
    timeout: float = CONNECT_TIMEOUT_S,
    rng: Random | None = None,
) -> AsyncGenerator[HostMessage | Connected | Lost, None]:
    """Keep a session at its table, coming back to its seat whenever the connection is lost.

    Yields every message, after the session has taken it in, and how the connection fares. The
    name is for the first Hello; later ones repeat what the session last said. Ends when the host
    has said goodbye; close it (`contextlib.aclosing`) to stop before. Raises
    ConnectError if the first attempt fails, and ProtocolError if the host makes no sense.
    """
    rng = rng or Random()
    attempt, wait = 0, FIRST_WAIT_S
    while True:
        try:
            connection = await Connection.connect(address, timeout=timeout)
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
        jittered = wait * rng.uniform(0.5, 1.0)
        yield Lost(attempt, jittered)
        await asyncio.sleep(jittered)
        wait = min(LONGEST_WAIT_S, 2 * wait)


async def _converse(
    connection: Connection, session: Session, name: str, spectator: bool
) -> AsyncGenerator[HostMessage | Connected, None]:
    """Say hello, then yield what comes, until the connection ends."""
    if session.name is None:
        hello = session.hello(name, spectator)
    else:
        hello = session.hello(session.name, session.spectator)
    await connection.send(hello)
    yield Connected(connection)
    async for message in connection:
        key = session.key
        session.receive(message)
        if isinstance(message, Refused) and message.code == UNKNOWN_KEY and key is not None:
            # The seat is gone, and with it its key: join anew.
            await connection.send(session.hello(hello.name, hello.spectator))
            continue
        if isinstance(message, Welcome) and session.pending is not None:
            await connection.send(session.pending)
        yield message
