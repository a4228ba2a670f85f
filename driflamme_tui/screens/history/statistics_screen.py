"""What past games add up to: victories, places, cards and records."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from rich.console import RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from driflamme_tui.drawing.statistics_rows import (
    arranged,
    evenings_section,
    ratings_section,
    sections,
)
from driflamme_tui.keymap.screen_commands import (
    StatisticsCommands,
)
from driflamme_tui.model.history_totals import statistics_of
from driflamme_tui.screens.base.scrolling import Scrolling
from driflamme_tui.screens.history.past_screen import PastScreen
from driflamme_tui.text.i18n import _, ngettext
from engine.arena.rating import Rating
from engine.statistics import Statistics
from netcode.storage.history import Filter, History
from netcode.storage.past_evenings import PastEvening, evenings_of, history_ratings


class PastFigures(NamedTuple):
    """What games add up to."""

    statistics: Statistics
    evenings: Sequence[PastEvening]
    ratings: Sequence[Rating[tuple[str, bool]]]


class StatisticsScreen(PastScreen[PastFigures], Scrolling, commands=StatisticsCommands):
    """What the games add up to, to scroll through."""

    narrows = ("players", "edition", "bots")

    past: PastFigures | None = None
    """None until they have been added up for the first time."""

    def parts(self) -> ComposeResult:
        """What is searched for, and the figures."""
        yield from self.search_line()
        with VerticalScroll(id="scroll", can_focus=False):
            yield Static(id="figures")

    def find(self, history: History, games: Filter, stopped: Callable[[], bool]) -> PastFigures:
        """Add up the games that are wanted."""
        played = history.games(games)
        return PastFigures(
            statistics_of(history, games, stopped), evenings_of(played), history_ratings(played)
        )

    def found(self, found: PastFigures) -> None:
        """Show what they add up to."""
        self.past = found

    def heading(self) -> str:
        """Return the name of the screen."""
        return _("Statistics")

    def texts(self) -> Mapping[str, RenderableType]:
        """Return the figures, and of how many games they are."""
        count = 0 if self.past is None else self.past.statistics.total.games
        told = ngettext("{n} game", "{n} games", count).format(n=count)
        figures = self._figures() if count else (_("Adding up …"), "bold")
        if self.past is not None and not count:
            figures = (self.empty_words(), "bold")
        return {
            **super().texts(),
            "told": self.text(told if self.past is not None else ""),
            "figures": self.text(figures),
        }

    def _figures(self) -> Text:
        assert self.past is not None
        statistics, evenings, ratings = self.past
        told = [
            *sections(statistics, self.glyphs),
            ratings_section(ratings, self.glyphs),
            evenings_section(evenings, self.glyphs),
        ]
        blocks = arranged(told, self.scrolled.region.width - 1)
        lines = [self.text(*row) for block in blocks for row in (*block, ())]
        return Text("\n").join(lines)

    def action_games(self) -> None:
        """Show the games that are added up."""
        self.services.show_history(self.wanted)
