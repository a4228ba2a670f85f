"""A drawn widget with places that can be clicked, for whole screens such as the lobby."""

from collections.abc import Callable
from dataclasses import dataclass

from textual import events
from textual.geometry import Size
from textual.message import Message

from driflamme_tui.drawing.canvas import Canvas, Ground
from driflamme_tui.widgets.drawn_widget import Drawn


class Board(Drawn):
    """Is drawn by its screen, unless it draws itself, and tells which action was clicked."""

    @dataclass(eq=False, repr=False)
    class Pressed(Message):
        """A place was clicked."""

        action: str

    def __init__(
        self,
        paint: Callable[[Canvas], None] | None = None,
        *,
        ground: Ground | None = None,
        rows: Callable[[int], int] | None = None,
        id: str | None = None,
    ) -> None:
        """Draw with `paint`; a height that is left open is `rows` of the width."""
        super().__init__(id=id)
        self.ground = ground or self.ground
        self._paint, self._rows_of = paint, rows

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the rows that it takes in so many columns."""
        return 1 if self._rows_of is None else self._rows_of(width)

    def draw(self, canvas: Canvas) -> None:
        """Have the screen draw."""
        if self._paint is not None:
            self._paint(canvas)

    def on_click(self, event: events.Click) -> None:
        """Tell which action's place was clicked."""
        for x, y, end, action in self.places:
            if y == event.y and x <= event.x < end:
                self.post_message(self.Pressed(action))
                return
