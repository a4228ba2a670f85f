"""A drawn widget with places that can be clicked, for whole screens such as the lobby."""

from dataclasses import dataclass

from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.widgets.drawn_widget import Drawn


class Board(Drawn):
    """Remembers, while it draws, which cells run which action of the screen."""

    @dataclass(eq=False, repr=False)
    class Pressed(Message):
        """A place was clicked."""

        action: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._places: list[tuple[int, int, int, str]] = []

    def place(
        self,
        canvas: Canvas,
        x: int,
        y: int,
        text: str,
        ink: Style,
        action: str,
        width: int | None = None,
    ) -> int:
        """Draw a text that runs an action when it is clicked; return its end."""
        end = canvas.text(x, y, text, ink, width)
        self._places.append((x, y, end, action))
        return end

    def _drawn(self) -> list[Strip]:
        self._places.clear()
        return super()._drawn()

    def on_click(self, event: events.Click) -> None:
        """Tell which action's place was clicked."""
        for x, y, end, action in self._places:
            if y == event.y and x <= event.x < end:
                self.post_message(self.Pressed(action))
                return
