"""Defines what wings add to a walk through pairs of features.

A wing has a subclass of `Feature` under the name `WALK` in `tests/wings/NAME/walk.py`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from driflamme_tui.seat.seat_parts import Journey, SeatPart
from netcode.protocol.table_settings import TableSettings
from netcode.table.table import Table
from tests.support.wings import modules

if TYPE_CHECKING:
    from tests.e2e.walk.people import Person
    from tests.e2e.walk.walk import Walk


class Feature:
    """The part of a wing in one walk. Each method does nothing by default."""

    settings: ClassVar[Mapping[str, Any]] = {}
    """The settings that make a table one of the wing's kind; {} if it has none."""

    def __init__(self, walk: "Walk") -> None:
        self.walk: Final = walk

    # Actions

    def changes(self, settings: TableSettings) -> Sequence[Mapping[str, Any]]:
        """Return changes of the settings that a host may make; likely ones occur several times."""
        return ()

    def remedy(self, code: str) -> Mapping[str, Any]:
        """Return settings that remove this reason against a game; {} if the wing knows none."""
        return {}

    @property
    def troubles(self) -> Sequence[Callable[[], None]]:
        """Troubles during a game; likely ones occur several times."""
        return ()

    def prepare_restart(self) -> str:
        """Decide how the host's program restarts; return a description, "" if there is none."""
        return ""

    def table_opened(self, table: Table) -> None:
        """Prepare the table that a host's program has just opened."""

    def seat_part(self, person: "Person", journey: Journey) -> SeatPart | None:
        """Return the wing's part of a person's program, with the walk's secrets; None without such
        a part.
        """
        return None

    def killed(self, person: "Person") -> None:
        """Close the files of a person's killed program, as the system does."""

    def time_passed(self, person: "Person") -> None:
        """Do the wing's own actions for a person; the walk calls this whenever time has passed."""

    # Views

    @property
    def height(self) -> object:
        """A value that changes with every step of the wing's kind of game."""
        return None

    @property
    def turn(self) -> str | None:
        """The family that must decide in the wing's kind of game; None without one."""
        return None

    def blur(self, person: "Person") -> str | None:
        """Return the outdated parts of a person's view; "" if the view is current.

        Returns None for a game of another kind.
        """
        return None


def all_features() -> tuple[type[Feature], ...]:
    return tuple(module.WALK for module in modules("walk"))
