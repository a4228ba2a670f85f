"""Defines the widgets of the start screen: menu rows, a sample of the table, and found tables."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from rich.cells import cell_len
from rich.text import Text
from textual.containers import VerticalScroll
from textual.widgets import Button, Static

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.cards import CardLook, Face, draw_card
from driflamme_tui.drawing.layout import COMPACT, GRAND, LARGE, CardSize
from driflamme_tui.drawing.palette import text_style
from driflamme_tui.drawing.textual_internals import terminal_of
from driflamme_tui.text.cell_widths import fit_text, shorten_text
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.board import DrawnWidget
from driflamme_tui.wording.program.found_table_words import found_row
from driflamme_tui.wording.program.start_words import Row, both_ends
from engine.cards import UNKNOWN
from netcode.joining.discovery import FoundTable

CARDS: Final = (
    Face("r", "A", face_up=True),
    Face("b", UNKNOWN, face_up=False, influence=2),
    Face("y", UNKNOWN, face_up=False),
    Face("g", "L", face_up=True),
    Face("v", UNKNOWN, face_up=False, influence=4),
)
"""A Queue during a game. Some face-down cards have gathered influence."""


LATER: Final = (
    Face("v", "S", face_up=True),
    Face("g", UNKNOWN, face_up=False, influence=1),
    Face("r", "H", face_up=True),
    Face("b", UNKNOWN, face_up=False, influence=3),
)
"""The Queue in another round."""


def sample_size(columns: int, rows: int) -> CardSize:
    """Return the size of the sample's cards for the free space above or beside the menu."""
    if columns < GRAND.across(len(CARDS)) or rows < COMPACT.height:
        return COMPACT
    return GRAND if rows >= GRAND.height else LARGE


