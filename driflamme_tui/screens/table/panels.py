"""Panels: a wing's texts at a table, below the choice and beside the card, and its marks."""

from collections.abc import Callable
from typing import NamedTuple

from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.drawing.terminal import Terminal
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.screens.table.answering import Answering
from driflamme_tui.seat.sitting import Sitting
from driflamme_tui.wording.choices.prompts import Prompter
from engine.views import View
from netcode.registry import brought


class PanelTable(NamedTuple):
    """The data about the table for a panel."""

    sitting: Sitting
    terminal: Terminal
    answering: Answering
    prompter: Callable[[], Prompter]
    show: Callable[[], object]
    """Draws the table once the screen is whole."""


class Panel:
    """A wing's part of a table; each method does nothing by default."""

    def begins(self, view: View) -> None:
        """Discard everything about the previous view."""

    def chose(self) -> None:
        """Handle a change of the reader's choice."""

    def can(self, command: Command) -> bool:
        """Return True if a command can do anything now, or if it belongs to another panel."""
        return True

    def run(self, command: str) -> None:
        """Run a command of the wing, by its name."""

    def takes_letter(self, letter: str) -> bool:
        """Use a typed letter; return False if the panel has no use for it."""
        return False

    def present(self, state: TableState) -> TableState:
        """Return a moment of the table with the panel's contents."""
        return state

    def close(self) -> None:
        """Stop all work before the table closes."""


class PanelKind(NamedTuple):
    """The seam `panels`: a wing's panel for every table with questions."""

    make: Callable[[PanelTable], Panel]


def panels_of(table: PanelTable) -> tuple[Panel, ...]:
    """Return the panels of all wings."""
    return tuple(each.make(table) for each in brought("driflamme_tui", "panels", PanelKind))
