"""Lets wings add panels to a table: texts below the choice and beside the card, and marks."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from msgspec import Struct
from textual.screen import Screen

from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.drawing.terminal import Terminal
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.screens.table.answers.answering import Answering
from driflamme_tui.seat.player_seat import PlayerSeat
from driflamme_tui.wording.choices.prompts import Prompter
from engine.views import View
from netcode.isolation import IsolatedParts
from netcode.registry import wing_values


class PanelTable(Struct, frozen=True):
    """The data about a table that a panel can use."""

    player_seat: PlayerSeat
    terminal: Terminal
    answering: Answering
    prompter: Callable[[], Prompter]
    show: Callable[[], object]
    """Draws the table as soon as the screen is complete."""
    lay_over: Callable[[Screen[None]], object]
    """Shows an overlay over the table."""


class Panel:
    """The part of a wing on a table's screen. Each method does nothing by default."""

    def begins(self, view: View) -> None:
        """Discard everything about the previous view."""

    def chose(self) -> None:
        """Update the panel after a change of the reader's choice."""

    def can(self, command: Command) -> bool:
        """Return True if a command has an effect now, or belongs to another panel."""
        return True

    def run(self, command: str) -> None:
        """Run a command of the wing, by its name."""

    def takes_letter(self, letter: str) -> bool:
        """Use a typed letter; return False if the letter has no effect on this panel."""
        return False

    def present(self, state: TableState) -> TableState:
        """Return the state with the panel's contents added."""
        return state

    def close(self) -> None:
        """Stop all work before the table closes."""


class PanelKind(Struct, frozen=True):
    """The seam `panels`: the panel of a wing, for every table with questions."""

    make: Callable[[PanelTable], Panel]


class Panels:
    """All panels of a table. A panel that fails is left out."""

    def __init__(self, makes: Iterable[Callable[[], Panel]] = ()) -> None:
        self._all: Final = IsolatedParts[Panel]()
        for make in makes:
            self._all.add(make)

    @classmethod
    def of(cls, table: PanelTable) -> "Panels":
        """Return the panels of all wings."""
        kinds = wing_values("driflamme_tui", "panels", PanelKind)
        return cls(partial(kind.make, table) for kind in kinds)

    def begins(self, view: View) -> None:
        """Let all panels discard everything about the previous view."""
        self._all.each(lambda panel: panel.begins(view))

    def chose(self) -> None:
        """Notify all panels that the reader's choice has changed."""
        self._all.each(lambda panel: panel.chose())

    def can(self, command: Command) -> bool:
        """Return True if there is a panel, and no panel refuses the command now."""
        return all(self._all.results(lambda panel: panel.can(command))) and len(self._all) > 0

    def run(self, command: str) -> None:
        """Let the panels run a command of a wing."""
        self._all.each(lambda panel: panel.run(command))

    def take_letter(self, letter: str) -> bool:
        """Offer a typed letter to the panels until one uses it; return False if none does."""
        return any(self._all.results(lambda panel: panel.takes_letter(letter)))

    def present(self, state: TableState) -> TableState:
        """Return the state with the contents of all panels added."""
        return self._all.changed(state, lambda panel, shown: panel.present(shown))

    def close(self) -> None:
        """Stop all work before the table closes."""
        self._all.close(lambda panel: panel.close())
