"""Draws the key bar: the present commands and their keys."""

from collections.abc import Iterator, Sequence
from itertools import compress
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.keymap.command_type import Command, Entry, done_by
from driflamme_tui.keymap.key_bindings import entry_keys
from driflamme_tui.keymap.screen_commands import EverywhereCommands
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.widgets.board import DrawnWidget


class Key(Struct, frozen=True):
    """An entry of the key bar."""

    key: str
    label: str
    action: str
    """The action of the screen that the entry runs."""
    lit: bool = False
    """True if the entry is highlighted, because it leads to news."""
    stays: bool = False
    """True if the entry must be shown even if others do not fit."""
    command: Command | None = None
    """The command of the entry; None for an entry that only explains keys."""


def key_of(
    entry: Entry, glyphs: Glyphs, words: str, *, lit: bool = False, stays: bool = False
) -> Key:
    """Return an entry as the bar shows it, with `words` as its label.

    For two joined commands, a click runs the second. A lit entry also stays.
    """
    command = done_by(entry)
    return Key(entry_keys(entry, glyphs), words, command.action, lit, stays or lit, command)


KEY_GAPS: Final = (3, 2)
"""Cells between two keys. The wider gap is used if all keys fit with it."""

NARROW_COLUMNS: Final = 70
"""Number of columns below which the gap between keys may be one cell, so that more keys fit."""

MORE: Final = "…"
"""The label of the command palette if it replaces keys that do not fit."""

MARGIN: Final = 1
"""Cells before the first key and after the last."""


class Keys(DrawnWidget):
    """The present commands and their keys. Each entry can be clicked."""

    ground = "panel"
    keys: Sequence[Key] = ()
    rows = 1
    """Number of rows that the keys fill."""

    def show(self, keys: Sequence[Key], rows: int = 1) -> None:
        """Draw these keys in one or two rows, if they have changed."""
        before, self.keys = (self.keys, self.rows), keys
        if rows != self.rows:
            self.rows = self.styles.height = rows
        if (keys, rows) != before or not self.is_drawn:
            self.redraw()

    def draw(self, canvas: Canvas) -> None:
        """Draw the keys that fit. Labels of entries with news are highlighted."""
        canvas.fill(0, 0, canvas.width, canvas.height, canvas.mute, " ")
        for x, y, key in self.entries():
            end = canvas.place(x, y, key.key, canvas.bold, key.action)
            label = f" {key.label}" if key.key else key.label
            canvas.place(end, y, label, canvas.mute, key.action)
            if key.lit:
                canvas.restyle(end + bool(key.key), y, cell_len(key.label), canvas.choice)

    def entries(self) -> Iterator[tuple[int, int, Key]]:
        """Yield the keys that fit, each with its column and row."""
        for y, (keys, gap) in enumerate(fitting_rows(self.keys, inner(self.size.width), self.rows)):
            x = MARGIN
            for key in keys:
                width = _key_width(key)
                if x + width > self.size.width:
                    break
                yield x, y, key
                x += width + gap


def inner(width: int) -> int:
    """Return the cells for keys in a bar of this width."""
    return width - 2 * MARGIN


def fits_one_row(keys: Sequence[Key], width: int) -> bool:
    """Return True if a bar of this width shows all keys in one row."""
    return len(fitting(keys, inner(width))[0]) == len(keys)


def fitting_rows(keys: Sequence[Key], space: int, rows: int) -> Iterator[tuple[Sequence[Key], int]]:
    """Yield the keys of each row, and the gap between two keys.

    A second row is used only if one is too short. The two rows are then about equally long.
    """
    gap = KEY_GAPS[-1]
    if rows > 1 and _width(keys, gap) > space:

        def longer(first: int) -> int:
            return max(_width(keys[:first], gap), _width(keys[first:], gap))

        first = min(range(1, len(keys)), key=longer)
        yield fitting(keys[:first], space)
        keys = keys[first:]
    yield fitting(keys, space)


def fitting(keys: Sequence[Key], space: int) -> tuple[Sequence[Key], int]:
    """Return the keys that fit in a row of `space` cells, and the gap between two keys.

    If all keys fit, the widest gap with which they fit is used. If some do not fit, the entry of
    the command palette, which has all commands, gets the label `MORE`. Keys that must stay come
    first, then each other key that still fits.
    """
    for gap in KEY_GAPS:
        if _width(keys, gap) <= space:
            return keys, gap
    fit = [
        replace(key, label=MORE) if key.command == EverywhereCommands.commands else key
        for key in keys
    ]
    gap = gap if space >= NARROW_COLUMNS else 1
    kept = [key.stays for key in fit]
    for index in range(len(fit)):
        more = [*kept[:index], True, *kept[index + 1 :]]
        if _width(list(compress(fit, more)), gap) <= space:
            kept = more
    return list(compress(fit, kept)), gap


def _width(keys: Sequence[Key], gap: int) -> int:
    return sum(map(_key_width, keys)) + gap * (len(keys) - 1)


def _key_width(key: Key) -> int:
    return cell_len(key.key) + bool(key.key) + cell_len(key.label)
