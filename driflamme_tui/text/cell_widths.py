"""Measures texts in cells of a terminal: wrapping, cutting, bars, signs of uncertain width."""

import re
import unicodedata
from typing import Final

from rich.cells import cell_len, set_cell_size

from driflamme_tui.text.signs import Glyphs

_REGIONAL: Final = range(0x1F1E6, 0x1F200)
"""Letters of which terminals combine two into a flag."""

_BREAKS: Final = re.compile(r"[^\S\u00a0\u202f]+")
"""Matches the places where a line may be broken: all spaces except no-break spaces."""

_ENDS: Final = re.compile(r"[.;!?](?= )")
"""Matches the end of a sentence or clause, unless it is the end of the text."""

_SKINS: Final = range(0x1F3FB, 0x1F400)
"""Skin tones, which a terminal may combine with the sign before them."""


def steady(text: str) -> str:
    """Return a text in which each sign has the same width on all terminals.

    Flags become letters. Control characters, separate accents and skin tones are left out.
    """
    shown = []
    for sign in unicodedata.normalize("NFC", text):
        number = ord(sign)
        if number in _REGIONAL:
            shown.append(chr(number - _REGIONAL.start + ord("A")))
        elif (sign.isprintable() or sign == "\u00a0") and number not in _SKINS and cell_len(sign):
            shown.append(sign)
    return "".join(shown)


def wrap_text(text: str, first: int, others: int) -> list[str]:
    """Wrap a text into rows of at most `first` cells for the first and `others` for the rest.

    Returns at least one row. Words stay whole if they fit into a row. A width below 2 cells counts
    as 2, for a wide sign.
    """
    first, others = max(2, first), max(2, others)
    rows, row, space = [], "", first
    for word in _BREAKS.split(text.strip()):
        gap = " " if row else ""
        if cell_len(row) + len(gap) + cell_len(word) <= space:
            row += gap + word
            continue
        if row:
            rows.append(row)
            row, space = "", others
        while cell_len(word) > space:
            piece = _begin(word, space)
            rows.append(piece)
            word, space = word[len(piece) :], others
        row = word
    return [*rows, row] if row or not rows else rows


def _begin(word: str, space: int) -> str:
    cells = 0
    for index, sign in enumerate(word):
        cells += cell_len(sign)
        if cells > space:
            return word[:index]
    return word


def shorten_text(text: str, space: int, glyphs: Glyphs) -> str:
    """Return a text in at most `space` cells. A text that is cut ends with `glyphs.cut`.

    Returns "" if the text is too long and `space` is below 1.
    """
    if cell_len(text) <= space:
        return text
    return set_cell_size(text, space - 1) + glyphs.cut if space > 0 else ""


def fit_text(
    text: str, width: int, rows: int, glyphs: Glyphs, *, sentences: bool = False
) -> list[str]:
    """Wrap a text into at most `rows` rows. Cut a longer text, and end it with an ellipsis.

    With `sentences`, cut it after a whole sentence or clause that fills at least `rows` - 1 rows,
    if there is one. After a whole sentence there is no ellipsis. Returns [] for an empty text, or
    without rows.
    """
    lines = wrap_text(text, width, width) if text else []
    if len(lines) <= rows:
        return lines
    for end in reversed([each.end() for each in _ENDS.finditer(text)] if sentences else []):
        part = f"{text[: end - 1]}{glyphs.ellipsis}" if text[end - 1] == ";" else text[:end]
        if rows - 1 <= len(whole := wrap_text(part, width, width)) <= rows:
            return whole
    *kept, last = ["", *lines[:rows]]
    while cell_len(cut := f"{last.rstrip(' .,;:')}{glyphs.ellipsis}") > width:
        last = last.rpartition(" ")[0] or last[:-1]
    return [*kept[1:], cut] if rows > 0 else []


def bar(value: float, top: float, width: int, glyphs: Glyphs) -> str:
    """Return a bar for a value. For `top` and higher values, the bar is `width` cells long.

    Every value above 0 is visible. Returns "" for other values, or if `top` is not above 0.
    """
    if value <= 0 or top <= 0:
        return ""
    parts = len(glyphs.across) - 1
    length = max(1, round(min(1.0, value / top) * width * parts))
    whole, part = divmod(length, parts)
    return glyphs.across[-1] * whole + (glyphs.across[part] if part else "")
