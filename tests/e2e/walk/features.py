"""What a wing adds to a walk through pairs of features.

A wing brings it in `tests/wings/NAME/walk.py`, as a subclass of `Feature` under the name `WALK`.
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

    # What is done

    def changes(self, settings: TableSettings) -> Sequence[Mapping[str, Any]]:
        """Return changes of the settings that a host may make, a likely one several times."""
        return ()

    def remedy(self, code: str) -> Mapping[str, Any]:
        """Return the settings with which a game can begin after all; {} if they are others'."""
        return {}

    @property
    def troubles(self) -> Sequence[Callable[[], None]]:
        """What may go wrong during a game, a likely thing several times."""
        return ()

    def prepare_restart(self) -> str:
        """Decide how the host's program starts again; return how, for the list of what was done."""
        return ""

    def table_opened(self, table: Table) -> None:
        """Prepare the table of a host's program that starts."""

    def seat_part(self, person: "Person", journey: Journey) -> SeatPart | None:
        """Return the wing's part of a person's program, whose secrets are the walk's."""
        return None

    def killed(self, person: "Person") -> None:
        """Close the files of a person's program, as the system does."""

    def time_passed(self, person: "Person") -> None:
        """Have a person do what only the wing asks them for."""

    # What is seen

    @property
    def height(self) -> object:
        """What changes whenever a game of the wing's kind goes on."""
        return None

    @property
    def turn(self) -> str | None:
        """The family that is asked in a game of the wing's kind; None without one."""
        return None

    def blur(self, person: "Person") -> str | None:
        """Return what a person does not see as it is; None if the game is not of the wing's kind.

        Empty if the person sees all of it.
        """
        return None


def all_features() -> tuple[type[Feature], ...]:
    """Return the features of all wings."""
    return tuple(module.WALK for module in modules("walk"))
