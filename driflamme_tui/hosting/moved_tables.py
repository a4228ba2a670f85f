"""Lets a wing reopen, on this machine, tables that were open on another machine."""

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from driflamme_tui.hosting.host_plans import Host
from engine.texts import ExplainedError
from netcode.isolation import attempt
from netcode.registry import wing_values
from netcode.table.snapshot import Snapshot

SEAM: Final = "moved_tables"
"""The name of the seam for moved tables, and of a wing's module that serves this seam."""


class MovedTables(NamedTuple):
    """The seam `moved_tables`: finds unfinished tables that are not in this machine's journal."""

    has_any: Callable[[], bool]
    """Returns True if there is probably an unfinished table of another machine. Reads at most a
    small file.
    """
    reopened: Callable[[Host, str], Snapshot | None]
    """Returns the latest unfinished table of another machine, with a new invitation; None without
    one. The arguments are the plan, and the player's name.
    """


def has_moved_table() -> bool:
    """Return True if a wing can probably reopen a table of another machine."""
    return any(attempt(seam.has_any, seam.has_any, False) for seam in _seams())


def moved_table(plan: Host, name: str) -> Snapshot | None:
    """Return the latest table of another machine that a wing can reopen; None if there is none.

    Raises:
        ExplainedError: A wing fails to reopen the table.
    """
    found = (
        attempt(seam.reopened, partial(seam.reopened, plan, name), None, ExplainedError)
        for seam in _seams()
    )
    return next(filter(None, found), None)


def can_reopen() -> bool:
    """Return True if the player can reopen a table that no program has open.

    For a table of another machine, this is only probable.
    """
    from netcode.storage.store import unfinished_table

    return has_moved_table() or unfinished_table() is not None


def _seams() -> tuple[MovedTables, ...]:
    return wing_values("driflamme_tui", SEAM, MovedTables)
