"""What past games add up to: victories, places, cards and records, page by page."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len

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
from driflamme_tui.model.history_totals import statistics_of
from driflamme_tui.screens.history.past_screen import PastScreen
from driflamme_tui.text.cell_widths import wrapped
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.widgets.key_bar import Key, commands_entry, entry, pair
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
    """What the games add up to, as many rows on a page as fit the present size."""

    BINDINGS = bindings("statistics")
    narrows = ("players", "edition", "bots")

    past: PastFigures | None = None
    """None until they have been added up for the first time."""
    page = 0

    def find(self, history: History, games: Filter, stopped: Callable[[], bool]) -> PastFigures:
        """Add up the games that are wanted."""
        played = history.games(games)
        return PastFigures(
            statistics_of(history, games, stopped), evenings_of(played), history_ratings(played)
        )

    def found(self, found: PastFigures) -> None:
        """Show what they add up to."""
        self.past = found

    def pages(self) -> list[list[StatisticsRow]]:
        """Return the rows of each page."""
        if self.past is None:
            return []
        width, height = self.board.size
        statistics, evenings, ratings = self.past
        told = sections(statistics, self.glyphs)
        if told:
            told.append(ratings_section(ratings, self.glyphs))
            told.append(evenings_section(evenings, self.glyphs))
        return filled(arranged(told, width - 2 * self.left(width)), height - TOP)

    def draw(self, canvas: Canvas) -> None:
        """Draw the page, and at the top which it is."""
        pages = self.pages()
        self.page = max(0, min(self.page, len(pages) - 1))
        told = ""
        if self.past is not None:
            count = self.past.statistics.total.games
            told = ngettext("{n} game", "{n} games", count).format(n=count)
        self.draw_past(canvas, _("Statistics"), told)
        left = self.left(canvas.width)
        if not pages:
            words = self.empty_words() if self.past is not None else _("Adding up …")
            width = canvas.width - 2 * left
            canvas.lines(left, TOP, wrapped(words, width, width), canvas.bold)
            return
        if len(pages) > 1:
            text = _("page {n} of {all}").format(n=self.page + 1, all=len(pages))
            action = "first" if self.page + 1 == len(pages) else "turn(1)"
            canvas.place(canvas.width - left - cell_len(text), TOP - 1, text, canvas.mute, action)
        for y, spans in enumerate(pages[self.page], TOP):
            x = left
            for span in spans:
                x = canvas.text(x, y, span.text, getattr(canvas, span.role))

    def key_bar(self) -> Iterable[Key]:
        """Return what can be done with the games."""
        glyphs = self.glyphs
        return (
            pair(StatisticsCommands.earlier, StatisticsCommands.later, glyphs),
            entry(PastCommands.search, glyphs),
            entry(PastCommands.all, glyphs),
            entry(StatisticsCommands.games, glyphs),
            entry(PastCommands.back, glyphs),
            entry(EverywhereCommands.help, glyphs, rank=3),
            commands_entry(glyphs),
        )

    def can(self, command: Command) -> bool:
        """Whether a command can do anything at this moment."""
        if command in (StatisticsCommands.earlier, StatisticsCommands.later):
            return len(self.pages()) > 1
        return super().can(command)

    def wheel(self, by: int) -> None:
        """Turn a page."""
        self.action_turn(by)

    def action_turn(self, by: int) -> None:
        """Go to another page."""
        self.page = max(0, min(self.page + by, len(self.pages()) - 1))
        self.sync()

    def action_first(self) -> None:
        """Go to the first page."""
        self.page = 0
        self.sync()

    def action_games(self) -> None:
        """Show the games that are added up; while a name is typed, only stop typing."""
        if self.wanted.typing:
            self.wanted.typing = False
            self.sync()
        else:
            self.services.show_history(self.wanted)
