"""Defines pages: screens of Textual's widgets, with a heading, texts, a search line, a notice."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Final

from rich.console import RenderableType
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, Static

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import bindings
from driflamme_tui.keymap.screen_commands import WritingCommands
from driflamme_tui.screens.base.command_screen import FOLDER
from driflamme_tui.screens.base.full_screen import FullScreen
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.inputs import StillInput


class SearchCommands(WritingCommands, prefix="search"):
    """The command that leaves the search line, in addition to `WritingCommands`."""

    close = Command(
        "escape", "screen.stop_searching", "stop typing; the matches stay", listed=False
    )


STYLES: Final[list[str | PurePath]] = [FOLDER / "lists.tcss", FOLDER / "pages.tcss"]
"""The stylesheets of all pages."""

SEARCH_LENGTH: Final = 20
"""Maximum characters of a search text: as many as a name may have."""


class SearchInput(StillInput):
    """The input of a search line. A key leaves it, and keeps the search text."""

    BINDINGS = bindings(SearchCommands)


class Page(FullScreen):
    """A screen of texts. Each text is in a widget whose id is the text's name."""

    CSS_PATH = STYLES
    DEFAULT_CLASSES = "page"

    def compose(self) -> ComposeResult:
        """Yield a head, the parts of the screen, the notice, and the widgets of all screens."""
        with Horizontal(id="head"):
            yield Static(id="title")
            yield Static(id="summary")
        with Vertical(id="page"):
            yield from self.parts()
        yield Static(id="notice")
        yield from self.around()

    def parts(self) -> ComposeResult:
        """Yield a search line, and a text for an empty list."""
        yield from self.search_line()
        yield Static(id="empty")

    def heading(self) -> str:
        """Return the title of the screen. Each page must override this method."""
        raise TypeError("a page says what it is called")

    def texts(self) -> Mapping[str, RenderableType]:
        """Return the content of each `Static`, by its id.

        A page's own `summary` stands at the top right.
        """
        return {
            "title": self.text(f"Driflamme  {self.heading()}"),
            "notice": self.text(self.notice),
        }

    def sync(self) -> None:
        """Redraw everything. The search line is visible only while it has the focus or a text."""
        self.show_texts()
        for line in self.query(SearchInput):
            before = self.query_one("#search-for", Static)
            before.update(self.text((_("Search: "), "mute")))
            line.display = before.display = bool(line.has_focus or line.value)
        self.show_keys()

    # For pages with a search line

    def search_line(self) -> ComposeResult:
        """Yield a search line that is hidden until it is needed, with choices beside it."""
        with Horizontal(id="search-line"):
            yield Static(id="search-for")
            yield SearchInput(
                max_length=SEARCH_LENGTH, id="search", compact=True, select_on_focus=False
            )
            yield Static(id="choices")

    @property
    def searching(self) -> bool:
        """True while the reader types a search text. Letter keys then run no commands."""
        return any(line.has_focus for line in self.query(SearchInput))

    def search(self, sought: str) -> None:
        """Show only items that match a text; for "", all items.

        Pages with a search line must override this method.
        """
        raise TypeError("a page that is searched says how")

    def search_for(self, sought: str) -> None:
        """Write a search text into the search line. A changed text starts the search."""
        self.query_one(SearchInput).value = sought

    def action_search(self) -> None:
        """Show the search line, and let the reader type into it."""
        line = self.query_one(SearchInput)
        line.display = True
        self.set_focus(line)
        self.sync()

    def stop_typing(self) -> None:
        """Leave the search line if the reader types in it, and return to the results."""
        if self.searching:
            self.action_stop_searching()

    @on(Input.Changed, "#search")
    def _typed(self, event: Input.Changed) -> None:
        self.search(event.value)

    @on(Input.Submitted, "#search")
    def action_stop_searching(self) -> None:
        """Leave the search line and return to the results."""
        self.set_focus(None)
        self.sync()
