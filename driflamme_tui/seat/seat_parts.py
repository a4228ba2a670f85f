"""Defines the parts of a seat, which wings add to the connection between player and table.

A table for one person and bots loads no parts, since no other person can join the table.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from engine.texts import ExplainedError
from netcode.client.connection import Connect, ConnectError, Connection
from netcode.client.interpreter import Interpreter, PassThrough
from netcode.isolation import explained_error, log_failure
from netcode.protocol.fields import Message
from netcode.protocol.messages import Lobby
from netcode.registry import wing_values
from netcode.transport.channel import Channel

if TYPE_CHECKING:
    from driflamme_tui.preferences.remembered import WayBack
    from driflamme_tui.seat.player_seat import PlayerSeat
    from driflamme_tui.seat.targets import ResolvedTarget
    from netcode.client.reconnection import News

SEAM: Final = "seat_parts"
"""The name of the seam for parts of seats, and of a wing's module that serves this seam."""


class Journey(Struct, frozen=True):
    """The data for building a part: a player, and their way to a table."""

    player_seat: "PlayerSeat"
    connect: Connect
    """Opens a connection to the table."""
    target: "ResolvedTarget | None"
    """Another person's table; None at the player's own."""


class SeatPart:
    """A part of a seat. Each method does nothing by default."""

    @property
    def interpreter(self) -> Interpreter | None:
        """The interpreter between host and session; None if messages pass unchanged."""
        return None

    @property
    def is_elsewhere(self) -> bool:
        """True if the table has moved from the target's host to another host."""
        return False

    async def log_in(self) -> None:
        """Prepare the session before the first connection.

        Raises:
            ConnectError: The player cannot get a seat at this table.
        """

    def connector(self, connect: Connect) -> Connect:
        """Return the function that opens a connection, perhaps another one than `connect`."""
        return connect

    def receive(self, news: "News") -> None:
        """Called with a message or a change of the connection, once the session has it."""

    def send(self, message: Message) -> None:
        """Called with a message from the player, just before it is sent."""

    def answered(self) -> int | None:
        """Return the number of events before the last answer of a player who has returned.

        Return None if it is unknown.
        """
        return None

    def missed_from(self) -> int | None:
        """Return the index of the first chat line that was written while the player was away.

        Return None if the player has missed no line.
        """
        return None

    def leaving(self) -> str:
        """Return the effect of leaving now if the player keeps the seat to return later.

        Return "" if leaving gives the seat up.
        """
        return ""

    def way_back(self, way: "WayBack") -> "WayBack":
        """Return the way back to the seat, perhaps changed by this part."""
        return way

    async def close(self) -> None:
        """Close the part, after the connection has ended."""


class SeatParts(Struct, frozen=True):
    """The seam `seat_parts`: the part of a wing for every seat at a table with others."""

    build: Callable[[Journey], SeatPart]


def part_builders(journey: Journey) -> list[Callable[[], SeatPart]]:
    """Return the builders of all wings' parts for one seat."""
    seams = wing_values("driflamme_tui", SEAM, SeatParts)
    return [partial(seam.build, journey) for seam in seams]


def or_unchanged(of_wing: Connect, unchanged: Connect) -> Connect:
    """Return a wing's connector. If it fails unexpectedly, `unchanged` opens the connection.

    A ConnectError is no unexpected failure, and is raised.
    """

    async def connect() -> Channel:
        try:
            return await of_wing()
        except ConnectError:
            raise
        except Exception as error:
            log_failure(error, of_wing)
            return await unchanged()

    return of_wing if of_wing is unchanged else connect


class IsolatedInterpreter:
    """An interpreter of a wing. After an unexpected error, messages pass unchanged.

    At a table whose games need the wing, no message passes then: it could contain a card that the
    interpreter would have hidden. The connection ends with a ConnectError instead.
    """

    def __init__(self, inner: Interpreter) -> None:
        """Use `inner` until it raises an unexpected error."""
        self._inner: Final = inner
        self._unchanged: Final = PassThrough()
        self._failure: ExplainedError | None = None
        """The error for a table that needs the wing; None until `inner` has failed."""
        self._connection: Connection | None = None
        self._is_needed = False
        """True if the table's games need a wing."""
        self._raised: Exception | None = None
        """The last error of the session, which is raised again; None before the first."""

    async def begin(self, connection: Connection, deliver: Callable[[Message], None]) -> None:
        """Use a connection for sending from now on, and deliver messages to a session."""

        def deliver_or_raise(message: Message) -> None:
            try:
                deliver(message)
            except Exception as error:
                self._raised = error
                raise

        self._connection = connection
        await self._unchanged.begin(connection, deliver)
        if self._failure is None:
            try:
                await self._inner.begin(connection, deliver_or_raise)
            except ConnectError:
                raise
            except Exception as error:
                self._fail(error)

    def receive(self, message: Message) -> None:
        """Interpret a message from the host."""
        if isinstance(message, Lobby):
            self._is_needed = message.settings.kind is not None
        self._call(self._inner.receive, self._unchanged.receive, message)

    def send(self, message: Message) -> None:
        """Interpret a message from the player."""
        self._call(self._inner.send, self._unchanged.send, message)

    def end(self) -> None:
        """Stop using the connection, which has ended."""
        self._unchanged.end()
        self._connection = None
        if self._failure is None:
            try:
                self._inner.end()
            except Exception as error:
                self._fail(error)

    def _call(
        self,
        of_wing: Callable[[Message], None],
        unchanged: Callable[[Message], None],
        message: Message,
    ) -> None:
        if self._failure is None:
            try:
                of_wing(message)
            except Exception as error:
                self._fail(error)
            else:
                return
        if self._failure is None or not self._is_needed:
            unchanged(message)
        elif self._connection is not None:
            why = ConnectError(self._failure.template, **self._failure.values)
            self._connection.set_exception(why)

    def _fail(self, error: Exception) -> None:
        """Log and store an error of the interpreter; raise an error of the session again."""
        if error is self._raised:
            raise error
        self._failure = explained_error(error, self._inner)
