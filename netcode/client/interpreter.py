"""Interpreters: what stands between a host and a session, and makes of messages what each takes."""

from collections.abc import Callable
from typing import Protocol

from netcode.client.connection import Connection
from netcode.client.interpreted import Request
from netcode.protocol.fields import ForInterpreter, Message


class Interpreter(Protocol):
    """Takes what a host sends and what a player asks; outlives each connection."""

    async def begin(self, connection: Connection, deliver: Callable[[Message], None]) -> None:
        """Send over a connection from now on, and deliver to a session what there is for it."""

    def receive(self, message: Message) -> None:
        """Handle a message from the host."""

    def send(self, message: Message) -> None:
        """Handle a message from the player; without a connection it is lost."""

    def end(self) -> None:
        """Handle that the connection has ended."""


class PassThrough:
    """Delivers and sends every message as it is."""

    _connection: Connection | None = None

    async def begin(self, connection: Connection, deliver: Callable[[Message], None]) -> None:
        """Send over a connection from now on."""
        self._connection, self._deliver = connection, deliver

    def receive(self, message: Message) -> None:
        """Deliver a message, unless only another interpreter could handle it."""
        if not isinstance(message, ForInterpreter):
            self._deliver(message)

    def send(self, message: Message) -> None:
        """Send a message, unless only another interpreter could handle it."""
        if self._connection is not None and not isinstance(message, Request):
            self._connection.say(message)

    def end(self) -> None:
        """Send nothing until there is another connection."""
        self._connection = None
