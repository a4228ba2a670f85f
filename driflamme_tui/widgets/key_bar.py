"""The key bar: what can be done now, and by which key."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.keymap import key_bindings
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.screen_commands import EverywhereCommands
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.widgets.board import Board


class Key(Struct, frozen=True):
    """One entry of the key bar."""

    key: str
    label: str
    action: str
    """The action of the screen that the entry runs."""
    rank: int = 0
    """How expendable it is: where there is no room, entries of the highest rank are left out."""
    lit: bool = False
    """Whether there is news behind it."""
    command: Command | None = None
    """The command that it stands for."""
    instead: bool = False
    """Whether it leads to all commands, and so stands for what is left out."""


def entry(
    command: Command, glyphs: Glyphs, words: str = "", *, rank: int = 0, lit: bool = False
) -> Key:
    """Return the entry of a command, with the key that it has now.

    `words` say what it does at this moment, where that is not what it is usually called.
    """
    name, words = key_bindings.key(command, glyphs), words or key_bindings.label(command)
    return Key(name, words, command.action, rank, lit, command)


def commands_entry(glyphs: Glyphs) -> Key:
    """Return the entry of the command palette, which is left out first, but see `fitting`."""
    return replace(entry(EverywhereCommands.commands, glyphs, rank=COMMANDS_RANK), instead=True)


def pair(one: Command, other: Command, glyphs: Glyphs, words: str = "", *, rank: int = 0) -> Key:
    """Return one entry for two commands that go together; a click does the second."""
    words, keys = words or key_bindings.label(one), key_bindings.both(one, other, glyphs)
    return replace(entry(other, glyphs, words, rank=rank), key=keys)


KEY_GAPS: Final = (3, 2)
"""Cells between two keys: the wider gap where all keys fit with it."""

NARROW_GAP: Final = 1
"""Cells between two keys where some would have to be left out with more."""

EXPENDABLE: Final = 3
"""The rank from which keys are rather left out than crowded: something else does or says the
same."""

COMMANDS_RANK: Final = 5
"""The rank of the command palette's entry: whoever looks for it finds it in help, too."""

MORE: Final = "…"
"""The label of the command palette's entry where it stands for what has no room."""

MARGIN: Final = 1
"""Cells before the first key and after the last."""


class Keys(Board):
    """What can be done now, and by which key; each entry may be clicked."""

    ground = "panel"
    keys: Sequence[Key] = ()

    def show(self, keys: Sequence[Key]) -> None:
        """Draw these keys."""
        self.keys = keys
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

    Where keys are left out that nothing else does, a short mark leads to them.
    """
    fit, gap = _fitting(keys, room)
    missing = (key for key in keys if key not in fit and not key.instead)
    if all(key.rank >= EXPENDABLE for key in missing):
        return fit, gap
    shorter = [replace(key, label=MORE, rank=0) if key.instead else key for key in keys]
    return _fitting(shorter, room)


def _fitting(keys: Sequence[Key], room: int) -> tuple[list[Key], int]:
    keys = list(keys)
    while True:
        rank = max((key.rank for key in keys), default=0)
        gaps = KEY_GAPS if rank >= EXPENDABLE else (*KEY_GAPS, NARROW_GAP)
        words = sum(_key_width(key) for key in keys)
        for gap in gaps:
            if words + gap * (len(keys) - 1) <= room:
                return keys, gap
        if not rank:
            return keys, NARROW_GAP
        last = max(index for index, key in enumerate(keys) if key.rank == rank)
        del keys[last]


def _key_width(key: Key) -> int:
    return cell_len(key.key) + bool(key.key) + cell_len(key.label)
