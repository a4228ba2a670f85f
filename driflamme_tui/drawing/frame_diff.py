"""Compares each frame with the terminal's contents, and returns the bytes that update them.

Textual writes whole rectangles around every possible change, and each piece with a full style. Over
a slow connection players wait for these bytes: one played card can cost 50 KB. This module compares
frames cell by cell. It writes only the cells that differ, and only the parts of a style that differ
from the style before.

Each rule states its saving for another player's action at 120 by 40 (2.3 KB). Textual still decides
when to draw, and what: `textual_internals` passes its frames on.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, repeat
from operator import itemgetter, ne
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct
from rich.cells import cell_len
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

SHORT_GAP: Final = 4
"""Maximum bytes of correct cells that are written again, because skipping them costs the same. This
saves a tenth, and a sixth of a cursor's move.
"""

BACKSPACES: Final = 3
"""Maximum number of cells to the left that backspaces reach with fewer bytes than a sequence."""

TWO: Final = 2
"""Maximum number of pieces for which only the given order is tried."""

MOST_SORTED: Final = 60
"""Maximum number of pieces of the same colours that are sorted by nearness, which takes time."""

SHIFT_SAVES: Final = 10
"""Minimum number of cells that a shift within a row must save, for example of an inserted card.
These shifts save a third of the largest actions.
"""

SHIFT_SEEN: Final = 8
"""Number of signs that are searched for elsewhere in the row: about the width of a card."""

LOOKS: Final = 4096
"""Number of styles with a cached look: far more than a screen has."""

_DARK_INKS: Final = frozenset(map(str, range(30, 38)))
"""The codes of 16-colour inks that many terminals show as light inks if they are bold (black as
grey). The Linux console also does so after a light ink.
"""

Look: TypeAlias = tuple[str, ...]
"""A style as codes for the terminal: one for each attribute."""

PLAIN: Final[Look] = ("22", "23", "24", "25", "27", "28", "29", "39", "49")
"""The look of a terminal at the start and after each frame: no attributes, and the terminal's own
colours.
"""

ANY: Final = ""
"""The ink of a space, which is invisible. A change of this ink alone writes nothing, and a space
that is written takes the terminal's present ink. This saves a fourteenth of the bytes.
"""

Cell: TypeAlias = tuple[str, Look]
"""A character and its look. The further cells of a wide character have ""."""

Row: TypeAlias = list[Cell]
"""Cells of one row, from the left."""

UNKNOWN: Final[Cell] = ("?", ())
"""A cell that a shift has emptied. Its background differs between terminals."""


def has_italics(environment: Mapping[str, str]) -> bool:
    """Return True if the terminal shows italics.

    GNU screen shows them as reverse video. tmux may use the same `TERM`, but shows italics.
    """
    return "TMUX" in environment or not environment.get("TERM", "").startswith("screen")


@lru_cache(LOOKS)
def look(style: Style | None, system: ColorSystem, *, italics: bool = True) -> Look:
    """Return the look of a style on a terminal with this colour system, with or without italics."""
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
    """Return the visible part of a look on a space: everything but its ink.

    With underline, reverse video or strikethrough the ink is visible, so return the whole look.
    """
    if its_look[2:7:2] != PLAIN[2:7:2]:
        return its_look
    return (*PLAIN[:7], ANY, its_look[-1])


def change_of_look(before: Look, after: Look) -> str:
    """Return the escape sequence that turns one look into another; "" for the same look."""
    if after == before:
        return ""
    if after == PLAIN:
        return "\x1b[m"
    codes = [new for old, new in zip(before, after, strict=True) if new != old]
    if PLAIN[0] not in (before[0], after[0]) and before[0] != after[0]:
        # Bold and dim have only one code that turns both off.
        codes.insert(0, PLAIN[0])
    return f"\x1b[{';'.join(codes)}m"


def cells(segments: Iterable[Segment], system: ColorSystem, *, italics: bool = True) -> Row:
    """Return a row of segments as cells. Segments with control codes are left out."""
    row: Row = []
    for text, style, control in segments:
        if control:
            continue
        its_look = look(style, system, italics=italics)
        if cell_len(text) == len(text):
            blank = blank_look(its_look)
            row += [(sign, its_look if sign != " " else blank) for sign in text]
            continue
        for sign in text:
            width = cell_len(sign)
            if width:
                row += [(sign, its_look), *[("", its_look)] * (width - 1)]
            elif row:
                # A combining character has no cell of its own.
                before, before_look = row[-1]
                row[-1] = (before + sign, before_look)
    return row


_Place: TypeAlias = tuple[int, int]
"""A position: column and row, from 0."""


class _Piece(Struct):
    """Neighbouring cells of the same colours, to be written together."""

    x: int
    y: int
    cells: Row
    sure: bool
    """True if the cursor's position after writing the piece is known."""
    colour: str
    ground: str

    @property
    def end(self) -> _Place | None:
        """The position of the cursor after writing the piece; None if it is unknown."""
        return (self.x + len(self.cells), self.y) if self.sure else None

    def take(self, gap: Row, run: Row) -> bool:
        """Add a gap and a run of cells of one look, if all have the piece's colours.

        Returns True if it has added them.
        """
        colour = self.colour
        for _sign, its_look in (*gap, run[0]):
            if its_look[-1] != self.ground or ANY != colour != its_look[-2] != ANY:
                return False
            colour = colour or its_look[-2]
        self.cells += gap + run
        self.colour = colour
        return True


