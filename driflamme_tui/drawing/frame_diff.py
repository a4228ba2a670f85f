"""Sends the terminal only what it does not show yet.

Textual writes whole rectangles of whatever may have changed, each piece of one style with all its
colours. Over a slow line that is what one waits for: a card that is played can cost 50 KB. Here
each frame is compared, cell by cell, with what the terminal shows; what differs is written, with
those parts of a style only that differ from what was written just before.

It knows nothing of widgets, and Textual still decides when to draw, and what.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip

SHORT_GAP: Final = 6
"""So few cells that are as they should be are written again rather than skipped: to go elsewhere
costs as many bytes."""

LOOKS: Final = 4096
"""Styles whose look is remembered: many times what a screen has."""

_ATTRIBUTES: Final = (
    ("bold", "1", "22"),
    ("dim", "2", "22"),
    ("italic", "3", "23"),
    ("underline", "4", "24"),
    ("blink", "5", "25"),
    ("reverse", "7", "27"),
    ("conceal", "8", "28"),
    ("strike", "9", "29"),
)
"""Of a style, and what turns them on and off; bold and dim are turned off together."""

_ON_LETTERS: Final = frozenset({"bold", "dim", "italic", "conceal"})
"""Attributes that are not seen where there is no letter."""


@dataclass(frozen=True, slots=True)
class Look:
    """A style as a terminal knows it."""

    attributes: frozenset[str] = frozenset()
    colour: str = "39"
    """As a code; empty where nothing shows it, so that any will do."""
    ground: str = "49"
    """Likewise, of the background."""

    def following(self, before: "Look") -> "Look":
        """Return a look that shows the same here, and is had for less after another."""
        if self.colour:
            return self
        return Look(before.attributes & _ON_LETTERS, before.colour, self.ground)

    def after(self, before: "Look") -> str:
        """Return what makes this of another look."""
        if self == before:
            return ""
        if self == PLAIN:
            return "\x1b[m"
        lost = before.attributes - self.attributes
        kept = before.attributes - lost
        if lost & _HEAVINESS:
            kept -= _HEAVINESS
        codes = sorted({off for name, _, off in _ATTRIBUTES if name in lost})
        codes += [on for name, on, _ in _ATTRIBUTES if name in self.attributes - kept]
        if self.colour != before.colour:
            codes.append(self.colour)
        if self.ground != before.ground:
            codes.append(self.ground)
        return f"\x1b[{';'.join(codes)}m"


_HEAVINESS: Final = frozenset({"bold", "dim"})

PLAIN: Final = Look()
"""What a terminal begins with, and has after each frame."""

Cell: TypeAlias = tuple[str, Look]
"""A character and its look; "" for what a wide character covers besides its first cell."""

Row: TypeAlias = list[Cell]


@lru_cache(LOOKS)
def look(style: Style | None, system: ColorSystem) -> Look:
    """Return a style as a terminal with so many colours knows it."""
    if style is None:
        return PLAIN
    colour, ground = (
        ";".join(each.downgrade(system).get_ansi_codes(foreground)) if each is not None else usual
        for each, foreground, usual in (
            (style.color, True, PLAIN.colour),
            (style.bgcolor, False, PLAIN.ground),
        )
    )
    return Look(
        frozenset(name for name, _, _ in _ATTRIBUTES if getattr(style, name)), colour, ground
    )


@lru_cache(LOOKS)
def blank(its_look: Look) -> Look:
    """Return the look of a cell without a letter."""
    if its_look.attributes <= _ON_LETTERS:
        return Look(frozenset(), "", its_look.ground)
    return its_look


def cells(strips: Iterable[Strip], system: ColorSystem) -> Row:
    """Return a row of strips as cells."""
    row: Row = []
    for strip in strips:
        for text, style, control in strip:
            if control:
                continue
            its_look = look(style, system)
            space = (" ", blank(its_look))
            if cell_len(text) == len(text):
                row += [space if sign == " " else (sign, its_look) for sign in text]
                continue
            for sign in text:
                width = cell_len(sign)
                if width:
                    row.append(space if sign == " " else (sign, its_look))
                    row += [("", its_look)] * (width - 1)
                elif row:
                    # A sign that combines with the one before it has no cell of its own.
                    before, before_look = row[-1]
                    row[-1] = (before + sign, before_look)
    return row


@dataclass(slots=True)
class _Piece:
    """Cells beside each other that have the same colours."""

    x: int
    y: int
    colour: str
    ground: str
    cells: Row

    def takes(self, more: Row) -> bool:
        """Take in the cells at its right, if it has their colours."""
        colours = {each.colour for _, each in more if each.colour}
        if self.colour:
            colours.add(self.colour)
        if len(colours) > 1 or any(each.ground != self.ground for _, each in more):
            return False
        self.colour = colours.pop() if colours else ""
        self.cells += more
        return True


class Shown:
    """What a terminal shows, as far as that is known."""

    def __init__(self) -> None:
        self.written = 0
        """Bytes of the last change."""
        self._rows: list[Row | None] = []
        """None for a row of which not everything is known."""
        self._size = Size(0, 0)

    def forget(self) -> None:
        """Take nothing for granted any more."""
        self._rows = [None] * self._size.height

    def resize(self, size: Size) -> None:
        """Forget everything if the size is another."""
        if size != self._size:
            self._size = size
            self.forget()

    def change(self, spans: Iterable[tuple[int, int, Row]]) -> str:
        """Return what to write so that cells are shown.

        Args:
            spans: The column and the row of the first, and the cells from there on to the right.
        """
        pieces: list[_Piece] = []
        changed: dict[int, tuple[Row, Row]] = {}
        """Rows before and after. A row comes in parts, and pieces of it must not overlap, since
        they are not written in this order."""
        for x, y, new in spans:
            if not 0 <= y < self._size.height:
                continue
            known = self._rows[y]
            before, row = changed.get(y, (known, known))
            if before is None or row is None:
                if x == 0 and len(new) == self._size.width:
                    changed[y] = ([], new)
                else:
                    pieces += _pieces(x, y, [], new)
                continue
            after = [*row[:x], *new, *row[x + len(new) :]][: self._size.width]
            changed[y] = (before, after)
        for y, (before, after) in changed.items():
            if after != before:
                pieces += _pieces(0, y, before, after)
                self._rows[y] = after
        text = _write(pieces)
        self.written = len(text.encode())
        return text


def _pieces(x: int, y: int, before: Row, after: Row) -> Iterator[_Piece]:
    """Return what is to be written of a row that begins at column x, short gaps included."""
    # About the width of some signs terminals are not of one opinion, so that nobody knows where
    # in their row the others stand.
    known = _is_even(before) and _is_even(after) and len(before) == len(after)
    piece, end = None, 0
    """The last one, and how far it goes."""
    for at, cell in enumerate(after):
        if known and cell == before[at]:
            continue
        if piece is not None and at == end and cell[1] is piece.cells[-1][1]:
            # Most cells: what stands before them looks the same.
            piece.cells.append(cell)
            end += 1
            continue
        if piece is not None and at - end <= SHORT_GAP and piece.takes(after[end : at + 1]):
            end = at + 1
            continue
        if piece is not None:
            yield piece
        piece, end = _Piece(x + at, y, cell[1].colour, cell[1].ground, [cell]), at + 1
    if piece is not None:
        yield piece


def _is_even(row: Row) -> bool:
    """Whether each cell has one character of its own."""
    return all(len(sign) == 1 for sign, _ in row)


def _write(pieces: Sequence[_Piece]) -> str:
    """Return what shows pieces: those of the same colours one after the other.

    To go to another place costs a fraction of what other colours do.
    """
    order: dict[str, dict[str, list[_Piece]]] = {}
    for piece in pieces:
        order.setdefault(piece.ground, {}).setdefault(piece.colour, []).append(piece)
    written: list[str] = []
    pen = PLAIN
    at: tuple[int, int] | None = None
    for colours in order.values():
        # Where any colour will do, that of the ground before does.
        for _, group in sorted(colours.items(), key=lambda item: item[0] != ""):
            for piece in group:
                if at != (piece.x, piece.y):
                    written.append(f"\x1b[{piece.y + 1};{piece.x + 1}H")
                for sign, its_look in piece.cells:
                    if its_look is not pen:
                        wanted = its_look.following(pen)
                        written.append(wanted.after(pen))
                        pen = wanted
                    written.append(sign)
                at = (piece.x + len(piece.cells), piece.y)
    written.append(PLAIN.after(pen))
    return "".join(written)
