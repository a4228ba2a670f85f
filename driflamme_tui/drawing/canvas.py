"""Defines a grid of cells to draw on, and converts it to as few segments as possible."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Literal, TypeAlias

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip

from driflamme_tui.drawing.palette import DARK, Palette, style
from driflamme_tui.text.cell_widths import shorten_text
from driflamme_tui.text.signs import UNICODE, FrameSigns, Glyphs
from engine.cards import Family

Ground: TypeAlias = Literal["table", "panel"]
"""The palette's colours that the cells of an empty canvas can have."""


class Canvas:
    """A rectangle of styled text. Everything drawn outside it is cut off.

    Texts are cut or padded by cells, so a wide character never shifts the text after it.
    """

    def __init__(
        self,
        width: int,
        height: int,
        ground: Ground = "table",
        glyphs: Glyphs = UNICODE,
        palette: Palette = DARK,
    ) -> None:
        self.glyphs = glyphs
        self.palette = palette
        self.width = width
        self.height = height
        self.ground: str = getattr(palette, ground)
        """The colour of empty cells."""
        self.plain = self.ink(palette.ink)
        self.bold = self.ink(palette.ink, bold=True)
        self.mute = self.ink(palette.mute)
        self.heading = self.ink(palette.mute, bold=True)
        self.line = self.ink(palette.line)
        self.alert = self.ink(palette.alert, bold=True)
        self.choice = self.ink(palette.choice, bold=True)
        self.chosen = style(palette.on_colour, palette.choice, bold=True)
        """The style of a chosen card, player or label, on the palette's colour for choices."""
        self.on_choice = style(palette.on_colour, palette.choice)
        """The style of other texts on the background of `chosen`."""
        self.places: list[tuple[Region, object]] = []
        """Clickable regions, each with the meaning of a click there. The uppermost is last."""
        self._rows: list[list[tuple[str, Style]]] = [
            [(" ", self.plain)] * width for _ in range(height)
        ]

    def ink(
        self, colour: str, *, bold: bool = False, italic: bool = False, under: bool = False
    ) -> Style:
        """Return the style of a colour on the canvas's ground."""
        return style(colour, self.ground, bold=bold, italic=italic, under=under)

    def hue(self, family: Family, *, bold: bool = True) -> Style:
        """Return the style of a family's own cards and signs on the canvas's ground."""
        return self.ink(self.palette.families[family].hue, bold=bold)

    def text(self, x: int, y: int, text: str, ink: Style, width: int | None = None) -> int:
        """Draw text at column x of row y, padded or cut to `width` cells if a width is given.

        Return the column after the text, even if the canvas cuts the text off.
        """
        text = self.glyphs.plain(text)
        if width is not None:
            text = set_cell_size(shorten_text(text, width, self.glyphs), max(0, width))
        if not 0 <= y < self.height:
            return x + cell_len(text)
        row = self._rows[y]
        if _is_narrow(text):
            start, end = max(0, x), min(self.width, x + len(text))
            if start < end:
                self._mend(row, start, end)
                row[start:end] = [(character, ink) for character in text[start - x : end - x]]
            return x + len(text)
        for character in text:
            cells = cell_len(character)
            if cells == 0:
                continue
            if 0 <= x <= self.width - cells:
                self._mend(row, x, x + cells)
                row[x] = (character, ink)
                for extra in range(1, cells):
                    row[x + extra] = ("", ink)
            x += cells
        return x

    def _mend(self, row: list[tuple[str, Style]], start: int, end: int) -> None:
        """Blank the remaining halves of wide characters that will be drawn over in part."""
        if not row[start][0]:
            row[start - 1] = (" ", row[start - 1][1])
        if end < self.width and not row[end][0]:
            row[end] = (" ", row[end][1])

    def place(
        self, x: int, y: int, text: str, ink: Style, action: str, width: int | None = None
    ) -> int:
        """Draw a text that runs an action of the screen on a click; return the column after it."""
        end = self.text(x, y, text, ink, width)
        self.target(action, x, y, end - x, 1)
        return end

    def target(self, what: object, *part: int) -> None:
        """Make a part of the canvas clickable, or the whole canvas, with the meaning of a click.

        A part is given by column, row, width and height.
        """
        self.places.append((Region(*part) if part else Region(0, 0, self.width, self.height), what))

    def lines(self, x: int, y: int, lines: Iterable[str], ink: Style) -> int:
        """Draw lines at column x from row y on; return the row after the last line."""
        for line in lines:
            self.text(x, y, line, ink)
            y += 1
        return y

    def fill(self, x: int, y: int, width: int, height: int, ink: Style, character: str) -> None:
        """Fill a rectangle with one character."""
        for row in range(y, y + height):
            self.text(x, row, character * width, ink)

    def frame(self, x: int, y: int, width: int, height: int, signs: FrameSigns, ink: Style) -> None:
        """Draw a frame along the edges of a rectangle."""
        top_left, across, top_right, down, bottom_left, bottom_right = signs
        inner, right = across * (width - 2), x + width - 1
        self.text(x, y, top_left + inner + top_right, ink)
        self.lines(x, y + 1, down * (height - 2), ink)
        self.lines(right, y + 1, down * (height - 2), ink)
        self.text(x, y + height - 1, bottom_left + inner + bottom_right, ink)

    def paste(self, x: int, y: int, other: "Canvas") -> None:
        """Draw another canvas at a place of this one where it fits whole.

        The other canvas's clickable regions are not copied.
        """
        for row, cells in enumerate(other._rows, y):
            self._rows[row][x : x + other.width] = cells

    def restyle(self, x: int, y: int, width: int, ink: Style) -> None:
        """Change the style of cells in a row, without changing their characters."""
        if 0 <= y < self.height:
            row = self._rows[y]
            for column in range(max(0, x), min(self.width, x + width)):
                row[column] = (row[column][0], ink)

    def strips(self) -> list[Strip]:
        """Return the rows; neighbouring cells of one style are one segment."""
        return [_strip(row, self.width) for row in self._rows]


@lru_cache(maxsize=4096)
def _is_narrow(text: str) -> bool:
    """Return True if every character of a text takes one cell."""
    return all(cell_len(character) == 1 for character in {*text})


def _strip(row: Sequence[tuple[str, Style]], width: int) -> Strip:
    runs: list[Segment] = []
    for ink, cells in groupby(row, itemgetter(1)):
        _add_run(runs, "".join(sign for sign, _ink in cells), ink)
    return Strip(runs, width)


def _add_run(runs: list[Segment], run: str, ink: Style) -> None:
    """Add cells of one style. Spaces before the first sign become a separate segment.

    Programs that turn an exported picture into pixels may drop spaces at the start of a segment.
    """
    text = run.lstrip(" ")
    spaces = len(run) - len(text)
    if text and spaces:
        before = runs[-1] if runs else None
        if before is not None and before.style is not None and _blank_alike(before.style, ink):
            runs[-1] = Segment(before.text + " " * spaces, before.style)
        else:
            # Give the spaces another weight, which is invisible, so that they become a separate
            # segment.
            runs.append(Segment(" " * spaces, ink + Style(bold=not ink.bold)))
        run = text
    runs.append(Segment(run, ink))


def _blank_alike(one: Style, other: Style) -> bool:
    """Return True if spaces of the two styles look the same."""
    lines = (one.underline, one.reverse, one.strike, other.underline, other.reverse, other.strike)
    return one.bgcolor == other.bgcolor and not any(lines)
