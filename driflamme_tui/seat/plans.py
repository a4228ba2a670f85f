"""What the app is started for: to host, to join, to play alone, to study, or to ask first."""

from typing import TYPE_CHECKING

from msgspec import Struct

from driflamme_tui.hosting.host_plans import Alone, Host
from netcode.transport.address import Address

if TYPE_CHECKING:
    from driflamme_tui.lesson.guided_game import Lesson
    from driflamme_tui.seat.local_table import LocalTable
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


class Study(Struct, frozen=True):
    """Answer alone: at the table of the lesson, of puzzles, or at the analysis board."""

    table: "LocalTable"
    lesson: "Lesson | None" = None
    """What is learnt there, if it is the guided first game."""


Plan = Host | Alone | Join | Study
"""What the app may be started for."""
