"""Shows the league of a club: everybody's results in a season, also against each opponent."""

from collections.abc import Mapping, Sequence

from rich.console import RenderableType
from rich.text import Text

from driflamme_tui.keymap.command_type import Command, Entry
from driflamme_tui.screens.base.list_page import Page
from driflamme_tui.screens.base.list_screen import ListCommands, ListScreen
from driflamme_tui.text.i18n import _, pgettext
from driflamme_tui.widgets.list_table import Column
from driflamme_tui.wings.clubs.league_words import (
    duels_words,
    league_name,
    league_note,
    season_words,
)
from driflamme_tui.wording.program.history_words import decimal
from netcode.wings.clubs.messages import ALL_SEASONS, AskLeague, League, LeagueRow


class LeagueCommands(ListCommands, prefix="league", listed_after="statistics.games"):
    """Commands of the league: search its players, and choose a season."""

    search = Command("/", "search", "filter the players as you type", "search")
    earlier = Command(
        "left", "season(-1)", "show the previous season, or the next", "seasons", repeats=True
    )
    later = Command(
        "right", "season(1)", "show the next season", "seasons", row=earlier, repeats=True
    )
    all = Command(
        "0", "all_seasons", "show all seasons together, or the current one", "all seasons"
    )
    back = Command("q,escape,l", "dismiss", "go back to the tables of the club", "back")
    bar = "up/down earlier/later* all search* sort back"


class LeagueScreen(ListScreen[LeagueRow], Page, commands=LeagueCommands):
    """Shows the league of a season, and below it the results of the chosen player."""

    def __init__(self, league: League, player_name: str) -> None:
        super().__init__()
        self.league, self._player_name = league, player_name

    def on_mount(self) -> None:
        """Show the requested league."""
        self.show(self.league)

    def show(self, league: League) -> None:
        """Show a league, and choose the reader's row; without one, the first row."""
        self.league = league
        self.sync()
        own = (row.place is not None and row.name == self._player_name for row in league.rows)
        self.listing.select(next((line for line, is_own in enumerate(own) if is_own), 0))

    @property
    def items(self) -> Sequence[LeagueRow]:
        """The players in the league."""
        return self.league.rows

    def heading(self) -> str:
        """Return the name of the screen."""
        return _("League")

    def columns(self) -> Sequence[Column[LeagueRow]]:
        """Return columns for place, name, games, victories, points, rating and its uncertainty."""

        def number(name: str, value: str, digits: str = "{}") -> Column[LeagueRow]:
            def cell(row: LeagueRow) -> Text:
                return self.text(digits.format(getattr(row, value)))

            return Column(name, cell, lambda row: getattr(row, value), is_number=True)

        def rating(value: float, before: str = "") -> Text:
            return self.text(before + decimal(value / 100, self.glyphs))

        def place(row: LeagueRow) -> Text:
            return self.text((f"{row.place}." if row.place else "", "bold"))

        return (
            Column("", place, lambda row: row.place or len(self.league.rows)),
            Column("", lambda row: self.text((league_name(row), "bold")), grows=True),
            number(pgettext("column", "games"), "games"),
            number(pgettext("column", "won"), "wins"),
            number(pgettext("column", "points"), "points"),
            Column(
                pgettext("column", "rating"),
                lambda row: rating(row.rating),
                lambda row: row.rating,
                is_number=True,
            ),
            Column(
                "",
                lambda row: rating(row.uncertainty, "± "),
                lambda row: row.uncertainty,
                is_number=True,
            ),
        )

    def texts(self) -> Mapping[str, RenderableType]:
        """Return the season, the chosen player's results against others, and the columns' meaning.

        For an empty league, add a sentence about that.
        """
        empty = _("No game with at least two people has been finished at this club's tables yet.")
        duels = "" if self.chosen is None else duels_words(self.league, self.chosen)
        return {
            **super().texts(),
            "summary": self.text(season_words(self.league.season)),
            "empty": self.text("" if self.league.rows else empty),
            "about": self.text((duels, "bold"), "\n\n", (league_note(), "mute")),
        }

    def entry_words(self, entry: Entry) -> str:
        """Return the present label of an entry of the key bar."""
        if entry == LeagueCommands.all and self.league.season == ALL_SEASONS:
            return _("this season")
        return super().entry_words(entry)

    def action_season(self, by: int) -> None:
        """Go to the previous or next season. From all seasons together, go to the present one."""
        season = self.league.season
        self.player_seat.send(AskLeague(None if season == ALL_SEASONS else season + by))

    def action_all_seasons(self) -> None:
        """Show all seasons together; if they are shown, show the present one."""
        together = self.league.season == ALL_SEASONS
        self.player_seat.send(AskLeague(None if together else ALL_SEASONS))
