"""What past games add up to: victories, places, cards and records, page by page."""

from collections.abc import Callable, Sequence
from typing import ClassVar, Final, NamedTuple

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.statistics_rows import (
    StatisticsRow,
    arranged,
    evenings_section,
    ratings_section,
    sections,
)
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import bindings
from driflamme_tui.keymap.screen_commands import (
    EverywhereCommands,
    PastCommands,
    StatisticsCommands,
)
from driflamme_tui.model.history_totals import Wanted, statistics_of
from driflamme_tui.screens.history.past_screen import PastBoard, PastScreen
from driflamme_tui.text.cell_widths import wrapped
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.widgets.key_bar import Keys, commands_entry, entry, pair
from engine.arena.rating import Rating
from engine.statistics import Statistics
from netcode.storage.history import Filter, History
from netcode.storage.past_evenings import PastEvening, evenings_of, history_ratings

TOP: Final = 3
"""Rows before the page: title, choice of games, an empty one."""


class PastFigures(NamedTuple):
    """What games add up to."""

    statistics: Statistics
    evenings: Sequence[PastEvening]
    ratings: Sequence[Rating[tuple[str, bool]]]


class StatisticsBoard(PastBoard):
    """One page of the statistics."""

    narrows = ("players", "edition", "bots")

    def __init__(self, wanted: Wanted, *, id: str | None = None) -> None:
        super().__init__(wanted, id=id)
        self.past: PastFigures | None = None
        """None until they have been added up for the first time."""
        self.page = 0
        self.empty = ""
        """What is said where there is no finished game."""

    def pages(self) -> list[list[StatisticsRow]]:
        """Return the rows of each page, as many as fit the present size."""
        if self.past is None:
            return []
        width, height = self.size
        left = max(2, (width - WIDEST_FIGURES) // 2)
        statistics, evenings, ratings = self.past
        told = sections(statistics, self.glyphs)
        if told:
            told.append(ratings_section(ratings, self.glyphs))
            told.append(evenings_section(evenings, self.glyphs))
        return filled(arranged(told, width - 2 * left), height - TOP)

    def draw(self, canvas: Canvas) -> None:
        """Draw the page, and at the top which it is."""
        pages = self.pages()
        self.page = max(0, min(self.page, len(pages) - 1))
        told = ""
        if self.past is not None:
            count = self.past.statistics.total.games
            told = ngettext("{n} game", "{n} games", count).format(n=count)
        self.draw_head(canvas, _("Statistics"), told)
        self.draw_notice(canvas, canvas.height - 1)
        left = max(2, (canvas.width - WIDEST_FIGURES) // 2)
        if not pages:
            words = self.empty if self.past is not None else _("Adding up …")
            width = canvas.width - 2 * left
            canvas.lines(left, TOP, wrapped(words, width, width), canvas.bold)
            return
        if len(pages) > 1:
            text = _("page {n} of {all}").format(n=self.page + 1, all=len(pages))
            last = self.page + 1 == len(pages)
            action = "first" if last else "turn(1)"
            x = canvas.width - left - cell_len(text)
            self.place(canvas, x, TOP - 1, text, canvas.mute, action)
        inks = {
            "ink": canvas.plain,
            "bold": canvas.bold,
            "mute": canvas.mute,
            "title": canvas.heading,
            "bar": canvas.plain,
            "shade": canvas.mute,
        }
        for y, spans in enumerate(pages[self.page], TOP):
            x = left
            for span in spans:
                x = canvas.text(x, y, span.text, inks[span.role])


WIDEST_FIGURES: Final = 116
"""Columns beyond which bars say no more."""


def filled(blocks: Sequence[Sequence[StatisticsRow]], height: int) -> list[list[StatisticsRow]]:
    """Return pages of so many rows; a block stays whole unless it alone is higher than a page."""
    pages: list[list[StatisticsRow]] = []
    page: list[StatisticsRow] = []
    for block in blocks:
        if page and len(page) + 1 + len(block) > height:
            pages.append(page)
            page = []
        page += [(), *block] if page else block
        while len(page) > height > 0:
            pages.append(page[:height])
            page = page[height:]
    return [*pages, page] if page else pages


class StatisticsScreen(PastScreen[PastFigures]):
    """What the games add up to."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("statistics")

    def zones(self) -> ComposeResult:
        """The page."""
        yield StatisticsBoard(self.wanted, id="statistics-board")

    @property
    def board(self) -> StatisticsBoard:
        """The page."""
        return self.query_one(StatisticsBoard)

    def find(self, history: History, games: Filter, stopped: Callable[[], bool]) -> PastFigures:
        """Add up the games that are wanted."""
        played = history.games(games)
        return PastFigures(
            statistics_of(history, games, stopped), evenings_of(played), history_ratings(played)
        )

    def found(self, found: PastFigures) -> None:
        """Show what they add up to."""
        self.board.past = found
        self.board.empty = self.empty_words()

    def show_keys(self, keys: Keys) -> None:
        """Show what can be done now."""
        glyphs = self.services.glyphs
        keys.show(
            self.possible(
                pair(StatisticsCommands.earlier, StatisticsCommands.later, glyphs),
                entry(PastCommands.search, glyphs),
                entry(PastCommands.all, glyphs),
                entry(StatisticsCommands.games, glyphs),
                entry(PastCommands.back, glyphs),
                entry(EverywhereCommands.help, glyphs, rank=3),
                commands_entry(glyphs),
            )
        )

    def can(self, command: Command) -> bool:
        """Whether a command can do anything at this moment."""
        if command in (StatisticsCommands.earlier, StatisticsCommands.later):
            return len(self.board.pages()) > 1
        return super().can(command)

    def on_mouse_scroll_down(self) -> None:
        """Turn a page with the wheel."""
        self.action_turn(1)

    def on_mouse_scroll_up(self) -> None:
        """Turn a page with the wheel."""
        self.action_turn(-1)

    def action_turn(self, by: int) -> None:
        """Go to another page."""
        board = self.board
        board.page = max(0, min(board.page + by, len(board.pages()) - 1))
        self.sync()

    def action_first(self) -> None:
        """Go to the first page."""
        self.board.page = 0
        self.sync()

    def action_games(self) -> None:
        """Show the games that are added up; while a name is typed, only stop typing."""
        if self.wanted.typing:
            self.wanted.typing = False
            self.sync()
        else:
            self.services.show_history(self.wanted)
