"""Shows a text in an overlay, for example a text that was copied for others."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from rich.console import RenderableType
from textual.app import App

from driflamme_tui.screens.base.overlay import TextOverlay
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.wording.program.past_game_words import shared_text
from engine import texts
from engine.replaying import Replay

Piece: TypeAlias = str | tuple[str, str]
"""A text, or a text and its role."""


class PiecesOverlay(TextOverlay[None]):
    """A text under a title."""

    def __init__(self, title: texts.Text, pieces: Callable[[], Iterable[Piece]]) -> None:
        """Show the result of `pieces` in the present language, under a title to be translated."""
        super().__init__()
        self.title_words, self.pieces = title, pieces

    def heading(self) -> str:
        """Return the title in the upper edge."""
        return _(self.title_words)

    def texts(self) -> Mapping[str, RenderableType]:
        """Return the pieces as one text."""
        return {"reading": self.text(*self.pieces())}


def shared_overlay(lines: Iterable[str]) -> PiecesOverlay:
    """Return an overlay with copied lines.

    If the terminal has not copied the lines, the reader can copy them from the overlay.
    """
    return PiecesOverlay("Copied: ready to share", lambda: ["\n".join(lines)])


def share(app: App[Any], replay: Replay, glyphs: Glyphs) -> None:
    """Copy a summary of a game to the clipboard, and show the copied text."""
    lines = list(shared_text(replay, glyphs))
    app.copy_to_clipboard("\n".join(lines))
    app.push_screen(shared_overlay(lines))
