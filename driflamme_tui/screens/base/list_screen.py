"""What screens and overlays share that are a list of lines, one of which is selected."""

from driflamme_tui.screens.base.command_screen import Commanded


class ListScreen(Commanded):
    """Beside `Screen`, before it among the bases: keys, wheel and clicks select a line."""

    selected = 0
    """The line that is selected, from 0."""

    @property
    def listed(self) -> int:
        """How many lines there are."""
        raise TypeError("a list says how long it is")

    @property
    def room(self) -> int:
        """How many of them are shown at a time."""
        return self.listed

    def wheel(self, by: int) -> None:
        """Go through the list."""
        self.action_move(by)

    def action_move(self, by: int) -> None:
        """Select the next line, or the one before, going round at the ends."""
        if self.listed:
            self.action_select((self.selected + by) % self.listed)

    def action_page(self, by: int) -> None:
        """Select the line at the same place of the next page."""
        self.action_select(max(0, min(self.listed - 1, self.selected + by * self.room)))

    def action_select(self, index: int) -> None:
        """Select a line; -1 is the last."""
        if self.listed:
            self.selected = index % self.listed
            self.sync()
