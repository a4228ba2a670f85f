"""Help, page by page, over any screen: opened at what the reader is looking at.

The game goes on beneath: the last row but one says what the table asks, and when it is the
reader's turn. What stands on the pages is in `wording/game/help_pages.py`.
"""

from typing import ClassVar, Final

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.help_painter import PagePainter, page_height
from driflamme_tui.drawing.palette import style
from driflamme_tui.keymap.command_registry import COMMANDS
from driflamme_tui.keymap.key_bindings import Listed, bindings, both, key
from driflamme_tui.keymap.overlay_commands import HelpCommands
from driflamme_tui.screens.base.command_screen import Reminder
from driflamme_tui.screens.base.overlay import Overlay
from driflamme_tui.text.i18n import _
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.widgets.board import Board
from driflamme_tui.wording.game.help_pages import (
    CHAPTERS,
    KEYS,
    HelpPage,
    card_page,
    chapter_titles,
    find,
    pages,
)

WIDEST: Final = 96
"""Columns beyond which lines are hard to read."""

TALLEST: Final = 24
"""Rows beyond which a page has none to fill them with."""

TOP: Final = 3
"""Rows before the page: frame and title, chapters, an empty one."""

BOTTOM: Final = 3
"""Rows after the page: what the table asks, keys, frame."""

LEFT: Final = 2
"""Columns before the page, and after it."""


_GENERAL: Final = ("everywhere", "helped", "session")
"""Sets of commands that many screens have."""


