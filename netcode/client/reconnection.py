"""A player's place at a table over as many connections as it takes.

What messages mean is `session.py`'s, and how one gets to a table `connectors.py`'s.
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
"""Longest wait before the first attempt to come back; each further wait is twice as long."""

LONGEST_WAIT_S: Final = 15.0
"""Longest wait between two attempts: within the patience of somebody who watches the screen."""


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


News: TypeAlias = Message | Connected | Lost
"""What a session has taken in, and how the connection fares."""


OnNews: TypeAlias = Callable[[News], object]
"""Is told the news."""


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
            # The seat is gone, and with it its key: join anew.
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
        # Not all at once: when a host comes back, everybody does.
        lost = Lost(attempt, wait * rng.uniform(0.5, 1.0))
        on_news(lost)
        await lost.wait()
        wait = min(LONGEST_WAIT_S, 2 * wait)
