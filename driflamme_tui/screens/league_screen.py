"""The league of a club: how everybody stands in a season, and against whom."""

from collections.abc import Iterable, Sequence
from typing import Final

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.drawing.statistics_rows import (
    StatisticsRow,
    duels_words,
    league_note,
    league_rows,
)
from driflamme_tui.keymap.key_bindings import bindings
from driflamme_tui.keymap.screen_commands import EverywhereCommands, LeagueCommands
from driflamme_tui.screens.base.at_table import OfPlay
from driflamme_tui.screens.base.full_screen import FullScreen
from driflamme_tui.screens.base.list_screen import ListScreen
from driflamme_tui.text.cell_widths import wrapped
from driflamme_tui.text.i18n import _
from driflamme_tui.widgets.key_bar import Key, commands_entry, entry, pair
from driflamme_tui.wording.program.history_words import season_words
from netcode.protocol.club_messages import AskLeague, League, LeagueRow
from netcode.protocol.fields import ALL_SEASONS

TOP: Final = 2
"""The row of the headings, under the title."""

WIDEST: Final = 66
"""Maximum width of the table, in columns."""

LAST_ROWS: Final = 7
"""Rows below the table: how the chosen player stands against others, and what the columns mean."""


class LeagueScreen(OfPlay, ListScreen[LeagueRow], FullScreen):
    """The table of a season, and below it the results of the chosen player."""

    BINDINGS = bindings("league")

    def __init__(self, league: League, own_name: str) -> None:
        super().__init__()
        self._own_name = own_name
        self._take(league)

    @property
    def items(self) -> Sequence[LeagueRow]:
        """Those who are in it."""
        return self.league.rows

    @property
    def room(self) -> int:
        """Players that are listed at a time."""
        return max(1, self.board.size.height - TOP - 1 - LAST_ROWS)

    def draw(self, canvas: Canvas) -> None:
        """Draw the table around the chosen player."""
        self.draw_head(canvas, _("League"), season_words(self.league.season))
        width = min(WIDEST, canvas.width - 4)
        left = (canvas.width - width) // 2
        if not self.items:
            words = _("No game of two people at least has come to its end at this club's tables.")
            canvas.lines(left, TOP, wrapped(words, width, width), canvas.bold)
            return
        heading, *rows = league_rows(self.league, width, self.glyphs)
        self._draw_row(canvas, left, TOP, heading)
        first = max(0, min(self.selected - self.room // 2, len(rows) - self.room))
        shown = rows[first : first + self.room]
        for index, row in enumerate(shown, first):
            y, chosen = TOP + 1 + index - first, index == self.selected
            ink = canvas.on_choice if chosen else canvas.plain
            canvas.place(left - 1, y, "", ink, f"select({index})", width + 2)
            self._draw_row(canvas, left, y, row, chosen=chosen)
        y = TOP + 2 + len(shown)
        duels = wrapped(duels_words(self.league, self.selected), width, width)
        note = wrapped(league_note(), width, width)
        canvas.lines(left, y, duels[: canvas.height - y - len(note)], canvas.bold)
        canvas.lines(left, canvas.height - len(note), note, canvas.mute)

    def _draw_row(
        self, canvas: Canvas, x: int, y: int, row: StatisticsRow, *, chosen: bool = False
    ) -> None:
        for span in row:
            ink = canvas.on_choice if chosen else getattr(canvas, span.role)
            x = canvas.text(x, y, span.text, ink)

    def show(self, league: League) -> None:
        """Show this."""
        self._take(league)
        self.sync()

    def _take(self, league: League) -> None:
        """Take in a league, and choose the reader in it, or else whoever is first."""
        self.league = league
        own = (row.place is not None and row.name == self._own_name for row in league.rows)
        self.selected = next((index for index, is_own in enumerate(own) if is_own), 0)

    def key_bar(self) -> Iterable[Key]:
        """Return what can be done with the league."""
        glyphs, together = self.glyphs, self.league.season == ALL_SEASONS
        return (
            pair(LeagueCommands.up, LeagueCommands.down, glyphs),
            pair(LeagueCommands.earlier, LeagueCommands.later, glyphs),
            entry(LeagueCommands.all, glyphs, _("this season") if together else ""),
            commands_entry(glyphs),
            entry(EverywhereCommands.help, glyphs),
            entry(LeagueCommands.back, glyphs),
        )

    def action_season(self, by: int) -> None:
        """Go to the season before or after; from all of them to the present one."""
        season = self.league.season
        self.services.say(AskLeague(None if season == ALL_SEASONS else season + by))

    def action_all_seasons(self) -> None:
        """Show all seasons together, or the present one again."""
        together = self.league.season == ALL_SEASONS
        self.services.say(AskLeague(None if together else ALL_SEASONS))

    def action_back(self) -> None:
        """Go back to the tables."""
        self.dismiss()
