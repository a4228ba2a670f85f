"""Draws a link as a QR code in half blocks: black on white in every theme, for cameras."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Final

from msgspec import Struct
from rich.text import Text

from driflamme_tui.drawing.palette import QR_BLACK, QR_WHITE, style

QUIET: Final = 4
"""Number of light modules around a code, by the standard of QR codes."""

NARROW_QUIET: Final = 2
"""Minimum number of light modules around a code with which cameras still find it."""

UPPER: Final = "▀"
"""The character for a dark module above a light one."""
LOWER: Final = "▄"
"""The character for a light module above a dark one."""


class QrCode(Struct, frozen=True):
    """The modules of a code with its light margin. True stands for a dark module."""

    modules: Sequence[Sequence[bool]]

    @property
    def width(self) -> int:
        """Columns on the screen."""
        return len(self.modules)

    @property
    def height(self) -> int:
        """Rows on the screen. Each shows two rows of modules."""
        return -(-len(self.modules) // 2)

    def text(self) -> Text:
        """Return the code as text. Every cell sets both colours, so that no theme shows through."""
        # If the number of rows is odd, add light modules below the last one.
        light = [False] * self.width
        pairs = zip_longest(self.modules[::2], self.modules[1::2], fillvalue=light)
        rows = []
        for upper, lower in pairs:
            row = Text()
            for above, below in zip(upper, lower, strict=True):
                ground = QR_BLACK if above and below else QR_WHITE
                sign = " " if above == below else UPPER if above else LOWER
                row.append(sign, style(QR_BLACK, ground))
            rows.append(row)
        return Text("\n", no_wrap=True, end="").join(rows)


@lru_cache(maxsize=8)
def qr_code(text: str, quiet: int = QUIET) -> QrCode:
    """Return the smallest code of a text, with the best error correction for that size.

    `quiet` is the number of light modules around the code.
    """
    # Import here: the import is slow, and most players never show a code.
    import segno

    code = segno.make(text, error="l", micro=False)
    return QrCode([[bool(module) for module in row] for row in code.matrix_iter(border=quiet)])


def fitting_code(text: str, width: int, height: int) -> QrCode | None:
    """Return the code of a text that fits into `width` columns and `height` rows.

    The margin is narrow if the usual one does not fit. Returns None if neither fits.
    """
    for quiet in (QUIET, NARROW_QUIET):
        code = qr_code(text, quiet)
        if code.width <= width and code.height <= height:
            return code
    return None
