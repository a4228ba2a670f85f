"""What screens and overlays share that are a list of lines, one of which is selected."""

from collections.abc import Sequence
from typing import Generic, TypeVar

from driflamme_tui.screens.base.command_screen import Commanded

Item = TypeVar("Item")


class ListScreen(Commanded, Generic[Item]):
    """Beside `Screen`, before it among the bases: keys, wheel and clicks select a line."""

    selected = 0
    """The line that is selected, from 0."""

    @property
    def items(self) -> Sequence[Item]:
        """What the lines stand for."""
        raise TypeError("a list says what is in it")

    @property
    def chosen(self) -> Item | None:
        """What is selected; None where there is nothing."""
        return self.items[min(self.selected, len(self.items) - 1)] if self.items else None

    @property
    def room(self) -> int:
        """How many lines are shown at a time."""
        return len(self.items)

    def wheel(self, by: int) -> None:
        """Go through the list."""
        self.action_move(by)

    def action_move(self, by: int) -> None:
        """Select the next line, or the one before, going round at the ends."""
        if self.items:
            self.action_select((self.selected + by) % len(self.items))

    def action_page(self, by: int) -> None:
        """Select the line at the same place of the next page."""
        self.action_select(max(0, min(len(self.items) - 1, self.selected + by * self.room)))

    def action_select(self, index: int) -> None:
        """Select a line; -1 is the last."""
        if self.items:
            self.selected = index % len(self.items)
            self.sync()
