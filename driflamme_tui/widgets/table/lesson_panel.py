"""The tutor's place on the table: a title, a few rows of text, and how to go on."""

from typing import Final

from msgspec import Struct
from rich.cells import cell_len
from textual import events

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.text.cell_widths import wrapped
from driflamme_tui.widgets.board import Board
from driflamme_tui.widgets.drawn_widget import Drawn

MARGIN: Final = 2
"""Columns before and after the text."""

WIDEST: Final = 84
"""Columns of the widest text: longer rows are hard to read."""


class TutorText(Struct, frozen=True):
    """What the tutor says at one moment."""

    title: str = ""
    text: str = ""
    how: str = ""
    """By which keys to do what is asked."""
    hint: str = ""
    """How to turn the page; "" where there is none to turn."""


class LessonPanel(Drawn):
    """Shows what the tutor says; what is too long for it is read piece by piece."""

    ground = "panel"

    told = TutorText()
    _row = 0
    """The first row of the text that is shown."""

    def show(self, told: TutorText) -> None:
        """Show what the tutor says."""
        if told != self.told:
            self.told, self._row = told, 0
        self.redraw()

    def turn(self) -> bool:
        """Show the next piece of the text; False when there is none."""
        room = self.size.height - 1
        if room < 1 or self._row + room >= len(self._lines(self.size.width)):
            return False
        self._row += room
        self.redraw()
        return True

    def on_click(self, event: events.Click) -> None:
        """Ask for the next page."""
        self.post_message(Board.Pressed("turn"))

    def draw(self, canvas: Canvas) -> None:
        """Draw the title, the hint, and the rows of text for which there is room."""
        told = self.told
        canvas.fill(0, 0, 1, canvas.height, canvas.chosen, " ")
        canvas.text(MARGIN, 0, told.title, canvas.bold, max(0, canvas.width - MARGIN))
        end = MARGIN + cell_len(told.title)
        if told.hint and end + 2 + cell_len(told.hint) < canvas.width:
            hint = f" {told.hint} "
            canvas.text(canvas.width - cell_len(hint) - 1, 0, hint, canvas.chosen)
        lines = self._lines(canvas.width)[self._row : self._row + canvas.height - 1]
        for row, (line, is_how) in enumerate(lines, 1):
            canvas.text(MARGIN, row, line, canvas.mute if is_how else canvas.plain)

    def _lines(self, width: int) -> list[tuple[str, bool]]:
        """Return the rows of text, and whether each is about keys."""
        room = min(WIDEST, width - 2 * MARGIN)
        lines = [(line, False) for line in wrapped(self.told.text, room, room)]
        if self.told.how:
            lines += [(line, True) for line in wrapped(self.told.how, room, room)]
        return lines
