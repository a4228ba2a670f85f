"""The player's terminal as screens know it: how everything looks there, and the time."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from driflamme_tui.drawing.frame_diff import SlowLine
from driflamme_tui.drawing.palette import DARK, Palette
from driflamme_tui.drawing.terminal_answers import Answers
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.text.signs import UNICODE, Glyphs

UNHEEDED_S: Final = 1.0
"""For so long somebody who types may not notice that what they type at has gone."""


class Terminal:
    """Where everything is shown, and to whom."""

    settings = Settings()
    """The player's settings."""
    answers = Answers()
    """What the terminal has said of itself."""
    glyphs: Glyphs = UNICODE
    """What everything is drawn with."""
    palette: Palette = DARK
    """The colours that everything is drawn in."""
    guard_s = 0.4
    """Enter and clicks do nothing for so long after a question appears: they were meant for what
    stood there before."""
    second_click_s = 0.3
    """A second click on the choice confirms it, but not one that was half of a double click."""
    helps_newcomers = True
    """Whether first games come with help: tests say themselves when they want it."""
    is_remote = False
    """Whether the player sits at another machine, and saves nothing on this one."""
    copies_with = ""
    """The program that last copied a text to the clipboard; "" for the terminal itself."""
    clock: Callable[[], float] = staticmethod(time.monotonic)
    """Returns seconds that only ever go forward."""
    _heeds_from = 0.0

    def __init__(self, signal: Callable[[Iterable[str]], object]) -> None:
        """Be as usual; `signal` sends what a terminal does not draw: a bell, a notice, a title."""
        self.signal = signal
        self.line = SlowLine()
        """How fast what is sent gets there."""

    @property
    def folder(self) -> Path | None:
        """Where files go that are saved; None on a machine that is not the player's."""
        return None if self.is_remote else Path.cwd()

    def ignore_keys(self) -> None:
        """Heed no keys for a moment: those that come now were typed at what has just gone."""
        self._heeds_from = self.clock() + UNHEEDED_S

    def ignores_keys(self) -> bool:
        """Whether keys that come now were typed at what has just gone."""
        return self.clock() < self._heeds_from
