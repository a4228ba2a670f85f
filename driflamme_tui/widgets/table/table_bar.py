"""The bases of the widgets that draw one moment of the table."""

from textual import events
from textual.message import Message

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.widgets.drawn_widget import Drawn


class TableBar(Drawn):
    """A widget of the table that draws one moment of it."""

    state: TableState | None = None

    def draw(self, canvas: Canvas) -> None:
        """Draw the moment that is shown, if there is one yet."""
        if self.state is not None:
            self.draw_state(canvas, self.state)

    def draw_state(self, canvas: Canvas, state: TableState) -> None:
        """Draw a moment of the table on an empty canvas."""
        raise TypeError("a widget of the table says how it is drawn")

    def show(self, state: TableState) -> None:
        """Draw a moment of the table."""
        self.state = state
        self.redraw()


class PointedBar(TableBar):
    """A widget of the table that tells which part of it the pointer is over, when that changes."""

    _told: Message | None = None

    def pointed_at(self, x: int, y: int) -> Message:
        """Return what to tell while the pointer is over a cell; -1, -1 is outside."""
        raise TypeError("a widget says which parts it has")

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Tell which part the pointer is over."""
        self._tell(self.pointed_at(event.x, event.y))

    def on_leave(self, event: events.Leave) -> None:
        """Tell that the pointer is over nothing."""
        self._tell(self.pointed_at(-1, -1))

    def _tell(self, message: Message) -> None:
        if message != (self._told or self.pointed_at(-1, -1)):
            self._told = message
            self.post_message(message)
