"""The program with two more wings: `laughs`, which works, and `clumsy`.

Each method of the parts of `clumsy` raises an unexpected error.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

import driflamme_tui.wings
import netcode.wings
from driflamme_tui.app.app_parts import AppPart, AppParts
from driflamme_tui.hosting.moved_tables import MovedTables
from driflamme_tui.hosting.parts import HostParts, Part, PartKind
from driflamme_tui.plain.wing_lines import WingLines
from driflamme_tui.screens.start_rows import StartRows
from driflamme_tui.screens.table.panels import Panel, PanelKind
from driflamme_tui.seat.seat_parts import SeatPart, SeatParts
from driflamme_tui.seat.sections import Section, SectionKind
from netcode.server.routes import RouteMaker
from netcode.table.kinds import KindOfWing
from netcode.table.parts import TablePart, TablePartKind
from tests.support.clumsy import NAME, all_fail, fails


def made(kind: type) -> Any:
    """Return a function that builds a part of which every method fails."""
    return lambda *_given: all_fail(kind)()


def table_part(place: Any) -> TablePart:
    """Return a part of a table of which every method fails."""
    part: TablePart = all_fail(TablePart)(place)
    return part


def add(package: ModuleType, **seams: object) -> None:
    """Add the wing to a package's list."""
    for seam, value in seams.items():
        module = ModuleType(f"{package.__name__}.{NAME}.{seam}")
        vars(module)["SEAM"] = value
        sys.modules[module.__name__] = module
    package.WINGS = {NAME: (*seams,), **package.WINGS}  # type: ignore[attr-defined]


add(
    netcode.wings,
    table_parts=TablePartKind(NAME, table_part),
    routes=RouteMaker(fails),
    kind=KindOfWing(NAME, fails, fails),
)
add(
    driflamme_tui.wings,
    app_parts=AppParts(made(AppPart)),
    moved_tables=MovedTables(fails, fails),
    panels=PanelKind(made(Panel)),
    parts=HostParts((PartKind(NAME, made(Part), is_everywhere=True),)),
    plain=WingLines(in_lobby={NAME: fails}, words=(NAME,)),
    seat_parts=SeatParts(made(SeatPart)),
    sections=SectionKind(made(Section)),
    start_rows=StartRows(fails, fails),
)
import_module("tests.support.made_up.__main__")

if __name__ == "__main__":
    from driflamme_tui.cli.main import run

    run()
