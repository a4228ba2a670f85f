"""Covers the screen with a request for space while the terminal is too small for the table."""

from collections.abc import Callable
from typing import ClassVar

from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.widgets import Static

from driflamme_tui.drawing.layout import MINIMUM_HEIGHT, MINIMUM_WIDTH
from driflamme_tui.drawing.textual_internals import terminal_of
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs


class TooSmall(Static):
    """Asks for a larger window, and warns if a game continues meanwhile."""

    DEFAULT_CSS = """
    TooSmall {
        layer: above;
        dock: top;
        width: 100%;
        height: 100%;
        background: $table;
        padding: 0 1;
        content-align: center middle;
        text-align: center;
    }
    """

    def __init__(self, way_out: Command, has_game: Callable[[], bool]) -> None:
        """Ask for a larger window.

        Args:
            way_out: The only command that works while the window is too small.
            has_game: Returns True if a game is running and will not wait for the player.
        """
        super().__init__()
        self.way_out, self.has_game = way_out, has_game

    def render(self) -> str:
        """Return the request for a larger window, and the key that leaves.

        If a game continues meanwhile, a sentence warns of the game.
        """
        width, height = self.app.size
        needed = _(
            "The table needs {width} columns by {height} lines; this terminal has {w} by {h}."
        )
        lines = [
            _("Please make the terminal larger."),
            needed.format(width=MINIMUM_WIDTH, height=MINIMUM_HEIGHT, w=width, h=height),
            _("The game continues.") if self.has_game() else "",
            _("Press {key} to leave.", key=key(self.way_out, terminal_of(self).glyphs)),
        ]
        return "\n".join(filter(None, lines))


class WholeCells(ScrollBarRender):
    """A scrollbar that is drawn in whole cells."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "]
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "]


def use_scrollbars(glyphs: Glyphs) -> None:
    """Draw all scrollbars of the program with signs that the terminal can show."""
    ScrollBar.renderer = ScrollBarRender if glyphs.unicode else WholeCells
