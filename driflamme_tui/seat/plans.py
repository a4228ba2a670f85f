"""What the app is started for: to host, to join, to play alone, or to ask first."""

from typing import TYPE_CHECKING

from msgspec import Struct

from driflamme_tui.hosting.host_plans import Alone, Host
from netcode.transport.address import Address

if TYPE_CHECKING:
    from driflamme_tui.lesson.guided_game import Lesson
    from driflamme_tui.seat.position_table import PositionTable
    from netcode.client.connectors import Target


class Spoken(Struct, frozen=True):
    """A table at an address, into which a spoken code leads."""

    address: Address
    code: str

    def __repr__(self) -> str:
        return f"Spoken({self.address!r})"


class Join(Struct, frozen=True):
    """Sit down at somebody's table, or watch it."""

    target: "Target | Spoken"
    watch: bool = False


class Learn(Struct, frozen=True):
    """Go on with the guided first game, or begin it."""

    lesson: "Lesson"
    pace_ms: int | None = None
    """How long the opponents take; None for as long as usual."""


class Study(Struct, frozen=True):
    """Answer at positions, alone: at puzzles, or at the analysis board."""

    table: "PositionTable"


Plan = Host | Alone | Join | Learn
"""What the app may be started for."""
