"""Shows help, page by page, above any screen.

The help opens at a page about the present moment, while the game continues below. The last row but
one shows the table's question, in the reader's colour at the reader's turn. The texts of the pages
are in `wording/game/help_pages.py`.
"""

from collections.abc import Mapping
from typing import Final

from rich.cells import cell_len
from rich.console import RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from driflamme_tui.drawing.help_painter import PageTexts
from driflamme_tui.drawing.palette import style, text_style
from driflamme_tui.keymap.command_type import CARD_LETTERS, Command, one_line
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import EverywhereCommands, HelpedCommands, closing
from driflamme_tui.screens.base.overlay import Overlay
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.widgets.inputs import StillInput
from driflamme_tui.widgets.key_bar import Key, Keys, key_of
from driflamme_tui.wording.game.help_pages import (
    CHAPTERS,
    KEYS,
    HelpPage,
    chapter_titles,
    find,
    pages,
)


class HelpCommands(EverywhereCommands, prefix="help"):
    """Commands that turn and search the pages of the help."""

    back = Command("escape", "back", "close the help, or stop searching", "close")
    close_at_once = Command("q", "dismiss", "close this window", row=back)
    close = closing(HelpedCommands.help)
    take = Command("enter", "take", "open what was found; on a page: close the help", listed=False)
    earlier = Command("left,pageup", "turn(-1)", "turn a page back or forward", repeats=True)
    later = Command("right,pagedown,space", "turn(1)", "turn a page", row=earlier, repeats=True)
    first = Command("home", "turn(-99)", "go to the first page, or to the last", repeats=True)
    last = Command("end", "turn(99)", "go to the last page", row=first, repeats=True)
    up = Command("up", "scroll(-1)", "scroll a line", listed=False, repeats=True)
    down = Command("down", "scroll(1)", "scroll a line down", row=up, listed=False, repeats=True)
    search = Command("/", "search", "search all pages")
    chapter = one_line(
        "help.chapter", "123456789", lambda digit: f"chapter({int(digit) - 1})", "go to a chapter"
    )
    card = one_line(
        "help.card",
        CARD_LETTERS,
        lambda letter: f"open('card-{letter.upper()}')",
        "go to the page of a card",
        shifted=True,
    )


WIDEST: Final = 96
"""Maximum columns of the box: longer lines are hard to read."""

TALLEST: Final = 24
"""Maximum rows of the box."""


