"""Giving a finished game away: as text to paste, and as a picture of what is on the screen."""

from pathlib import Path
from typing import Any

from textual.app import App

from driflamme_tui.replay.record_files import saved
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.program.shared_text import shared_text
from engine.replaying import Replay


def share(app: App[Any], replay: Replay, glyphs: Glyphs, room: int) -> tuple[str, bool]:
    """Copy a game as text, and write a picture of the screen; return what to say, as `saved`."""
    picture = app.export_screenshot(title=app.title, simplify=True)
    app.copy_to_clipboard("\n".join(shared_text(replay, glyphs)))
    return saved(replay.record, Path.cwd(), room, picture)
