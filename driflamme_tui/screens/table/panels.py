"""Panels: what a wing shows at a table below the choice, beside the card, and as marks."""

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
    """What a panel knows of its table."""

    sitting: Sitting
    terminal: Terminal
    answering: Answering
    prompter: Callable[[], Prompter]
    show: Callable[[], object]
    """Draws the table once the screen is whole."""


class Panel:
    """What a wing shows at a table; each method does nothing by default."""

    def begins(self, view: View) -> None:
        """Forget what was about the view before."""

    def chose(self) -> None:
        """Take note that the reader has made another choice."""

    def can(self, command: Command) -> bool:
        """Return whether a command can do anything now; True for those of others."""
        return True

    def run(self, command: str) -> None:
        """Carry out a command of the wing, by its name."""

    def takes_letter(self, letter: str) -> bool:
        """Carry out what a typed letter means to the panel; return False if it means nothing."""
        return False

    def present(self, state: TableState) -> TableState:
        """Return a moment of the table with what the panel shows."""
        return state

    def close(self) -> None:
        """Stop whatever is under way: the table closes."""


class PanelKind(NamedTuple):
    """The seam `panels`: a panel that a wing brings to every table with a question."""

    make: Callable[[PanelTable], Panel]


def panels_of(table: PanelTable) -> tuple[Panel, ...]:
    """Return the panels of all wings."""
    return tuple(each.make(table) for each in brought("driflamme_tui", "panels", PanelKind))
