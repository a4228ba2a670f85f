"""Screens of Textual's own widgets: a head, a line to search on, texts, a list, what went wrong."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Generic, TypeVar

from rich.console import RenderableType
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import DataTable, Input, Static

from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import bindings
from driflamme_tui.keymap.screen_commands import ScreenCommands, WritingCommands
from driflamme_tui.screens.base.full_screen import FullScreen
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.inputs import StillInput
from driflamme_tui.widgets.listing import Column, Listing


class ListCommands(ScreenCommands, prefix="list"):
    """What can be done in every list."""

    up = Command("up", "move(-1)", "choose a line", "choose", listed=False, needs="has_lines")
    down = Command(
        "down", "move(1)", "choose the next line", "choose", row=up, listed=False, needs="has_lines"
    )
    page_up = Command("pageup", "page(-1)", "go a page up or down", listed=False, needs="has_lines")
    page_down = Command(
        "pagedown", "page(1)", "go a page down", row=page_up, listed=False, needs="has_lines"
    )
    first = Command(
        "home", "select(0)", "choose the first line, or the last", listed=False, needs="has_lines"
    )
    last = Command(
        "end", "select(-1)", "choose the last line", row=first, listed=False, needs="has_lines"
    )
    sort = Command(
        ">", "sort", "sort by the next column, or as it was at first", "sort", needs="has_lines"
    )
    turn = Command("<", "turn_round", "reverse the order of the lines", needs="has_lines")


class SearchCommands(WritingCommands, prefix="search"):
    """What can be done where one types what is searched for."""

    close = Command(
        "escape", "screen.stop_searching", "stop typing; what was found stays", listed=False
    )


Item = TypeVar("Item")

SEARCH_LENGTH: Final = 20
"""Signs that can be searched for, as many as a name has at most."""


class SearchInput(StillInput):
    """Where one types what is searched for."""

    BINDINGS = bindings(SearchCommands)


class Page(FullScreen):
    """A screen of texts, each in a widget that is called as the text is."""

    CSS_PATH = Path(__file__).parents[2] / "styles" / "pages.tcss"
    DEFAULT_CLASSES = "page"

    def zones(self) -> ComposeResult:
        """A head, what the screen is made of, and what went wrong."""
        with Horizontal(id="head"):
            yield Static(id="title")
            yield Static(id="told")
        with Vertical(id="page"):
            yield from self.parts()
        yield Static(id="notice")

    def parts(self) -> ComposeResult:
        """Return what stands between the head and the keys."""
        yield from ()

    def heading(self) -> str:
        """Return what the screen is called."""
        raise TypeError("a page says what it is called")

    def texts(self) -> Mapping[str, RenderableType]:
        """Return what stands in each `Static`; `told` is at the top right."""
        return {}

    def sync(self) -> None:
        """Show everything as it is now."""
        head = {
            "title": self.text(f"Driflamme  {self.heading()}"),
            "notice": self.text(self.notice),
        }
        for name, text in {**head, **self.texts()}.items():
            widget = self.query_one(f"#{name}", Static)
            widget.display, widget.auto_links = bool(text), False
            widget.update(text)
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

    @on(Input.Changed, "#search")
    def _typed(self, event: Input.Changed) -> None:
        self.search(event.value)

    @on(Input.Submitted, "#search")
    def action_stop_searching(self) -> None:
        """Go back to what was found."""
        self.set_focus(None)
        self.sync()


class ListPage(Page, Generic[Item], commands=ListCommands):
    """A page with a list to go through, to sort and to search."""

    _line: object = None
    """What was chosen last."""

    def parts(self) -> ComposeResult:
        """Return what there is to say of an empty list, or else the list and the chosen line."""
        yield from self.search_line()
        yield Static(id="empty")
        yield Listing(self.columns, self.name_of)
        yield Static(id="about")

    @property
    def items(self) -> Sequence[Item]:
        """What is in the list."""
        raise TypeError("a list says what is in it")

    def columns(self) -> Sequence[Column[Item]]:
        """Return the columns of the list."""
        raise TypeError("a list says what its columns are")

    def name_of(self, item: Item) -> object:
        """Return by what an item is known again."""
        return item

    @property
    def listing(self) -> Listing[Item]:
        """The list."""
        listing: Listing[Item] = self.query_one(Listing)
        return listing

    @property
    def chosen(self) -> Item | None:
        """What is chosen; None where there is nothing."""
        return self.listing.chosen if self.is_whole else None

    def sync(self) -> None:
        """Show everything as it is now."""
        self.listing.show(self.items)
        self.listing.display = bool(self.items)
        super().sync()

    def relabel(self) -> None:
        """Word and draw everything anew."""
        self.listing.relist()
        super().relabel()

    def search(self, sought: str) -> None:
        """List what has this in a cell."""
        self.listing.search(sought)
        self.sync()

    @on(DataTable.RowHighlighted)
    def _line_chosen(self) -> None:
        # What went wrong was about another line.
        if self._line not in (None, self.moment()):
            self.notice = ""
        self._line = self.moment()
        self.sync()

    @on(DataTable.RowSelected)
    async def _line_opened(self) -> None:
        await self.run_action("open")

    @property
    def has_lines(self) -> bool:
        """Whether there is a line to choose."""
        return bool(self.listing.items)

    def moment(self) -> object:
        """Return what is chosen: whatever the palette does is done to it."""
        return None if self.chosen is None else self.name_of(self.chosen)

    def action_open(self) -> None:
        """Open what is chosen."""

    def action_move(self, by: int) -> None:
        """Choose the next line, or the one before."""
        self.listing.select(max(0, self.listing.selected + by))

    def action_page(self, by: int) -> None:
        """Choose the line that is a page away."""
        self.listing.page(by)

    def action_select(self, line: int) -> None:
        """Choose a line; -1 is the last."""
        self.listing.select(line)

    def action_sort(self) -> None:
        """Sort by the next column."""
        self.listing.sort_next()

    def action_turn_round(self) -> None:
        """Turn the order round."""
        self.listing.turn_round()
