"""Compares each frame with what the terminal shows, and says what to write so that it shows it.

Textual writes whole rectangles of whatever may have changed, each piece of one style with all its
colours. Over a slow line that is what one waits for: a card that is played can cost 50 KB. Here
frames are compared cell by cell, and what differs is written with only those parts of a style that
differ from what was written just before. What each rule saves of another player's action at 120 by
40 (2.8 KB) stands beside it. Textual still decides when to draw, and what: `textual_internals`
hands its frames over.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Final, TypeAlias

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip

SHORT_GAP: Final = 6
"""How many cells that are right already are written again rather than skipped: to go elsewhere
costs as many bytes. This saves a tenth, and a sixth of a move of the cursor."""

LOOKS: Final = 4096
"""How many styles have their looks remembered: many times what a screen has."""

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
"""The attributes of a style, and what turns each on and off."""

_HEAVINESS: Final = frozenset({"bold", "dim"})
"""The attributes that are turned off together."""


@dataclass(frozen=True, slots=True)
class Look:
    """A style as a terminal knows it."""

    attributes: frozenset[str] = frozenset()
    colour: str = "39"
    """The code of the foreground."""
    ground: str = "49"
    """The code of the background."""

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


PLAIN: Final = Look()
"""The look that a terminal begins with, and has after each frame."""

Cell: TypeAlias = tuple[str, Look]
"""A character and its look; "" for what a wide character covers besides its first cell."""

Row: TypeAlias = list[Cell]
"""Cells beside each other, from the left."""


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


def cells(strips: Iterable[Strip], system: ColorSystem) -> Row:
    """Return a row of strips as cells."""
    row: Row = []
    for strip in strips:
        for text, style, control in strip:
            if control:
                continue
            its_look = look(style, system)
            if cell_len(text) == len(text):
                row += [(sign, its_look) for sign in text]
                continue
            for sign in text:
                width = cell_len(sign)
                if width:
                    row += [(sign, its_look), *[("", its_look)] * (width - 1)]
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
    cells: Row

    @property
    def look(self) -> Look:
        """The look of its last cell."""
        return self.cells[-1][1]

    def takes(self, more: Row) -> bool:
        """Take in the cells at its right, if they have its colours."""
        mine = self.look
        for _, each in more:
            if each is not mine and (each.colour, each.ground) != (mine.colour, mine.ground):
                return False
        self.cells += more
        return True


class Shown:
    """What a terminal shows, as far as that is known."""

    def __init__(self) -> None:
        self.written = 0
        """How many bytes the last change took."""
        self._rows: list[Row | None] = []
        """The cells of each row; None for a row of which not everything is known."""
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


def _pieces(x: int, y: int, before: Row, after: Row) -> list[_Piece]:
    """Return what is to be written of a row that begins at column x, short gaps included."""
    # About the width of some signs terminals are not of one opinion, so that nobody knows where
    # in their row the others stand.
    known = _is_even(before) and _is_even(after) and len(before) == len(after)
    pieces: list[_Piece] = []
    end = 0
    """Where the last one ends."""
    for at, cell in enumerate(after):
        if known and cell == before[at]:
            continue
        near = pieces and at - end <= SHORT_GAP
        if not (near and pieces[-1].takes(after[end : at + 1])):
            pieces.append(_Piece(x + at, y, [cell]))
        end = at + 1
    return pieces


def _is_even(row: Row) -> bool:
    """Whether each cell has one character of its own."""
    return all(len(sign) == 1 for sign, _ in row)


def _write(pieces: Iterable[_Piece]) -> str:
    """Return what shows pieces: those of the same colours one after the other.

    To go to another place costs a fraction of what other colours do, so that this order saves
    a quarter, and a third of a move of the cursor.
    """
    order: dict[str, dict[str, list[_Piece]]] = {}
    for piece in pieces:
        order.setdefault(piece.look.ground, {}).setdefault(piece.look.colour, []).append(piece)
    written: list[str] = []
    pen = PLAIN
    at: tuple[int, int] | None = None
    for colours in order.values():
        for piece in chain.from_iterable(colours.values()):
            if at != (piece.x, piece.y):
                written.append(f"\x1b[{piece.y + 1};{piece.x + 1}H")
            for sign, its_look in piece.cells:
                if its_look is not pen:
                    written.append(its_look.after(pen))
                    pen = its_look
                written.append(sign)
            at = (piece.x + len(piece.cells), piece.y)
    written.append(PLAIN.after(pen))
    return "".join(written)
