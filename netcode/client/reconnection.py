"""Keeps a player's seat at a table over several connections.

`session.py` handles messages, and `connectors.py` opens connections.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Final, TypeAlias

from msgspec import Struct, field

from netcode.client.connection import Connect, ConnectError, Connection
from netcode.client.interpreter import Interpreter, PassThrough
from netcode.client.session import Session
from netcode.protocol.fields import Message
from netcode.protocol.messages import Admitted, Refused, Welcome
from netcode.protocol.refusal_sentences import UNKNOWN_KEY

FIRST_WAIT_S: Final = 0.5
"""Maximum seconds before the first attempt to reconnect. Each further maximum is twice as long."""

LONGEST_WAIT_S: Final = 15.0
"""Maximum seconds between two attempts: few enough for a person who watches the screen."""


class Connected(Struct, frozen=True):
    """A connection is open, and Hello was sent."""

    connection: Connection
    """The connection for sending, until it is lost."""


class Lost(Struct, frozen=True):
    """The connection was lost, or an attempt failed. Another attempt follows."""

    attempt: int
    """The number, from 1, of the attempt after the wait."""
    wait_s: float
    _hurried: asyncio.Event = field(default_factory=asyncio.Event)

    def hurry(self) -> None:
        """Try at once instead of waiting."""
        self._hurried.set()

    async def wait(self) -> None:
        """Wait for its time, or until `hurry` is called."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self.wait_s):
                await self._hurried.wait()


News: TypeAlias = Message | Connected | Lost
"""What a session has received, and changes of the connection."""


OnNews: TypeAlias = Callable[[News], object]
"""Receives the news."""


async def stay_connected(
    connect: Connect,
    session: Session,
    name: str,
    on_news: OnNews,
    *,
    spectator: bool = False,
    rng: Random | None = None,
    interpreter: Interpreter | None = None,
) -> None:
    """Keep a session at its table, coming back to its seat whenever the connection is lost.

    Tells of every message, after the session has taken it in, and how the connection fares; an act
    without an answer is sent again once the Welcome has been told of. The
    name is for the first Hello; later ones repeat what the session last said. Members of a club get
    a Club: they send what `Session.enter` returns, or an OpenTable, and then are at that table.
    An interpreter makes of what the host sends what the session takes in. Ends when the host has
    said goodbye, or at what `on_news` raises, and may be cancelled before. Raises ConnectError if
    the first attempt fails or nothing can be kept, and ProtocolError if the host makes no sense.
    """
    rng, interpreter = rng or Random(), interpreter or PassThrough()
    attempt, wait = 0, FIRST_WAIT_S
    if session.name is None:
        session.name, session.spectator = name, spectator

    def greet() -> None:
        connection.say(session.hello(session.name or name, session.spectator))

    def take(message: Message) -> None:
        key = session.key
        session.receive(message)
        if isinstance(message, Refused) and message.code == UNKNOWN_KEY and key is not None:
            # The seat and its key are gone: join as a newcomer.
            greet()
            return
        on_news(message)
        if isinstance(message, Welcome) and session.pending is not None:
            interpreter.send(session.pending)
        elif isinstance(message, Admitted):
            connection.say(session.enter(message.secret))

    while True:
        try:
            connection = Connection(await connect())
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
            if session.goodbye is not None:
                return
            if connection.is_welcome:
                attempt, wait = 0, FIRST_WAIT_S
        attempt += 1
        # At random, so that clients do not all return at once when a host comes back.
        lost = Lost(attempt, wait * rng.uniform(0.5, 1.0))
        on_news(lost)
        await lost.wait()
        wait = min(LONGEST_WAIT_S, 2 * wait)
