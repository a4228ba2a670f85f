"""A minimal terminal emulator for Textual's apps: it converts their output to rows of cells.

It handles the cursor, attributes and colours, and ignores all other control sequences. It neither
scrolls nor wraps, since the apps do neither.
"""

import re
from typing import Final

from rich.cells import cell_len

_SEQUENCE: Final = re.compile(
    r"\x1b(?:\[([0-9;?<>=]*)([ -/]*[@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_=>78])"
)
_BEGUN: Final = re.compile(r"\x1b(?:\[[0-9;?<>= -/]*|\][^\x07\x1b]*\x1b?)?\Z")
_STEPS: Final = {"A": (0, -1), "B": (0, 1), "C": (1, 0), "D": (-1, 0)}
_OFF: Final = {22: (1, 2), **{code: (code - 20,) for code in (23, 24, 25, 27, 28, 29)}}

Colour = tuple[int, ...]
"""The parameters that select a colour; () for the terminal's own."""

Look = tuple[frozenset[int], Colour, Colour]
"""The attributes, colour and background of a cell."""


class Emulator:
    """The screen of a terminal of a given size."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._attributes: frozenset[int] = frozenset()
        self._colour: Colour = ()
        self._ground: Colour = ()
        self._x = self._y = 0
        self._rest = ""
        """The beginning of a control sequence whose end has not arrived yet."""
        self.clear()

    def clear(self) -> None:
        """Clear the screen."""
        plain: Look = (frozenset(), (), ())
        self.cells = [[(" ", plain)] * self.width for _ in range(self.height)]

    def text(self) -> str:
        """Return the text on the screen, without trailing spaces."""
        return "\n".join(row.rstrip() for row in self.rows())

    def rows(self) -> list[str]:
        """Return the screen's rows as plain text, with their trailing spaces."""
        return ["".join(sign for sign, _ in row) for row in self.cells]

    def feed(self, text: str) -> None:
        """Show a program's output on the screen. The text may end within a control sequence."""
        text, self._rest = self._rest + text, ""
        begun = _BEGUN.search(text)
        if begun is not None:
            text, self._rest = text[: begun.start()], begun[0]
        at = 0
        for sequence in _SEQUENCE.finditer(text):
            self._write(text[at : sequence.start()])
            self._obey(sequence[1] or "", sequence[2] or "")
            at = sequence.end()
        self._write(text[at:])

    def _obey(self, numbers: str, command: str) -> None:
        if command in ("h", "l") and numbers == "?1049":
            self.clear()
        if not re.fullmatch(r"[0-9;]*", numbers):
            return
        codes = [int(code or 0) for code in numbers.split(";")]
        if command == "H":
            y, x = codes if len(codes) == 2 else (1, 1)
            self._x, self._y = max(1, x) - 1, max(1, y) - 1
        elif command in _STEPS:
            across, down = _STEPS[command]
            self._x += across * max(1, codes[0])
            self._y += down * max(1, codes[0])
        elif command == "m":
            self._look(codes)
        elif command in ("P", "@") and 0 <= self._y < self.height:
            self._move(max(1, codes[0]), out=command == "P")

    def _move(self, cells: int, *, out: bool) -> None:
        """Delete cells at the cursor if `out` is True; otherwise insert cells.

        New cells show a replacement character.
        """
        row, x = self.cells[self._y], self._x
        new = [
            ("\N{REPLACEMENT CHARACTER}", (self._attributes, self._colour, self._ground))
        ] * cells
        moved = row[x + cells :] + new if out else new + row[x:]
        row[x:] = moved[: self.width - x]

    def _look(self, codes: list[int]) -> None:
        while codes:
            code = codes.pop(0)
            if code == 0:
                self._attributes, self._colour, self._ground = frozenset(), (), ()
            elif code < 10:
                self._attributes |= {code}
            elif code in _OFF:
                self._attributes -= set(_OFF[code])
            else:
                colour: Colour = () if code in (39, 49) else (code % 10, int(code >= 90))
                if code in (38, 48):
                    more = 4 if codes[0] == 2 else 2
                    colour = (8, *codes[:more])
                    del codes[:more]
                if 40 <= code < 50 or code >= 100:
                    self._ground = colour
                else:
                    self._colour = colour

    def _write(self, text: str) -> None:
        for sign in text:
            if sign == "\r":
                self._x = 0
            elif sign == "\n":
                self._y += 1
                self._x = 0
            elif sign == "\b":
                self._x -= 1
            elif sign.isprintable():
                self._put(sign)

    def _put(self, sign: str) -> None:
        if not (0 <= self._y < self.height and 0 <= self._x < self.width):
            return
        row, width = self.cells[self._y], cell_len(sign)
        look = (self._attributes, self._colour, self._ground)
        if not width:
            before, its_look = row[self._x - 1]
            row[self._x - 1] = (before + sign, its_look)
            return
        row[self._x] = (sign, look)
        for x in range(self._x + 1, min(self._x + width, self.width)):
            row[x] = ("", look)
        self._x += width