class HelpOverlay(Overlay[None], commands=HelpCommands):
    """Shows pages of help. The reader turns them, opens them by name, and searches them."""

    AUTO_FOCUS = ""

    searching = False
    """True while the reader types a search text, and sees results instead of a page."""

    def __init__(self, glyphs: Glyphs, keys: list[tuple[str, str]], opened: str = KEYS) -> None:
        """Open a page by its name.

        Args:
            glyphs: The signs of the terminal.
            keys: The keys of the screen below, each with its text.
            opened: The name of the page.
        """
        super().__init__()
        self.pages = pages(glyphs, keys)
        self.names = {page.name: index for index, page in enumerate(self.pages)}
        self.shown = self.names[opened]
        self.found = -1
        """The index of the found block on the open page; -1 for none."""
        self.results: list[tuple[int, int]] = []
        """The indexes of the page and of the block of each result."""

    @property
    def page(self) -> HelpPage:
        """The present page."""
        return self.pages[self.shown]

    def compose(self) -> ComposeResult:
        """Yield the chapters and the page, or the search and its results; then the key bar."""
        with Vertical(id="help"):
            yield Static(id="help-chapters")
            yield StillInput(id="help-search", compact=True)
            with VerticalScroll(id="help-text", can_focus=False):
                yield Static(id="help-page")
            yield OptionList(id="help-found", markup=False, compact=True)
            yield Static(id="help-reminder")
            yield Keys(id="help-keys")

    def sync(self) -> None:
        """Fit the available space, and show the present question of the table."""
        box = self.query_one("#help")
        width, height = self.app.size
        width = width if width <= WIDEST - 12 else min(WIDEST, width - 4)
        box.styles.width = width
        box.styles.height = min(height, TALLEST)
        if self.searching:
            self.frame(box, _("Help: search"))
        else:
            where = _("{n} of {all}", n=self.shown + 1, all=len(self.pages))
            self.frame(box, _("Help: {page}", page=self.page.title), [where])
        self.show_texts()
        for shown in ("#help-chapters", "#help-text"):
            self.query_one(shown).display = not self.searching
        for shown in ("#help-search", "#help-found"):
            self.query_one(shown).display = self.searching
        self.query_one(Keys).show(self.key_bar())

    def texts(self) -> Mapping[str, RenderableType]:
        """Return the chapters, the page, and the table's question."""
        width = self.query_one("#help").styles.width
        assert width is not None
        # Leave out the frame, the gap after it and the scrollbar.
        inner = int(width.value) - 2
        page_texts = PageTexts(inner - 3, self.glyphs, self.terminal.palette, self.text)
        return {
            "help-chapters": self._chapters(inner),
            "help-page": page_texts.page(self.page, self.found),
            "help-reminder": self._reminder(inner),
        }

    def _chapters(self, width: int) -> Text:
        """Return the list of chapters, in as many rows as needed."""
        rows, palette = [Text()], self.terminal.palette
        for index, title in enumerate(chapter_titles()):
            name = self.glyphs.plain(f" {index + 1} {title} ")
            if rows[-1].cell_len + cell_len(name) > width:
                rows.append(Text())
            role = "chosen" if index == self.page.chapter else "mute"
            does = Style(meta={"@click": f"screen.chapter({index})"})
            rows[-1].append(name, text_style(palette, role) + does)
        return Text("\n").join(rows)

    def _reminder(self, width: int) -> RenderableType:
        """Return the table's question, in the reader's colour if it is their turn.

        Returns an empty text if no screen below shows a question.
        """
        reminder = self.table_reminder()
        if reminder is None:
            return Text()
        if not reminder.yours:
            return self.text((f" {reminder.text}", reminder.family))
        palette = self.terminal.palette
        way = _("{key} back to the table", key=key(HelpCommands.back, self.glyphs))
        table = Table.grid(padding=(0, 1), expand=True, pad_edge=True)
        table.add_column(no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
        fits = cell_len(reminder.text) + 4 + cell_len(way) <= width
        ink = style(palette.on_colour, palette.bar(reminder.family), bold=True)
        ink += Style(meta={"@click": "screen.dismiss"})
        table.add_row(self.text(reminder.text), self.text(way if fits else ""), style=ink)
        return table

    def key_bar(self) -> list[Key]:
        """Return the entries of the key bar, for the page or for the search.

        On a page, one entry stands for the keys of all chapters, and one for the keys of all cards.
        """
        glyphs = self.glyphs
        if self.searching:
            return [
                Key(glyphs.up_down, _("choose"), "help"),
                key_of(HelpCommands.take, glyphs, _("open")),
                key_of(HelpCommands.back, glyphs, _("back to the page")),
            ]
        return [
            key_of((HelpCommands.earlier, HelpCommands.later), glyphs, _("pages"), stays=True),
            key_of(HelpCommands.search, glyphs, _("search"), stays=True),
            key_of(HelpCommands.back, glyphs, _("close"), stays=True),
            Key("1-9", _("chapter"), "help", stays=True),
            Key("A S P…", _("card"), "help", stays=True),
        ]

    # Pages

    def show_page(self, index: int, found: int = -1) -> None:
        """Show the page at an index, or the nearest page, and end the search.

        `found` is the index of a block to mark; -1 for none.
        """
        self.shown, self.found = max(0, min(index, len(self.pages) - 1)), found
        self.searching = False
        self.set_focus(None)
        self.action_edge(-1)
        self.sync()

    def action_turn(self, by: int) -> None:
        """Turn `by` pages forward, or back if `by` is negative. Stop at the first and last page."""
        self.show_page(self.shown + by)

    def action_open(self, name: str) -> None:
        """Show the page with this name."""
        self.show_page(self.names[name])

    def action_chapter(self, index: int) -> None:
        """Show the first page of a chapter; `index` counts from 0."""
        self.action_open(CHAPTERS[index][0])

    def action_scroll(self, by: int) -> None:
        """Scroll down by `by` rows; up if `by` is negative.

        While searching, choose the next or previous result instead.
        """
        results = self.query_one(OptionList)
        if not self.searching:
            super().action_scroll(by)
        elif by > 0:
            results.action_cursor_down()
        else:
            results.action_cursor_up()

    # Search

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return True if an action is possible.

        While the reader searches, only going back, opening and scrolling are possible.
        """
        if self.searching and action not in ("back", "take", "scroll"):
            return False
        return super().check_action(action, parameters)

    def action_search(self) -> None:
        """Show an empty search in place of the page."""
        self.searching = True
        line = self.query_one(Input)
        line.value = ""
        self._searched()
        self.sync()
        line.focus()

    @on(Input.Changed)
    def _searched(self) -> None:
        """List the results of the search. Without any, list a hint or a text about the failure."""
        query = self.query_one(Input).value
        self.results = find(self.pages, query)
        sentence = _("Type a word, such as: ambush, first player, tie.")
        nothing = Option(_("No page contains that.") if query.strip() else sentence, disabled=True)
        found = [self._result(*each) for each in self.results]
        self.query_one(OptionList).set_options(found or [nothing]).highlighted = 0

    def _result(self, page: int, block: int) -> Text:
        title, text = self.pages[page].title, self.pages[page].blocks[block].text
        plain = self.glyphs.plain
        return Text.assemble((plain(f"{title}: "), "bold"), plain(text))

    @on(OptionList.OptionSelected)
    def _result_chosen(self, event: OptionList.OptionSelected) -> None:
        self.show_page(*self.results[event.option_index])

    @on(Input.Submitted)
    def action_take(self) -> None:
        """Open the chosen result. If no search is active, close the help."""
        if self.searching:
            self.query_one(OptionList).action_select()
        else:
            self.dismiss()

    def action_back(self) -> None:
        """Stop the search. If no search is active, close the help."""
        if self.searching:
            self.show_page(self.shown)
        else:
            self.dismiss()

    def action_help(self) -> None:
        """Do nothing, since the help is already open."""