class HelpBoard(Board):
    """One page, or what was found, in a frame."""

    ground = "panel"

    def __init__(self, all_pages: list[HelpPage], shown: int) -> None:
        super().__init__(id="help")
        self.pages = all_pages
        self.shown = shown
        self.found = -1
        """The block of that page that was searched for, or -1."""
        self.scrolled = 0
        self.query_text: str | None = None
        """What is searched for, while the reader searches."""
        self.selected = 0
        """Of what was found."""
        self.reminder: Reminder | None = None

    @property
    def page(self) -> HelpPage:
        """The page that is shown."""
        return self.pages[self.shown]

    @property
    def room(self) -> int:
        """Rows for the page."""
        return max(1, self.size.height - TOP - BOTTOM)

    def results(self) -> list[tuple[int, int]]:
        """Return page and block of all that was found."""
        return find(self.pages, self.query_text or "")

    def farthest(self) -> int:
        """Return how far the page can be scrolled."""
        rows = page_height(self.page, self.size.width - 2 * LEFT, self.glyphs)
        return max(0, rows - self.room)

    def draw(self, canvas: Canvas) -> None:
        """Draw the page or the results, and over them what always stands there."""
        width, height = canvas.width, canvas.height
        inner = width - 2 * LEFT
        if self.query_text is None:
            self.scrolled = min(self.scrolled, self.farthest())

            def link(x: int, y: int, end: int, name: str) -> None:
                if TOP <= y < TOP + self.room:
                    self._places.append((x, y, end, f"open('{name}')"))

            painter = PagePainter(canvas, inner, link)
            painter.paint(self.page, LEFT, TOP - self.scrolled, self.found)
        else:
            self._draw_results(canvas, inner)
        canvas.fill(0, 0, width, TOP, canvas.plain, " ")
        canvas.fill(0, height - BOTTOM, width, BOTTOM, canvas.plain, " ")
        self._draw_frame(canvas)
        if self.query_text is None:
            self._draw_chapters(canvas)
        else:
            text = f"/ {self.query_text}{self.glyphs.bar}"
            canvas.text(LEFT, 1, text, canvas.bold)
        self._draw_reminder(canvas, height - BOTTOM)
        self._draw_keys(canvas, height - BOTTOM + 1)

    def _draw_frame(self, canvas: Canvas) -> None:
        glyphs = self.glyphs
        width, height = canvas.width, canvas.height
        canvas.frame(0, 0, width, height, glyphs.face_up, canvas.mute)
        searching = self.query_text is not None
        title = _("Help: search") if searching else _("Help: {page}").format(page=self.page.title)
        canvas.text(2, 0, f" {title} ", canvas.bold)
        where = _("{n} of {all}").format(n=self.shown + 1, all=len(self.pages))
        if not searching:
            canvas.text(width - 4 - cell_len(where), 0, f" {where} ", canvas.mute)
        if not searching and self.scrolled < self.farthest():
            more = f" {glyphs.up_down} "
            canvas.text(width - 3 - cell_len(more), height - 1, more, canvas.mute)

    def _draw_chapters(self, canvas: Canvas) -> None:
        """Draw the list of chapters; with little room, only the present one has its name."""
        here = self.page.chapter
        titles = chapter_titles()
        names = [f" {number} {title} " for number, title in enumerate(titles, 1)]
        if sum(map(cell_len, names)) > canvas.width - 2 * LEFT + 2:
            names = [
                name if index == here else f" {index + 1} " for index, name in enumerate(names)
            ]
        x = LEFT - 1
        for index, name in enumerate(names):
            ink = canvas.mute
            if index == here:
                ink = canvas.chosen
            x = self.place(canvas, x, 1, name, ink, f"chapter({index})")

    def _draw_results(self, canvas: Canvas, inner: int) -> None:
        results = self.results()
        if not results:
            told = _("Type a word, such as: ambush, first player, tie.")
            if (self.query_text or "").strip():
                told = _("No page has that.")
            canvas.text(LEFT, TOP, told, canvas.mute, inner)
            return
        self.selected = min(self.selected, len(results) - 1)
        first = max(0, min(self.selected - self.room // 2, len(results) - self.room))
        for row, (page, block) in enumerate(results[first : first + self.room]):
            chosen = first + row == self.selected
            title = self.pages[page].title
            ink = canvas.bold
            text_ink = canvas.plain
            if chosen:
                ink = text_ink = canvas.chosen
            action = f"result({first + row})"
            label = f"{title}: "
            end = self.place(canvas, LEFT, TOP + row, label, ink, action)
            text = self.pages[page].blocks[block].text
            self.place(canvas, end, TOP + row, text, text_ink, action, LEFT + inner - end)

    def _draw_reminder(self, canvas: Canvas, y: int) -> None:
        """Draw what the table asks; whoever is asked themselves sees it in their colour."""
        reminder = self.reminder
        if reminder is None:
            return
        palette = self.palette
        hue = palette.families[reminder.family].hue
        width = canvas.width
        if not reminder.yours:
            canvas.text(LEFT, y, reminder.text, canvas.ink(hue), width - 2 * LEFT)
            return
        ink = style(palette.on_colour, hue, bold=True)
        canvas.fill(1, y, width - 2, 1, ink, " ")
        end = self.place(canvas, LEFT, y, reminder.text, ink, "dismiss")
        hint = _("{key} goes back to it").format(key=key(HelpCommands.back, self.glyphs))
        start = width - LEFT - cell_len(hint)
        if end + 2 <= start:
            self.place(canvas, start, y, hint, ink, "dismiss")

    def _draw_keys(self, canvas: Canvas, y: int) -> None:
        """Draw what can be done; what there is no room for is left out."""
        glyphs = self.glyphs
        if self.query_text is None:
            entries = [
                (both(HelpCommands.earlier, HelpCommands.later, glyphs), _("pages"), "turn(1)"),
                (key(HelpCommands.search, glyphs), _("search"), "search"),
                (key(HelpCommands.back, glyphs), _("close"), "dismiss"),
                ("1-8", _("chapter"), ""),
                ("A S P…", _("card"), ""),
            ]
        else:
            entries = [
                (glyphs.up_down, _("choose"), ""),
                (key(HelpCommands.take, glyphs), _("open"), "take"),
                (key(HelpCommands.back, glyphs), _("back to the page"), "back"),
            ]
        x = LEFT
        for name, label, action in entries:
            if x + cell_len(name) + 1 + cell_len(label) > canvas.width - LEFT:
                return
            if action:
                x = self.place(canvas, x, y, name, canvas.bold, action)
                x = self.place(canvas, x, y, f" {label}", canvas.mute, action) + 3
            else:
                x = canvas.text(x, y, name, canvas.bold)
                x = canvas.text(x, y, f" {label}", canvas.mute) + 3


class HelpOverlay(Overlay[None]):
    """Pages to turn, to jump to and to search."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = bindings("help")

    def __init__(self, glyphs: Glyphs, keys: list[Listed], opened: str = KEYS) -> None:
        """Open a page by its name; `keys` are those of the screen beneath."""
        super().__init__()
        general = {_(command.help) for command in COMMANDS.values() if command.on in _GENERAL}
        # What the screen itself has comes first.
        own_first = sorted(keys, key=lambda each: each.help in general)
        all_pages = pages(glyphs, [(each.keys, each.help) for each in own_first])
        self.names = {page.name: index for index, page in enumerate(all_pages)}
        self.board = HelpBoard(all_pages, self.names[opened])

    def compose(self) -> ComposeResult:
        """The board is all there is."""
        yield self.board

    def sync(self) -> None:
        """Take the size that there is room for, and say what the table asks now."""
        board = self.board
        width, height = self.app.size
        board.styles.width = width if width <= WIDEST - 12 else min(WIDEST, width - 4)
        board.styles.height = min(height, TALLEST)
        board.reminder = self.table_reminder()
        board.redraw()

    # Pages

    def show(self, index: int, found: int = -1) -> None:
        """Show a page, and on it what was found."""
        board = self.board
        board.shown = max(0, min(index, len(board.pages) - 1))
        board.found, board.scrolled, board.query_text = found, 0, None
        board.redraw()

    def action_turn(self, by: int) -> None:
        """Turn a page over."""
        self.show(self.board.shown + by)

    def action_open(self, name: str) -> None:
        """Show the page of a name."""
        self.show(self.names[name])

    def action_chapter(self, index: int) -> None:
        """Show the first page of a chapter, from 0."""
        self.action_open(CHAPTERS[index][0])

    def action_card(self, card: str) -> None:
        """Show the page of a card."""
        self.action_open(card_page(card))

    def action_scroll(self, by: int) -> None:
        """Scroll a row, or choose among what was found."""
        board = self.board
        if board.query_text is None:
            board.scrolled = max(0, min(board.scrolled + by, board.farthest()))
        else:
            board.selected = max(0, min(board.selected + by, len(board.results()) - 1))
        board.redraw()

    def on_mouse_scroll_down(self) -> None:
        """Scroll with the wheel."""
        self.action_scroll(1)

    def on_mouse_scroll_up(self) -> None:
        """Scroll with the wheel."""
        self.action_scroll(-1)

    # Search

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let keys be letters while the reader searches."""
        if self.board.query_text is None:
            return True
        return action in ("back", "take", "scroll", "result")

    def action_search(self) -> None:
        """Begin to search."""
        self.board.query_text, self.board.selected = "", 0
        self.board.redraw()

    def on_key(self, event: events.Key) -> None:
        """Write what is searched for."""
        board = self.board
        if board.query_text is None:
            return
        if event.key == "backspace":
            board.query_text = board.query_text[:-1]
        elif event.character is not None and event.is_printable:
            board.query_text += event.character
        else:
            return
        event.stop()
        board.selected = 0
        board.redraw()

    def on_paste(self, event: events.Paste) -> None:
        """Search for what is pasted, too."""
        if self.board.query_text is not None:
            self.board.query_text += " ".join(event.text.split())
            self.board.redraw()

    def action_take(self) -> None:
        """Open what is chosen among the results; on a page, close the help."""
        if self.board.query_text is None:
            self.dismiss()
        else:
            self.action_result(self.board.selected)

    def action_result(self, index: int) -> None:
        """Open one of the results."""
        results = self.board.results()
        if index < len(results):
            self.show(*results[index])

    def action_back(self) -> None:
        """Stop searching, or close the help."""
        if self.board.query_text is None:
            self.dismiss()
        else:
            self.board.query_text = None
            self.board.redraw()

    def action_help(self) -> None:
        """Stay: there is no help on help."""
