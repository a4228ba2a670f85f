"""Collects the start screen's rows for tables of earlier visits, and the rows that wings add."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from driflamme_tui.preferences.visits import TABLES, place_of
from driflamme_tui.seat.targets import Join, Plan, parse_target
from driflamme_tui.text.cell_widths import steady
from driflamme_tui.text.i18n import _
from driflamme_tui.wording.program.start_words import Row, visit_row
from netcode.isolation import attempt, explained_error
from netcode.registry import wing_values

SEAM: Final = "start_rows"
"""The name of the seam, and of a wing's module that serves it."""


Seat: TypeAlias = tuple[str, str]
"""A seat: its place as in `WayBack.place`, and the player's name there."""


class AddedRow(NamedTuple):
    """A row, with the plan that it starts."""

    row: Row
    """The row. Its name must be unique on the start screen."""
    plan: Callable[[], Plan]
    """Returns the plan; raises an ExplainedError if the plan has become impossible."""
    forget: Callable[[], object] | None = None
    """Removes the row for good; None if the player cannot remove it."""
    name: str = ""
    """The player's name at the table behind the row; "" for the present name."""
    place: str | None = None
    """The place of the seat to which the row leads, as in `WayBack.place`; None without a seat."""
    is_shared: bool = False
    """True if the label must name the player, because others of this account sit there too."""

    def with_name(self) -> "AddedRow":
        """Return the row with the player's name in its label."""
        label = _("{table} ({name})", table=self.row.label, name=steady(self.name))
        return self._replace(row=replace(self.row, label=label))

    @property
    def seat(self) -> Seat | None:
        """The seat to which the row leads; None if it leads to none.

        Other rows that lead to the same seat are left out. Several players of one account may have
        seats at the same place.
        """
        return None if self.place is None else (self.place, self.name)


def no_rows(_today: int = 0) -> Sequence[AddedRow]:
    """Return no rows, for wings without rows of a kind."""
    return ()


class StartRows(NamedTuple):
    """The seam `start_rows`: the rows that a wing adds to the start screen."""

    waiting: Callable[[], Sequence[AddedRow]] = no_rows
    """Returns the rows for tables and games that wait for the player. The rows stand above the
    menu. The start screen waits for this function, so it must be quick.
    """
    visited: Callable[[int], Sequence[AddedRow]] = no_rows
    """Returns the rows for places of earlier visits, which stand below the tables of this network.

    The function receives the day, as in `date.toordinal`, and runs on a thread.
    """
    refresh: Callable[[], bool] = lambda: False
    """Asks other machines for news; returns True if rows may have changed.

    The function runs on a thread, and may be slow.
    """


def waiting_rows() -> list[AddedRow]:
    """Return the rows of all wings for the top of the menu."""
    return [row for seam in _seams() for row in _rows(seam.waiting)]


def refresh_rows() -> bool:
    """Ask other machines for news; return True if rows may have changed. Call it on a thread."""
    results = [attempt(seam.refresh, seam.refresh, False) for seam in _seams()]
    return any(results)


def visited_rows(today: int, *, except_at: Collection[Seat] = ()) -> list[AddedRow]:
    """Return the rows for tables of earlier visits, and then those for places of wings.

    Args:
        today: The date, counted as `date.toordinal` does.
        except_at: The seats to leave out, because a row above the menu already leads there.
    """
    all_added = [row for seam in _seams() for row in _rows(partial(seam.visited, today))]
    added = [row for row in all_added if row.seat is None or row.seat not in except_at]
    seats = (*except_at, *(each.seat for each in added if each.seat is not None))
    places = {place_of(place) for place, _name in seats}
    rows = [
        AddedRow(
            visit_row(f"visit-{n}", visit, today),
            partial(join, visit.typed),
            partial(TABLES.forget, place),
        )
        for n, (place, visit) in enumerate(TABLES.latest().items())
        if place not in places
    ]
    return [*rows, *added]


def _seams() -> tuple[StartRows, ...]:
    return wing_values("driflamme_tui", SEAM, StartRows)


def _rows(of_wing: Callable[[], Sequence[AddedRow]]) -> list[AddedRow]:
    """Return the rows of a wing; none if the wing fails."""

    def found() -> list[AddedRow]:
        rows = [each._replace(plan=partial(_planned, each.plan)) for each in of_wing()]
        return [each.with_name() if each.is_shared else each for each in rows]

    return attempt(of_wing, found, [])


def _planned(plan: Callable[[], Plan]) -> Plan:
    """Return the plan behind a wing's row; raises ExplainedError after any error of the wing."""
    try:
        return plan()
    except Exception as error:
        raise explained_error(error, plan) from None


def join(typed: str) -> Plan:
    """Return the plan to join the table to which a typed text leads.

    Raises:
        ExplainedError: The text leads to no table.
    """
    return Join(parse_target(typed, ()))
