"""The base of the widgets that draw one moment of the table."""

from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.widgets.drawn import Drawn


class TableBar(Drawn):
    """A widget of the table that draws one moment of it."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.state: TableState | None = None

    def show(self, state: TableState) -> None:
        """Draw a moment of the table."""
        self.state = state
        self.redraw()
