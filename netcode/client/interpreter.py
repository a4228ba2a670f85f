"""Defines interpreters, which stand between a host and a session and translate their messages."""

from collections.abc import Callable
from typing import Protocol

from netcode.client.connection import Connection
from netcode.client.interpreted import Request
from netcode.protocol.fields import ForInterpreter, Message


class Interpreter(Protocol):
    """Translates messages of a host and of a player. An interpreter outlives each connection."""

    async def begin(self, connection: Connection, deliver: Callable[[Message], None]) -> None:
        """Send on this connection from now on, and pass translated messages to `deliver`.

        May raise ConnectError, which ends `stay_connected`.
        """

    def receive(self, message: Message) -> None:
        """Translate a message from the host, and deliver the result."""

    def send(self, message: Message) -> None:
        """Translate a message from the player, and send the result.

        Without a connection the message is lost.
        """

    def end(self) -> None:
        """Stop sending: the connection has ended."""


class PassThrough:
    """Delivers and sends messages unchanged; drops those that need another interpreter."""

    _connection: Connection | None = None

    async def begin(self, connection: Connection, deliver: Callable[[Message], None]) -> None:
        """Send on this connection from now on, and pass messages to `deliver`."""
        self._connection, self._deliver = connection, deliver

    def receive(self, message: Message) -> None:
        """Deliver a message, unless it needs another interpreter."""
        if not isinstance(message, ForInterpreter):
            self._deliver(message)

    def send(self, message: Message) -> None:
        """Send a message, unless it needs another interpreter."""
        if self._connection is not None and not isinstance(message, Request):
            self._connection.send(message)

    def end(self) -> None:
        """Stop sending until `begin` is called again."""
        self._connection = None
