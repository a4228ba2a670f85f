"""Pages: screens of Textual's own widgets, with a head, texts, a list, and what went wrong."""

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
    """What can be done where one types what is searched for."""

    close = Command(
        "escape", "screen.stop_searching", "stop typing; what was found stays", listed=False
    )


STYLES: Final[list[str | PurePath]] = [FOLDER / "lists.tcss", FOLDER / "pages.tcss"]
"""The stylesheets of all pages."""

SEARCH_LENGTH: Final = 20
"""Signs that can be searched for, as many as a name has at most."""


class SearchInput(StillInput):
    """Where one types what is searched for."""

    BINDINGS = bindings(SearchCommands)


class Page(FullScreen):
    """A screen of texts, each in a widget that is called as the text is."""

    CSS_PATH = STYLES
    DEFAULT_CLASSES = "page"

    def compose(self) -> ComposeResult:
        """A head, what the screen is made of, what went wrong, and what all screens have."""
        with Horizontal(id="head"):
            yield Static(id="title")
            yield Static(id="told")
        with Vertical(id="page"):
            yield from self.parts()
        yield Static(id="notice")
        yield from self.around()

    def parts(self) -> ComposeResult:
        """Return a line to search on, and what there is to say where nothing is to be found."""
        yield from self.search_line()
        yield Static(id="empty")

    def heading(self) -> str:
        """Return what the screen is called."""
        raise TypeError("a page says what it is called")

    def texts(self) -> Mapping[str, RenderableType]:
        """Return what stands in each `Static`; a page's own `told` is at the top right."""
        return {
            "title": self.text(f"Driflamme  {self.heading()}"),
            "notice": self.text(self.notice),
        }

    def sync(self) -> None:
        """Show everything as it is now."""
        self.show_texts()
        for line in self.query(SearchInput):
            before = self.query_one("#search-for", Static)
            before.update(self.text((_("Search: "), "mute")))
            line.display = before.display = bool(line.has_focus or line.value)
        self.show_keys()

    # Of those that are searched

    def search_line(self) -> ComposeResult:
        """Return a line to search on, which shows while it is wanted, and beside it choices."""
        with Horizontal(id="search-line"):
            yield Static(id="search-for")
            yield SearchInput(
                max_length=SEARCH_LENGTH, id="search", compact=True, select_on_focus=False
            )
            yield Static(id="choices")

    @property
    def searching(self) -> bool:
        """Whether one types what is searched for, so that keys are letters."""
        return any(line.has_focus for line in self.query(SearchInput))

    def search(self, sought: str) -> None:
        """Show what has this in it."""
        raise TypeError("a page that is searched says how")

    def search_for(self, sought: str) -> None:
        """Write on the line what is searched for."""
        self.query_one(SearchInput).value = sought

    def action_search(self) -> None:
        """Begin to type what is searched for."""
        line = self.query_one(SearchInput)
        line.display = True
        self.set_focus(line)
        self.sync()

    def stop_typing(self) -> None:
        """Leave the line that is searched on."""
        if self.searching:
            self.action_stop_searching()

    @on(Input.Changed, "#search")
    def _typed(self, event: Input.Changed) -> None:
        self.search(event.value)

    @on(Input.Submitted, "#search")
    def action_stop_searching(self) -> None:
        """Go back to what was found."""
        self.set_focus(None)
        self.sync()
