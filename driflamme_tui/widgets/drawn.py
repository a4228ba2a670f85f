"""The base of the table's widgets: drawn on a canvas, repainted only where that changed."""

from itertools import takewhile

from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.palette import DARK, Palette, style
from driflamme_tui.text.i18n import language
from driflamme_tui.text.signs import UNICODE, Glyphs


class Drawn(Widget):
    """A widget that draws itself whole, row by row, and sends only the parts that differ.

    Textual writes whole rectangles of changed widgets; over a slow line that is most of the
    traffic, so what looks as before is not sent again.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._strips: list[Strip] = []
        self._drawn_in: tuple[object, ...] = ()
        """The size, signs, colours and language of these."""

    @property
    def palette(self) -> Palette:
        """The colours of the app's theme."""
        palette: Palette = getattr(self.app, "palette", DARK)
        return palette

    def draw(self, canvas: Canvas) -> None:
        """Draw the widget on an empty canvas of its size."""
        raise TypeError("a drawn widget says how it is drawn")

    def background(self) -> Style:
        """Return the style of cells that are not drawn on."""
        return style(self.palette.ink, self.palette.table)

    def redraw(self) -> None:
        """Draw anew and repaint what differs, in each row from its first to its last difference."""
        before = self._strips
        after = self._drawn()
        self._strips = after
        if [strip.cell_length for strip in before] != [strip.cell_length for strip in after]:
            self.refresh()
            return
        changed = [
            difference(before[y], strip, y) for y, strip in enumerate(after) if strip != before[y]
        ]
        if changed:
            self.refresh(*changed)

    def render_line(self, y: int) -> Strip:
        """Give Textual one row."""
        if self._drawn_in != self._manner():
            self._strips = self._drawn()
        if y < len(self._strips):
            return self._strips[y]
        return Strip.blank(self.size.width, self.background())

    def _manner(self) -> tuple[object, ...]:
        glyphs: Glyphs = getattr(self.app, "glyphs", UNICODE)
        return (*self.size, glyphs.unicode, self.palette.name, language())

    def _drawn(self) -> list[Strip]:
        self._drawn_in = self._manner()
        width, height = self.size
        if width <= 0 or height <= 0:
            return []
        glyphs: Glyphs = getattr(self.app, "glyphs", UNICODE)
        canvas = Canvas(width, height, self.background(), glyphs, self.palette)
        self.draw(canvas)
        return canvas.strips()


def difference(before: Strip, after: Strip, y: int) -> Region:
    """Return the part of row y in which two strips of one width differ, by whole segments."""
    same_left, same_right = (
        sum(
            old.cell_length
            for old, _new in takewhile(lambda pair: pair[0] == pair[1], zip(*pairs, strict=False))
        )
        for pairs in ((before, after), (reversed(list(before)), reversed(list(after))))
    )
    return Region(same_left, y, max(1, after.cell_length - same_left - same_right), 1)