class TerminalContents:
    """Remembers what a terminal shows, and computes the text that changes it to a new frame."""

    def __init__(self, *, italics: bool = True) -> None:
        self.italics = italics
        """True if the terminal shows italics."""
        self.written = 0
        """Number of bytes of the last change."""
        self._frame: list[tuple[Strip, Row]] = []
        """Each row of the last frame with its cells; empty if the contents are unknown."""

    def forget(self) -> None:
        """Treat the terminal's contents as unknown."""
        self._frame = []

    def change(self, frame: Sequence[Strip], system: ColorSystem) -> str:
        """Store a frame as the shown one; return the text that changes the last frame to it."""
        pieces: list[_Piece] = []
        moves: list[str] = []
        at: _Place | None = None
        shown, self._frame = self._frame, []
        for y, strip in enumerate(frame):
            before, row = shown[y] if y < len(shown) else (None, [])
            if strip != before:
                old, row = row, cells(strip, system, italics=self.italics)
                while shift := _shift(old, row):
                    x, by = shift
                    old = _shifted(old, x, by)
                    moves.append(f"{_way(at, x, y)}\x1b[{abs(by)}{'P' if by > 0 else '@'}")
                    at = x, y
                pieces += _pieces(y, old, row)
            self._frame.append((strip, row))
        text = "".join(moves) + _write(pieces, at)
        self.written = len(text.encode())
        return text


def _shift(before: Row, after: Row) -> tuple[int, int] | None:
    """Return the column and number of cells of a shift that saves enough; None if none does.

    A positive number deletes cells; a negative one inserts them.
    """
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
    """Return a row with cells deleted (`by` > 0) or inserted (`by` < 0) at a column."""
    if by > 0:
        return row[:at] + row[at + by :] + [UNKNOWN] * by
    return (row[:at] + [UNKNOWN] * -by + row[at:])[: len(row)]


def _pieces(y: int, before: Row, after: Row) -> Iterator[_Piece]:
    """Yield the pieces of a row to write, short gaps included."""
    # Terminals differ in the width of some signs. After one of them, the columns of other cells are
    # unknown.
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
        # Terminals differ in the position of the cursor after the last column.
        piece.sure = even and end < len(after)
        yield piece


def _is_short(gap: Row) -> bool:
    """Return True if writing the cells again takes no more bytes than skipping them."""
    return len("".join(sign for sign, _ in gap).encode()) <= SHORT_GAP


def _is_even(row: Row) -> bool:
    """Return True if each cell has exactly one character."""
    return {len(sign) for sign, _ in row} <= {1}


def _write(pieces: Iterable[_Piece], at: _Place | None) -> str:
    """Return the text that draws pieces, grouped by colours, with the cursor at `at`.

    Moving the cursor is much cheaper than changing colours. This order saves a quarter, and a third
    of a cursor's move.
    """
    order: dict[str, dict[str, list[_Piece]]] = {}
    for piece in pieces:
        order.setdefault(piece.ground, {}).setdefault(piece.colour, []).append(piece)
    pen = _Pen("", PLAIN, PLAIN, at)
    for group in _by_colours(order):
        orders = [group]
        if TWO < len(group) <= MOST_SORTED:
            orders.append(_by_nearness(group, pen.at))
        pen = min((_drawn(each, pen) for each in orders), key=_length)
    return pen.text + change_of_look(pen.look, PLAIN)


