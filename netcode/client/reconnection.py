"""Keeps a player's seat at a table while connections are lost and opened again.

`session.py` handles messages, and `connectors.py` opens connections.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Final, Protocol, TypeAlias

from msgspec import Struct, field

from netcode.client.connection import Connect, ConnectError, Connection
from netcode.client.interpreter import Interpreter, PassThrough
from netcode.client.session import Session
from netcode.protocol.fields import BeforeTable, Message
from netcode.protocol.messages import Admitted, Goodbye, Refused, Welcome
from netcode.protocol.refusal_sentences import (
    OF_NO_TABLE,
    TOO_MANY_CAME,
    UNKNOWN_KEY,
    is_returning,
)
from netcode.transport.address import Address

FIRST_WAIT_S: Final = 0.5
"""Maximum seconds before the first attempt to reconnect. The maximum doubles for each further
attempt.
"""

LONGEST_WAIT_S: Final = 15.0
"""Maximum seconds between two attempts: short enough for a person who watches the screen."""


class Connected(Struct, frozen=True):
    """News that a connection was opened and Hello was sent."""

    connection: Connection
    """The connection to send by until it is lost."""


class ConnectionLost(Struct, frozen=True):
    """News that the connection was lost, or that an attempt failed. Another attempt follows."""

    attempt: int
    """The number of the next attempt, from 1."""
    wait_s: float
    closed: Goodbye | None = None
    """The Goodbye if the host has closed the table for now; None if the connection was lost."""
    _hurried: asyncio.Event = field(default_factory=asyncio.Event)

    def hurry(self) -> None:
        """End the wait, so that the next attempt starts at once."""
        self._hurried.set()

    async def wait(self) -> None:
        """Wait for `wait_s` seconds, or until `hurry` is called."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self.wait_s):
                await self._hurried.wait()


class HostMoved(Struct, frozen=True):
    """News that the host was found at a new address on the local network."""

    address: Address


News: TypeAlias = Message | Connected | ConnectionLost | HostMoved
"""A message that the session has received, or a change of the connection."""


OnNews: TypeAlias = Callable[[News], object]
"""A function that receives each News."""


class Route(Protocol):
    """A way to a table by several addresses, some of which may lead to other tables."""

    def accept(self) -> None:
        """Record that the server at the latest address has let the client in."""

    def reject(self, code: str) -> bool:
        """Record that the server at the latest address has refused the Hello with this code.

        Return True if the next connection leads to another address. The refusal then does not
        count.
        """


async def stay_connected(
    connect: Connect,
    session: Session,
    name: str,
    on_news: OnNews,
    *,
    spectator: bool = False,
    waits: bool = False,
    route: Route | None = None,
    rng: Random | None = None,
    interpreter: Interpreter | None = None,
) -> None:
    """Keep a session at its table: reconnect and resume the seat whenever the connection is lost.

    Calls `on_news` with each change of the connection, and with each message after the session has
    received it. Some messages are left out: a refusal after which this function itself tries again,
    and with `waits` a Goodbye after which the table opens again. After a Welcome it sends an
    unanswered act again. `interpreter` translates the messages between host and session; by default
    they stay as they are.

    A session without a name gets `name` and `spectator` for its first Hello. Later Hellos repeat
    the latest values of the session. A server of several tables answers with a `BeforeTable`. The
    caller then chooses a table, for example by the Hello of `Session.enter`, and the session moves
    to that table.

    Returns after a Goodbye. But with `waits` it tries again until a table that was closed for now
    is open again; each ConnectionLost then has that Goodbye. A `route` decides whether a server
    that refuses the Hello has the table at all; if not, the session never receives the refusal. An
    error of `on_news` ends this function, which may also be cancelled. Raises ConnectError if
    `interpreter.begin` raises it, or if no connection can be opened before the first
    ConnectionLost. Raises ProtocolError for an invalid message of the host.
    """
    rng, interpreter = rng or Random(), interpreter or PassThrough()
    attempt, wait = 0, FIRST_WAIT_S
    closed: Goodbye | None = None
    is_accepted = is_astray = False
    if session.name is None:
        session.name, session.spectator = name, spectator

    def greet() -> None:
        connection.send(session.hello(session.name or name, spectator=session.spectator))

    def is_of_another_table(message: Message) -> bool:
        """Return True for a refusal by a server that does not have the table."""
        if route is None or not isinstance(message, Goodbye | Refused):
            return False
        is_of_table = isinstance(message, Refused) and message.code not in OF_NO_TABLE
        return not is_of_table and route.reject(message.code)

    def take(message: Message) -> None:
        nonlocal is_accepted, is_astray
        if isinstance(message, Welcome | BeforeTable):
            is_accepted = True
            if route is not None:
                route.accept()
        elif not is_accepted and (is_astray or is_of_another_table(message)):
            is_astray = True
            connection.channel.abort()
            return
        key = session.key
        session.receive(message)
        if waits and isinstance(message, Goodbye) and is_returning(message.code):
            return
        if (
            isinstance(message, Refused)
            and message.code == TOO_MANY_CAME
            and session.lobby is not None
            and not connection.is_welcome
        ):
            # The guests of one home may exceed the host's limit when they all reconnect at once.
            # Retry later.
            connection.channel.abort()
            return
        if isinstance(message, Refused) and message.code == UNKNOWN_KEY and key is not None:
            # The host no longer knows the seat of this key, so join as a newcomer.
            greet()
            return
        on_news(message)
        if isinstance(message, Welcome) and session.pending is not None:
            interpreter.send(session.pending)
        elif isinstance(message, Admitted):
            connection.send(session.enter(message.secret))

    while True:
        try:
            connection = Connection(await connect())
            is_accepted = is_astray = False
        except ConnectError:
            if not attempt:
                raise
        else:
            try:
                greet()
                await interpreter.begin(connection, take)
                on_news(Connected(connection))
                await connection.listen(interpreter.receive)
            finally:
                interpreter.end()
                await connection.channel.close()
            if connection.is_welcome:
                attempt, wait, closed = 0, FIRST_WAIT_S, None
            if session.goodbye is not None:
                if not (waits and is_returning(session.goodbye.code)):
                    return
                closed, session.goodbye = session.goodbye, None
            if is_astray:
                wait = FIRST_WAIT_S
                if not attempt:
                    # The player has no table yet, so do not report a lost connection.
                    continue
        attempt += 1
        # Wait a random time, so that clients do not all reconnect at once when a host restarts.
        lost = ConnectionLost(attempt, wait * rng.uniform(0.5, 1.0), closed)
        on_news(lost)
        await lost.wait()
        wait = min(LONGEST_WAIT_S, 2 * wait)
