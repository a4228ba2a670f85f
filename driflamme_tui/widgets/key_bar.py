"""The key bar: what can be done now, and by which key."""

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
from driflamme_tui.widgets.board import Drawn


class Key(Struct, frozen=True):
    """One entry of the key bar."""

    key: str
    label: str
    action: str
    """The action of the screen that the entry runs."""
    lit: bool = False
    """Whether there is news behind it."""
    stays: bool = False
    """Whether it stays where there is no room for all."""
    command: Command | None = None
    """The command that it stands for."""


def key_of(
    entry: Entry, glyphs: Glyphs, words: str, *, lit: bool = False, stays: bool = False
) -> Key:
    """Return an entry as it is shown; of two commands that go together, a click does the second."""
    command = done_by(entry)
    return Key(entry_keys(entry, glyphs), words, command.action, lit, stays or lit, command)


KEY_GAPS: Final = (3, 2)
"""Cells between two keys: the wider gap where all keys fit with it."""

NARROW: Final = 70
"""Columns below which keys come as close as one cell, since few fit with more."""

MORE: Final = "…"
"""What the command palette's entry is called where it stands for what has no room."""

MARGIN: Final = 1
"""Cells before the first key and after the last."""


class Keys(Drawn):
    """What can be done now, and by which key; each entry may be clicked."""

    ground = "panel"
    keys: Sequence[Key] = ()

    def show(self, keys: Sequence[Key]) -> None:
        """Draw these keys, unless they are drawn already."""
        before, self.keys = self.keys, keys
        if keys != before or not self.is_drawn:
            self.redraw()

    def draw(self, canvas: Canvas) -> None:
        """Draw the keys, as far as there is room for them."""
        canvas.fill(0, 0, canvas.width, canvas.height, canvas.mute, " ")
        for x, key in self.entries():
            end = canvas.place(x, 0, key.key, canvas.bold, key.action)
            label = f" {key.label}" if key.key else key.label
            canvas.place(end, 0, label, canvas.mute, key.action)
            if key.lit:
                canvas.restyle(end + bool(key.key), 0, cell_len(key.label), canvas.choice)

    def entries(self) -> Iterator[tuple[int, Key]]:
        """Yield the keys that there is room for, and the column of each."""
        keys, gap = fitting(self.keys, self.size.width - 2 * MARGIN)
        x = MARGIN
        for key in keys:
            width = _key_width(key)
            if x + width > self.size.width:
                return
            yield x, key
            x += width + gap


def fitting(keys: Sequence[Key], room: int) -> tuple[Sequence[Key], int]:
    """Return the keys that fit a row of so many cells, and the gap between two of them.

    Then the command palette, which has them all, is called `MORE`. What stays is there; of the
    others each in turn that there is still room for.
    """
    for gap in KEY_GAPS:
        if _width(keys, gap) <= room:
            return keys, gap
    fit = [
        replace(key, label=MORE) if key.command == EverywhereCommands.commands else key
        for key in keys
    ]
    gap = gap if room >= NARROW else 1
    kept = [key.stays for key in fit]
    for index in range(len(fit)):
        more = [*kept[:index], True, *kept[index + 1 :]]
        if _width(list(compress(fit, more)), gap) <= room:
            kept = more
    return list(compress(fit, kept)), gap


def _width(keys: Sequence[Key], gap: int) -> int:
    return sum(map(_key_width, keys)) + gap * (len(keys) - 1)


def _key_width(key: Key) -> int:
    return cell_len(key.key) + bool(key.key) + cell_len(key.label)
