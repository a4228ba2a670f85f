"""A grid of cells to draw on, given out as few segments as it takes."""

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from driflamme_tui.drawing.palette import DARK, Palette
from driflamme_tui.text.signs import UNICODE, Glyphs


class Canvas:
    """A rectangle of styled text; what is drawn outside it is cut off.

    Texts are cut or padded by cells, so a wide character never shifts what stands after it.
    """

    def __init__(
        self,
        width: int,
        height: int,
        background: Style,
        glyphs: Glyphs = UNICODE,
        palette: Palette = DARK,
    ) -> None:
        self.glyphs = glyphs
        self.palette = palette
        self.width = width
        self.height = height
        self.background = background
        self._rows: list[list[tuple[str, Style]]] = [
            [(" ", background)] * width for _ in range(height)
        ]

    def text(self, x: int, y: int, text: str, style: Style, width: int | None = None) -> int:
        """Draw text at column x of row y, cut or padded to `width` cells; return its end."""
        text = self.glyphs.plain(text)
        if width is not None:
            text = set_cell_size(text, max(0, width))
        if not 0 <= y < self.height:
            return x + cell_len(text)
        row = self._rows[y]
        for character in text:
            cells = cell_len(character)
            if cells == 0:
                continue
            if 0 <= x <= self.width - cells:
                end = x + cells
                # Half of a wide character is none.
                if not row[x][0]:
                    row[x - 1] = (" ", row[x - 1][1])
                if end < self.width and not row[end][0]:
                    row[end] = (" ", row[end][1])
                row[x] = (character, style)
                for extra in range(1, cells):
                    row[x + extra] = ("", style)
            x += cells
        return x

    def fill(self, x: int, y: int, width: int, height: int, style: Style, character: str) -> None:
        """Fill a rectangle with one character."""
        for row in range(y, y + height):
            self.text(x, row, character * width, style)

    def restyle(self, x: int, y: int, width: int, style: Style) -> None:
        """Give cells that are drawn already another style."""
        if 0 <= y < self.height:
            row = self._rows[y]
            for column in range(max(0, x), min(self.width, x + width)):
                row[column] = (row[column][0], style)

    def strips(self) -> list[Strip]:
        """Return the rows; neighbouring cells of one style are one segment."""
        return [_strip(row, self.width) for row in self._rows]


def _strip(row: Sequence[tuple[str, Style]], width: int) -> Strip:
    segments: list[Segment] = []
    run = ""
    current = row[0][1] if row else Style()
    for character, style in row:
        if style is not current and style != current:
            segments.append(Segment(run, current))
            run, current = "", style
        run += character
    segments.append(Segment(run, current))
    return Strip(segments, width)
