"""Compares each frame with what the terminal shows, and says what to write so that it shows it.

Textual writes whole rectangles of whatever may have changed, each piece of one style with all its
colours. Over a slow line that is what one waits for: a card that is played can cost 50 KB. Here
frames are compared cell by cell, and what differs is written with only those parts of a style that
differ from what was written just before. What each rule saves of another player's action at 120 by
40 (2.4 KB) stands beside it. Textual still decides when to draw, and what: `textual_internals`
hands its frames over.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, groupby, repeat
from operator import itemgetter, ne
from typing import Final, TypeAlias

from msgspec import Struct
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

SHORT_GAP: Final = 4
"""How many bytes of cells that are right already are written again rather than skipped: to go past
them costs as many. This saves a tenth, and a sixth of a move of the cursor."""

SHIFT_SAVES: Final = 16
"""How many cells fewer there must be to write for the terminal to move those behind a place in a
row, as where a card comes or goes. This saves a third of the largest actions."""

SHIFT_SEEN: Final = 8
"""How many signs are looked for elsewhere in the row, about as many as a card is wide."""

LOOKS: Final = 4096
"""How many styles have their looks remembered: many times what a screen has."""

_DARK_INKS: Final = frozenset(map(str, range(30, 38)))
"""Inks of 16 that many terminals show as the light ones if they are heavy, the console also after
a light one: black would be grey."""

Look: TypeAlias = tuple[str, ...]
"""A style as a terminal knows it: a code for each thing that a style decides."""

PLAIN: Final[Look] = ("22", "23", "24", "25", "27", "28", "29", "39", "49")
"""The look that a terminal begins with, and has after each frame: neither heavy nor light, no
italics, line below, blinking, reversal, hiding or line across, and the terminal's own colours."""

ANY: Final = ""
"""The colour of a sign that has none to be seen: spaces stay where only the ink around them
changes, and are written with the ink that is there. This saves a fourteenth."""

Cell: TypeAlias = tuple[str, Look]
"""A character and its look; "" for what a wide character covers besides its first cell."""

Row: TypeAlias = list[Cell]
"""Cells beside each other, from the left."""

UNKNOWN: Final[Cell] = ("?", ())
"""What stands where cells were moved away: about its ground terminals are not of one opinion."""


def has_italics(environment: Mapping[str, str]) -> bool:
    """Return False in GNU screen, which shows italics in reverse video; tmux shows them."""
    return "TMUX" in environment or not environment.get("TERM", "").startswith("screen")


@lru_cache(LOOKS)
def look(style: Style | None, system: ColorSystem, italics: bool = True) -> Look:
    """Return a style as a terminal with so many colours, and with italics or none, knows it."""
    if style is None:
        return PLAIN
    weight = ";".join(code for code, on in (("1", style.bold), ("2", style.dim)) if on)
    others = (style.italic and italics, style.underline, style.blink, style.reverse)
    ons = zip("345789", (*others, style.conceal, style.strike), PLAIN[1:7], strict=True)
    colours = [
        ";".join(each.downgrade(system).get_ansi_codes(foreground)) if each is not None else usual
        for each, foreground, usual in (
            (style.color, True, PLAIN[7]),
            (style.bgcolor, False, PLAIN[8]),
        )
    ]
    if system is ColorSystem.STANDARD and colours[0] in _DARK_INKS:
        weight, colours[0] = "", f"{PLAIN[0]};{colours[0]}"
    return (weight or PLAIN[0], *(code if on else off for code, on, off in ons), *colours)


@lru_cache(LOOKS)
def blank_look(its_look: Look) -> Look:
    """Return what is to be seen of a look where there is no sign: of its ink nothing."""
    if its_look[2:7:2] != PLAIN[2:7:2]:
        return its_look
    return (*PLAIN[:7], ANY, its_look[-1])