class SampleQueue(DrawnWidget):
    """Draws a sample of the Queue, a row of cards as on the table."""

    faces: Sequence[Face] = CARDS

    def draw(self, canvas: Canvas) -> None:
        """Draw in the middle as many cards as fit."""
        size = sample_size(canvas.width, canvas.height)
        number = min(len(self.faces), (canvas.width - size.width) // size.pitch + 1)
        left = max(0, canvas.width - size.across(number)) // 2
        for place, face in enumerate(self.faces[:number]):
            draw_card(canvas, left + place * size.pitch, 0, size, face, CardLook.PLAIN)


class LaterQueue(SampleQueue):
    """A sample of the Queue in another round, beside a preview."""

    faces = LATER


class Value(Struct, frozen=True):
    """A value in the preview of a row. The player changes it by a key or a click."""

    keys: str
    name: str
    value: str
    action: str
    """The screen's action on a click."""

    @property
    def texts(self) -> tuple[str, str, str]:
        """The texts in the order in which they are shown."""
        return self.keys, self.name, self.value


class Preview(DrawnWidget):
    """A frame with a title that describes the chosen row."""

    ground = "panel"
    title = ""
    text = ""
    values: Sequence[Value] = ()

    def show(self, title: str, text: str, values: Sequence[Value] = ()) -> None:
        """Show the description of a row and its values."""
        self.title, self.text, self.values = title, text, values
        self.redraw()

    def draw(self, canvas: Canvas) -> None:
        """Draw the frame, the text and the values. With at most three rows, draw no frame."""
        framed = canvas.height > 3
        inner, left, top = canvas.width - 2 - 2 * framed, 1 + framed, int(framed)
        space = canvas.height - 2 * framed
        title = shorten_text(self.title, inner - 2, canvas.glyphs)
        if framed:
            canvas.frame(0, 0, canvas.width, canvas.height, canvas.glyphs.face_up, canvas.line)
            canvas.text(2, 0, f" {title} ", canvas.bold)
        beside = 1 if cell_len(self._in_one_row()) <= inner else len(self.values)
        rows = space - (beside if self.values else 0)
        lines = fit_text(self.text, inner, rows, canvas.glyphs, sentences=True)
        top = canvas.lines(left, top, lines, canvas.plain)
        top += bool(lines) and len(lines) < rows
        x = left
        for value in self.values:
            end = self._draw_value(canvas, x, top, value)
            x, top = (end + GAP, top) if beside == 1 else (left, top + 1)

    def _in_one_row(self) -> str:
        return (" " * GAP).join(" ".join(filter(None, each.texts)) for each in self.values)

    @staticmethod
    def _draw_value(canvas: Canvas, x: int, y: int, value: Value) -> int:
        """Draw a value, and return the column after it.

        A click anywhere on the value runs its action, which changes the value.
        """
        for text, ink in zip(value.texts, (canvas.bold, canvas.mute, canvas.choice), strict=True):
            x = canvas.place(x, y, f"{text} ", ink, value.action) if text else x
        return x - 1


GAP: Final = 3
"""Cells between two values in one row."""


class LineButton(Button):
    """A button of one row, with a text at the left and a paler one at the right."""

    def __init__(self, *, id: str | None = None, action: str | None = None) -> None:
        super().__init__("", id=id, compact=True, action=action)
        # Set this here, since a stylesheet cannot set it to 0.
        self.styles.line_pad = 0

    def texts(self, space: int) -> tuple[str, str]:
        """Return the left and the right text for a row of `space` cells.

        Subclasses must override this method.
        """
        raise TypeError("a button of one row says what stands in it")

    def render(self) -> Text:
        """Return the row in the whole width of the button."""
        terminal, width = terminal_of(self), self.size.width
        begin, end = map(terminal.glyphs.plain, self.texts(width))
        text = Text(both_ends(begin, end, width, terminal.glyphs), no_wrap=True, end="")
        if not self.has_focus:
            text.stylize(text_style(terminal.palette, "mute"), cell_len(begin))
        return text


class RowButton(LineButton):
    """A row of the menu: the key that opens it, its label, and its state."""

    def __init__(self, row: Row, key: str, action: str) -> None:
        super().__init__(id=row.name, action=action)
        self.row, self._key = row, key
        self.set_class(row.waits, "waits")

    def show(self, row: Row) -> None:
        """Show the row in a new state, if it has changed."""
        if row != self.row:
            self.row = row
            self.refresh()

    def texts(self, space: int) -> tuple[str, str]:
        """Return the row's label with its key, and its state."""
        key = f"{self._key:>2} " if self._key else " "
        return f"{key}{self.row.label}", self.row.state


class VisitedRows(VerticalScroll):
    """The list of rows for places of earlier visits, rebuilt only after a change."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, can_focus=False)
        self._shown: list[Row] = []

    async def show(self, rows: Sequence[Row]) -> None:
        """Show rows. A focused row keeps the focus.

        If it is gone, the focus moves to the join field.
        """
        if [*rows] == self._shown:
            return
        self._shown = [*rows]
        focused = self.screen.focused
        chosen = focused.id if isinstance(focused, RowButton) and self in focused.ancestors else ""
        async with self.batch():
            await self.remove_children()
            await self.mount_all(RowButton(row, "", f"screen.visit('{row.name}')") for row in rows)
        if chosen:
            again = next(iter(self.query(f"#{chosen}")), None)
            self.screen.set_focus(again or self.screen.query_one("#address"))


class FoundButton(LineButton):
    """A found table that can be joined."""

    def __init__(self, table: FoundTable) -> None:
        super().__init__()
        self.table = table

    def texts(self, space: int) -> tuple[str, str]:
        """Return the name of the table's host, and its seats with the effect of a click."""
        return found_row(self.table, space, terminal_of(self).glyphs)


class FoundTables(VerticalScroll):
    """The list of found tables, rebuilt only after a change, so that the focus stays."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, can_focus=False)
        self._shown: list[FoundTable] | None = None

    async def show(self, tables: Sequence[FoundTable]) -> None:
        """Show tables, or a sentence stating that there are none yet.

        A focused table keeps the focus. If it is gone, the focus moves to the join field.
        """
        if tables == self._shown:
            return
        self._shown = list(tables)
        focused = self.screen.focused
        chosen = focused.table.address if isinstance(focused, FoundButton) else None
        async with self.batch():
            await self.remove_children()
            if not tables:
                none = _("None yet; tables appear here by themselves.")
                await self.mount(Static(terminal_of(self).glyphs.plain(none), markup=False))
            else:
                await self.mount_all(FoundButton(table) for table in tables)
        if chosen is not None:
            again = (each for each in self.query(FoundButton) if each.table.address == chosen)
            # If the focused table has vanished, the focus would move to another one, and Enter
            # would open the wrong table.
            self.screen.set_focus(next(again, None) or self.screen.query_one("#address"))
