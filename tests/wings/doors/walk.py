"""Doors in a walk: the host's program may restart with or without doors."""

from typing import Final

from netcode.table.table import Table
from tests.e2e.walk.features import Feature


class Doors(Feature):
    """Decides, when the host's program starts, whether the table has doors."""

    has_doors = False

    def prepare_restart(self) -> str:
        if self.walk.table.games.phase == "lobby":
            self.has_doors = self.walk.rng.random() < 0.3
        return "with doors" if self.has_doors else ""

    def table_opened(self, table: Table) -> None:
        if self.has_doors:
            table.allow_local_guests()


WALK: Final = Doors
