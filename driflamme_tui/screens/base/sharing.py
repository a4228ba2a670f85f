"""Giving a finished game away: as text to paste, and as a picture of what is on the screen."""

from pathlib import Path
from typing import Any, Final

from rich.text import Text
from textual.app import App

from driflamme_tui.drawing.palette import Palette
from driflamme_tui.keymap.key_bindings import bindings
from driflamme_tui.replay.record_files import saved
from driflamme_tui.screens.base.overlay import TextOverlay
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.program.shared_text import shared_text
from engine.replaying import Replay

WHOLE: Final = 1000
"""Columns for a path that is wrapped and need not be shortened."""


class SharedOverlay(TextOverlay):
    """Shows what was copied: not every terminal lets a program copy, but all let one select."""

    BINDINGS = bindings("helped")

    def __init__(self, lines: list[str], where: str) -> None:
        super().__init__(_("Copied, to tell others"))
        self.lines, self.where = lines, where

    def text(self, palette: Palette) -> Text:
        """The text as it was copied, and where the picture is."""
        text = Text("\n".join(self.lines))
        return text.append(f"\n\n{self.where}", palette.mute)


def share(app: App[Any], replay: Replay, glyphs: Glyphs, folder: Path | None) -> None:
    """Copy a game as text, write a picture of the screen, and show both."""
    picture = app.export_screenshot(title=app.title, simplify=True)
    lines = list(shared_text(replay, glyphs))
    app.copy_to_clipboard("\n".join(lines))
    where, _written = saved(replay.record, folder, WHOLE, picture)
    app.push_screen(SharedOverlay(lines, where))
