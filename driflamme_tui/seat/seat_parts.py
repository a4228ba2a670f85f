"""Defines the parts of a seat, which wings add to the connection between player and table.

A table for one person and bots loads none of them, since nobody else can join it.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from netcode.client.connection import Connect
from netcode.client.interpreter import Interpreter
from netcode.registry import brought

if TYPE_CHECKING:
    from driflamme_tui.preferences.remembered import WayBack
    from driflamme_tui.seat.player_seat import PlayerSeat
    from driflamme_tui.seat.targets import ResolvedTarget
    from netcode.client.reconnection import News

SEAM: Final = "seat_parts"
"""The name of the seam, and of a wing's module that serves it."""


class Journey(NamedTuple):
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
        """True if the table has moved to another host than that of the target."""
        return False

    async def log_in(self) -> None:
        """Prepare the session before the first connection; raises ConnectError."""

    def connector(self, connect: Connect) -> Connect:
        """Return the function that opens a connection to the table."""
        return connect

    def receive(self, news: "News") -> None:
        """Handle a message or a change of the connection. The session has already handled it."""

    def way_back(self, way: "WayBack") -> "WayBack":
        """Return the way back to the seat, perhaps changed by this part."""
        return way

    async def close(self) -> None:
        """Close the part. It is called after the connection has ended."""


class SeatParts(NamedTuple):
    """The seam `seat_parts`: the part of a wing for every seat at a table with others."""

    build: Callable[[Journey], SeatPart]


def build_parts(journey: Journey) -> tuple[SeatPart, ...]:
    """Return the parts of a seat."""
    return tuple(seam.build(journey) for seam in brought("driflamme_tui", SEAM, SeatParts))