def change_of_look(before: Look, after: Look) -> str:
    """Return what makes one look of another."""
    if after == before:
        return ""
    if after == PLAIN:
        return "\x1b[m"
    codes = [new for old, new in zip(before, after, strict=True) if new != old]
    if PLAIN[0] not in (before[0], after[0]) and before[0] != after[0]:
        # Heavy and light are only turned off together.
        codes.insert(0, PLAIN[0])
    return f"\x1b[{';'.join(codes)}m"


def cells(segments: Iterable[Segment], system: ColorSystem, italics: bool = True) -> Row:
    """Return a row of segments as cells."""
    row: Row = []
    for text, style, control in segments:
        if control:
            continue
        its_look = look(style, system, italics)
        if cell_len(text) == len(text):
            blank = blank_look(its_look)
            row += [(sign, its_look if sign != " " else blank) for sign in text]
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


class _Piece(Struct):
    """Cells beside each other that have the same colours."""

    x: int
    y: int
    cells: Row
    sure: bool
    """Whether it is known where the cursor stands behind it."""
    colour: str
    ground: str

    def take(self, gap: Row, run: Row) -> bool:
        """Add a gap, and cells that look the same, if all have the colours of the piece.

        Returns whether they have.
        """
        colour = self.colour
        for _sign, its_look in (*gap, run[0]):
            if its_look[-1] != self.ground or ANY != colour != its_look[-2] != ANY:
                return False
            colour = colour or its_look[-2]
        self.cells += gap + run
        self.colour = colour
        return True


class Shown:
    """What a terminal shows, as far as that is known."""

    def __init__(self, italics: bool = True) -> None:
        self.italics = italics
        """Whether the terminal has italics."""
        self.written = 0
        """How many bytes the last change took."""
        self._frame: list[tuple[Strip, Row]] = []
        """Each row of the last frame, and its cells; empty while nothing is known."""

    def forget(self) -> None:
        """Take nothing for granted any more."""
        self._frame = []

    def change(self, frame: Sequence[Strip], system: ColorSystem) -> str:
        """Return what to write so that a whole frame is shown."""
        pieces: list[_Piece] = []
        moves: list[str] = []
        shown, self._frame = self._frame, []
        for y, strip in enumerate(frame):
            before, row = shown[y] if y < len(shown) else (None, [])
            if strip != before:
                old, row = row, cells(strip, system, self.italics)
                if shift := _shift(old, row):
                    at, by = shift
                    old = _shifted(old, at, by)
                    moves.append(f"{_way(None, at, y)}\x1b[{abs(by)}{'P' if by > 0 else '@'}")
                pieces += _pieces(y, old, row)
            self._frame.append((strip, row))
        text = "".join(moves) + _write(pieces)
        self.written = len(text.encode())
        return text


def _shift(before: Row, after: Row) -> tuple[int, int] | None:
    """Return where to take how many cells out of a row or, less than 0, to put in, if that pays."""
    differing = sum(map(ne, before, after))
    if differing < SHIFT_SAVES or len(before) != len(after):
        return None
    old, new = ("".join(sign for sign, _look in row) for row in (before, after))
    if not len(old) == len(new) == len(after):
        return None
    at = next((x for x, (one, other) in enumerate(zip(old, new, strict=True)) if one != other), 0)
    out = old.find(new[at : at + SHIFT_SEEN], at + 1) - at
    put = new.find(old[at : at + SHIFT_SEEN], at + 1) - at
    shifts = [by for by, there in ((out, out > 0), (-put, put > 0)) if there]
    ways = {by: sum(map(ne, _shifted(before, at, by), after)) for by in shifts}
    best = min(ways, key=ways.__getitem__, default=0)
    return (at, best) if ways.get(best, differing) <= differing - SHIFT_SAVES else None


def _shifted(row: Row, at: int, by: int) -> Row:
    """Return a row of which cells are taken out, or put in."""
    if by > 0:
        return row[:at] + row[at + by :] + [UNKNOWN] * by
    return (row[:at] + [UNKNOWN] * -by + row[at:])[: len(row)]


