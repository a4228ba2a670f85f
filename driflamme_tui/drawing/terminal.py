"""Defines the player's terminal for screens: its look, and its time."""

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from driflamme_tui.drawing.frame_diff import ConnectionSpeed
from driflamme_tui.drawing.palette import DARK, Palette
from driflamme_tui.drawing.terminal_answers import Answers
from driflamme_tui.preferences.player_calls import PlayerCalls
from driflamme_tui.preferences.settings import Settings
from driflamme_tui.text.signs import UNICODE, Glyphs

UNHEEDED_S: Final = 1.0
"""Seconds to ignore keys after a screen has closed: a typing player may not notice at once."""


class Terminal:
    """The settings and abilities of the player's terminal, with default values."""

    settings = Settings()
    answers = Answers()
    """The terminal's answers about itself."""
    glyphs: Glyphs = UNICODE
    """The signs that everything is drawn with."""
    palette: Palette = DARK
    """The colours that everything is drawn in."""
    guard_s = 0.4
    """Seconds after a question has appeared in which Enter and clicks do nothing: they were meant
    for the earlier screen.
    """
    second_click_s = 0.3
    """Minimum seconds between two clicks on a choice for the second to confirm it. Faster clicks
    are a double click.
    """
    helps_beginners = True
    """True if first games are explained. Tests set this value."""
    is_remote = False
    """True if the player's terminal is on another machine. Then nothing is saved here."""
    copies_with = ""
    """The program that last copied a text to the clipboard; "" if it was the terminal itself."""
    clock: Callable[[], float] = staticmethod(time.monotonic)
    """Returns the monotonic time in seconds."""
    _heeds_from = 0.0

    def __init__(self, signal: Callable[[Iterable[str]], object]) -> None:
        """Begin with default settings and answers.

        `signal` sends sequences that draw nothing: a bell, a notice, a title.
        """
        self.signal = signal
        self.calls = PlayerCalls()
        """Calls a player who does not look at the terminal."""
        self.speed = ConnectionSpeed()
        """The measured speed of the connection to the terminal."""

    @property
    def folder(self) -> Path | None:
        """The folder for saved files; None if this machine is not the player's."""
        return None if self.is_remote else Path.cwd()

    def call(self, sentence: str) -> None:
        """Call a player who does not look at the terminal, with news about the table.

        The settings may exclude such calls. Then nothing is sent.
        """
        self.signal(self.calls.report(sentence, self.settings))

    def look(self, *, focused: bool) -> None:
        """Record whether the terminal has the focus, and update its title."""
        self.signal(self.calls.look(self.settings, focused=focused))

    def ignore_keys(self) -> None:
        """Ignore keys for `UNHEEDED_S`.

        Call this after closing a screen: keys for that screen may still arrive.
        """
        self._heeds_from = self.clock() + UNHEEDED_S

    def ignores_keys(self) -> bool:
        """Return True if keys are ignored now."""
        return self.clock() < self._heeds_from
