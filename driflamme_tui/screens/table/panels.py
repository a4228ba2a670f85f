"""Lets wings add panels to a table: texts below the choice and beside the card, and marks."""

from collections.abc import Callable
from typing import NamedTuple

from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.drawing.terminal import Terminal
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.screens.table.answering import Answering
from driflamme_tui.seat.player_seat import PlayerSeat
from driflamme_tui.wording.choices.prompts import Prompter
from engine.views import View
from netcode.registry import brought


class PanelTable(NamedTuple):
    """The data about a table that a panel can use."""

    player_seat: PlayerSeat
    terminal: Terminal
    answering: Answering
    prompter: Callable[[], Prompter]
    show: Callable[[], object]
    """Draws the table as soon as the screen is complete."""


class Panel:
    """The part of a wing on a table's screen. Each method does nothing by default."""

    def begins(self, view: View) -> None:
        """Discard everything about the previous view."""

    def chose(self) -> None:
        """React to a change of the reader's choice."""

    def can(self, command: Command) -> bool:
        """Return True if a command has an effect now, or belongs to another panel."""
        return True

    def run(self, command: str) -> None:
        """Run a command of the wing, by its name."""

    def takes_letter(self, letter: str) -> bool:
        """Handle a typed letter; return False if the panel does not use it."""
        return False

    def present(self, state: TableState) -> TableState:
        """Return a moment of the table with the panel's contents added."""
        return state

    def close(self) -> None:
        """Stop all work before the table closes."""


class PanelKind(NamedTuple):
    """The seam `panels`: the panel of a wing, for every table with questions."""

    make: Callable[[PanelTable], Panel]


class Panels(tuple[Panel, ...]):
    """All panels of a table."""

    __slots__ = ()

    @classmethod
    def of(cls, table: PanelTable) -> "Panels":
        """Return the panels of all wings."""
        return cls(each.make(table) for each in brought("driflamme_tui", "panels", PanelKind))

    def begins(self, view: View) -> None:
        """Let all panels discard everything about the previous view."""
        for panel in self:
            panel.begins(view)

    def chose(self) -> None:
        """Notify all panels that the reader's choice has changed."""
        for panel in self:
            panel.chose()

    def can(self, command: Command) -> bool:
        """Return True if a command can do anything now."""
        return bool(self) and all(panel.can(command) for panel in self)

    def run(self, command: str) -> None:
        """Let the panels run a command of a wing."""
        for panel in self:
            panel.run(command)

    def take_letter(self, letter: str) -> bool:
        """Offer a typed letter to all panels; return True if one has handled it."""
        return any(panel.takes_letter(letter) for panel in self)

    def present(self, state: TableState) -> TableState:
        """Return a moment of the table with the contents of all panels."""
        for panel in self:
            state = panel.present(state)
        return state

    def close(self) -> None:
        """Stop all work before the table closes."""
        for panel in self:
            panel.close()
