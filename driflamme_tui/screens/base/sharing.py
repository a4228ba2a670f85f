"""Giving a finished game away, as text to paste."""

from typing import Any

from rich.text import Text
from textual.app import App

from driflamme_tui.drawing.palette import Palette
from driflamme_tui.screens.base.overlay import TextOverlay
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.program.replay_words import shared_text
from engine.replaying import Replay


class SharedOverlay(TextOverlay):
    """Shows what was copied: not every terminal lets a program copy, but all let one select."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(_("Copied: ready to share"))
        self.lines = lines

    def text(self, palette: Palette) -> Text:
        """The text as it was copied."""
        return Text("\n".join(self.lines))


def share(app: App[Any], replay: Replay, glyphs: Glyphs) -> None:
    """Copy a game as text, and show it."""
    lines = list(shared_text(replay, glyphs))
    app.copy_to_clipboard("\n".join(lines))
    app.push_screen(SharedOverlay(lines))
