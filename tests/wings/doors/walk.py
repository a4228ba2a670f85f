"""Doors in a walk: the host's program may be started again with guests on its machine."""

from typing import Final

from netcode.table.table import Table
from tests.e2e.walk.features import Feature


class Doors(Feature):
    """Whether the table has doors, which is decided when its program starts."""

    has_doors = False

    def prepare_restart(self) -> str:
        if self.walk.table.games.phase == "lobby":
            self.has_doors = self.walk.rng.random() < 0.3
        return "with doors" if self.has_doors else ""

    def table_opened(self, table: Table) -> None:
        if self.has_doors:
            table.allow_local_guests()


WALK: Final = Doors