def _pieces(y: int, before: Row, after: Row) -> Iterator[_Piece]:
    """Yield what is to be written of a row, short gaps included."""
    # About the width of some signs terminals are not of one opinion, so that nobody knows where
    # in their row the others stand.
    even = _is_even(after)
    known = even and len(before) == len(after) and _is_even(before)
    differs = map(ne, before, after) if known else repeat(True, len(after))
    piece: _Piece | None = None
    end = x = 0
    for (differing, _look), run in groupby(zip(differs, map(itemgetter(1), after), strict=True)):
        start, x = x, x + len(list(run))
        if not differing:
            continue
        near = piece and (start == end or _is_short(after[end:start]))
        if not (piece and near and piece.take(after[end:start], after[start:x])):
            if piece:
                yield piece
            piece = _Piece(start, y, after[start:x], even, *after[start][1][-2:])
        end = x
    if piece:
        # At the right edge terminals are not of one opinion where the cursor stands.
        piece.sure = even and end < len(after)
        yield piece


def _is_short(gap: Row) -> bool:
    """Whether to write cells once more takes no more than to go past them."""
    return len("".join(sign for sign, _ in gap).encode()) <= SHORT_GAP


def _is_even(row: Row) -> bool:
    """Whether each cell has one character of its own."""
    return {len(sign) for sign, _ in row} <= {1}


def _write(pieces: Iterable[_Piece]) -> str:
    """Return what shows pieces: those of the same colours one after the other.

    To go to another place costs a fraction of what other colours do, so that this order saves
    a quarter, and a third of a move of the cursor.
    """
    order: dict[str, dict[str, list[_Piece]]] = {}
    for piece in pieces:
        order.setdefault(piece.ground, {}).setdefault(piece.colour, []).append(piece)
    written: list[str] = []
    pen = last = PLAIN
    at: tuple[int, int] | None = None
    for colours in order.values():
        for piece in chain.from_iterable(colours.values()):
            written.append(_way(at, piece.x, piece.y))
            for sign, its_look in piece.cells:
                if its_look is not last:
                    last = its_look
                    if its_look[-2] == ANY:
                        its_look = (pen[0], *its_look[1:7], pen[-2], its_look[-1])
                    written.append(change_of_look(pen, its_look))
                    pen = its_look
                written.append(sign)
            at = (piece.x + len(piece.cells), piece.y) if piece.sure else None
    written.append(change_of_look(pen, PLAIN))
    return "".join(written)


def _way(at: tuple[int, int] | None, x: int, y: int) -> str:
    """Return what takes the cursor to a cell, from another if it is known to stand there.

    Most pieces are near the one before them: of the largest actions this saves a tenth.
    """
    way = f"\x1b[{y + 1};{x + 1}H"
    if at is None:
        return way
    across, down = x - at[0], y - at[1]
    steps = ((across, "C"), (-across, "D"), (down, "B"), (-down, "A"))
    return min(way, "".join(f"\x1b[{n if n > 1 else ''}{to}" for n, to in steps if n > 0), key=len)


ASK: Final = "\x1b[?2026$p"
"""The question to the terminal whether it can show a frame at once, which Textual asks too when it
starts. A terminal that knows the question answers with a few bytes that no key has."""

REST_S: Final = 5.0
"""Seconds between two questions: they cost next to nothing so, and nothing while nothing is
drawn."""

ANSWER_S: Final = 0.25
"""The longest that an answer takes on a line that is not slow: twice around half the world."""

BYTES_PER_S: Final = 20_000
"""The rate of a line that is just not slow: what is written before the answer takes time too."""

ANSWERS: Final = 3
"""How many of the last answers are judged; most of them decide, so that one held up does not."""


class SlowLine:
    """What is known of a line."""

    def __init__(self) -> None:
        self._late: deque[bool] = deque(maxlen=ANSWERS)

    def wrote(self, written: int, seconds: float) -> None:
        """Take note that so many bytes were written, and answered so many seconds later."""
        self._late.append(seconds > ANSWER_S + written / BYTES_PER_S)

    @property
    def slow(self) -> bool:
        """Whether most of the last answers came late; False as long as there is none."""
        return 2 * sum(self._late) > len(self._late)