def _by_colours(groups: dict[str, dict[str, list[_Piece]]]) -> Iterator[list[_Piece]]:
    """Yield the groups of pieces by ground, then by ink.

    If two grounds have an ink in common, the pieces of that ink follow each other. This saves a
    fiftieth.
    """
    ink = ANY
    while groups:
        ground = next((each for each, inks in groups.items() if ink and ink in inks), None)
        inks = groups.pop(next(iter(groups)) if ground is None else ground)
        common = set[str]().union(*groups.values())
        if ink in inks:
            yield inks.pop(ink)
        for ink in sorted(inks, key=common.__contains__):
            yield inks[ink]


class _Pen(NamedTuple):
    """The state after drawing some pieces."""

    text: str
    look: Look
    """The look of the terminal, with the ink that spaces have taken."""
    last: Look
    """The look of the last cell. Its ink may be `ANY`."""
    at: _Place | None
    """The position of the cursor; None if it is unknown."""


def _length(pen: _Pen) -> int:
    return len(pen.text)


def _drawn(pieces: Iterable[_Piece], pen: _Pen) -> _Pen:
    """Return the pen after it has drawn pieces in their order."""
    written, look, last, at = [pen.text], pen.look, pen.last, pen.at
    for piece in pieces:
        written.append(_way(at, piece.x, piece.y))
        for sign, its_look in piece.cells:
            if its_look is not last:
                last = its_look
                if its_look[-2] == ANY:
                    its_look = (look[0], *its_look[1:7], look[-2], its_look[-1])
                written.append(change_of_look(look, its_look))
                look = its_look
            written.append(sign)
        at = piece.end
    return _Pen("".join(written), look, last, at)


def _by_nearness(pieces: Sequence[_Piece], at: _Place | None) -> list[_Piece]:
    """Return pieces in another order: after each piece the nearest of the others.

    The sides of cards stand one above the other. This saves a thirtieth of the largest actions.
    """
    left = [*pieces]
    ordered: list[_Piece] = []
    while left:
        ways = [len(_way(at, piece.x, piece.y)) for piece in left]
        piece = left.pop(ways.index(min(ways)))
        ordered.append(piece)
        at = piece.end
    return ordered


def _way(at: _Place | None, x: int, y: int) -> str:
    """Return the shortest sequence that moves the cursor to a cell.

    `at` is the present position; None if it is unknown. Most moves are short: relative sequences
    save a tenth of the largest actions.
    """
    way = f"\x1b[{y + 1};{x + 1}H"
    if at is None:
        return way
    across, down = x - at[0], y - at[1]
    back = "\b" * -across if -BACKSPACES <= across < 0 else _step(-across, "D")
    return min(way, f"{_step(across, 'C')}{back}{_step(down, 'B')}{_step(-down, 'A')}", key=len)


def _step(cells: int, to: str) -> str:
    """Return the sequence that moves the cursor by `cells` in a direction; "" for 0 or less."""
    return f"\x1b[{cells if cells > 1 else ''}{to}" if cells > 0 else ""


ASK: Final = "\x1b[?2026$p"
"""A query whether the terminal can show a whole frame at once. Textual also sends this query at its
start. A terminal that supports the query answers with a few bytes that no key sends.
"""

REST_S: Final = 5.0
"""Seconds between two queries, so that they cost next to nothing. While nothing is drawn, no query
is sent.
"""

ANSWER_S: Final = 0.25
"""Maximum seconds until a query is answered over a fast connection.

Twice the time that a signal takes around half the world.
"""

BYTES_PER_S: Final = 20_000
"""Bytes per second of a connection that is just fast enough. Over a slower connection, the bytes
before a query delay the answer.
"""

ANSWERS: Final = 3
"""Number of latest answers that are judged. The majority decides, so one delayed answer has no
effect.
"""


class ConnectionSpeed:
    """Measures by answers to queries whether the connection to a terminal is slow."""

    def __init__(self) -> None:
        self._late: deque[bool] = deque(maxlen=ANSWERS)

    def record_answer(self, written: int, seconds: float) -> None:
        """Judge whether an answer came late, and store the result for `is_slow`.

        Args:
            written: Number of bytes that were written just before the query.
            seconds: Seconds from the query to its answer.
        """
        self._late.append(seconds > ANSWER_S + written / BYTES_PER_S)

    @property
    def is_slow(self) -> bool:
        """True if most of the last answers came late; False before the first answer."""
        return 2 * sum(self._late) > len(self._late)
