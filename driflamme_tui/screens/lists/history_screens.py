"""Shows past games: a list, with the latest first, and statistics.

A thread reads the database, so that the screens never wait for it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Final, NamedTuple

from msgspec.structs import replace
from rich.console import RenderableType
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static
from textual.worker import get_current_worker

from driflamme_tui.drawing.statistics_texts import StatisticsTexts, in_columns
from driflamme_tui.keymap.command_type import Command, Entry
from driflamme_tui.keymap.key_bindings import key
from driflamme_tui.keymap.screen_commands import ScreenCommands, ScrollCommands
from driflamme_tui.model.past_game_totals import GameFilter, statistics_of
from driflamme_tui.screens.base.list_page import Page
from driflamme_tui.screens.base.list_screen import ListCommands, ListScreen
from driflamme_tui.screens.base.messages import LookBack
from driflamme_tui.screens.base.overlay import confirm
from driflamme_tui.text.cell_widths import steady
from driflamme_tui.text.i18n import _, ngettext, pgettext
from driflamme_tui.widgets.list_table import Column, join_lines
from driflamme_tui.wording.game.names import edition_name
from driflamme_tui.wording.program.history_words import (
    game_time,
    nothing_found,
    nothing_yet,
    outcome_name,
    sides,
)
from driflamme_tui.wording.program.holder_words import holder_sentences
from engine import texts
from engine.arena.rating import Rating
from engine.cards import MAXIMUM_PLAYERS, MINIMUM_PLAYERS, Seat
from engine.edition import EDITIONS
from engine.record import Record, RecordError
from engine.replaying import Replay
from engine.statistics import Statistics
from netcode.storage.history import Filter, History
from netcode.storage.past_evenings import PastEvening, evenings_of, history_ratings
from netcode.table.errors import StoreError
from netcode.table.finished_game import PAST_OUTCOMES, PastGame


class PastCommands(ScreenCommands, prefix="past"):
    """Commands that filter past games, in the history and in the statistics."""

    search = Command("/", "search", "filter by the name of a player", "search")
    players = Command("n", "narrow('players')", "filter by 3, 4 or 5 families, or show all again")
    edition = Command("e", "narrow('edition')", "filter by edition, or show both again")
    bots = Command("b", "narrow('bots')", "filter by games with bots or without, or show all again")
    all = Command("0", "widen", "show all games again", "all")
    back = Command("escape,q", "dismiss", "go back to the screen before", "back")


class HistoryCommands(PastCommands, ListCommands, prefix="history"):
    """Commands of the history: replay, mistakes, statistics, and deletion of a game."""

    page_back = Command("left", "page(-1)", "go a page up or down", listed=False, repeats=True)
    page_on = Command(
        "right", "page(1)", "go a page down", row=page_back, listed=False, repeats=True
    )
    open = Command("enter,r", "open", "replay the chosen game, step by step", "replay")
    mistakes = Command(
        "m",
        "mistakes",
        "learn from the mistakes in the chosen game: your accuracy, and your costliest decisions",
        "mistakes",
    )
    statistics = Command("s", "statistics", "show the statistics of these games", "statistics")
    outcome = Command("f", "narrow('outcome')", "filter by outcome, or show all again")
    delete = Command("d,delete", "delete", "delete the chosen game for good", "delete")
    bar = "open* mistakes search* all statistics* delete up/down sort back"


class StatisticsCommands(PastCommands, ScrollCommands, prefix="statistics"):
    """Commands of the statistics: scroll by pages, and list the counted games."""

    page_back = Command("left", "page(-1)", "scroll a page", listed=False, repeats=True)
    page_on = Command(
        "right", "page(1)", "scroll a page down", row=page_back, listed=False, repeats=True
    )
    games = Command("enter,s", "games", "list the games counted here", "games")
    bar = "up/down search* all games* back"


class Choice(NamedTuple):
    """A filter with a few values."""

    values: tuple[object, ...]
    """The values in order, without "all"."""
    label: texts.Text
    name_of: Callable[[Any], str] = str
    """Returns the shown name of a value of the filter."""


def _some(bots: bool) -> str:
    return pgettext("bots", "some") if bots else pgettext("bots", "none")


CHOICES: Final = {
    "players": Choice((*range(MINIMUM_PLAYERS, MAXIMUM_PLAYERS + 1),), "families: {which}"),
    "edition": Choice((*EDITIONS,), "edition: {which}"),
    "bots": Choice((True, False), "bots: {which}", _some),
    "outcome": Choice(PAST_OUTCOMES, "outcome: {which}", outcome_name),
}
"""The filters, by the name of their field in `Filter`."""

READING: Final = "reading"
"""The group of the workers that read games. A new worker replaces the previous one."""


class PastScreen(Page, commands=PastCommands):
    """A screen that reads past games and shows them."""

    narrows: ClassVar[tuple[str, ...]] = ()
    """The fields of `CHOICES` that this screen offers."""

    def __init__(self, wanted: GameFilter) -> None:
        super().__init__()
        self.wanted = wanted
        self._unread = ""
        """The sentence of the last failed reading; "" before the first. After a successful reading,
        a notice with this sentence is removed.
        """

    def on_mount(self) -> None:
        """Write the name that already filters the games into the search line."""
        self.search_for(self.wanted.games.player or "")

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now. Showing all games needs a filter."""
        match command:
            case PastCommands.all:
                return self.is_narrowed
        return super().is_possible(command)

    def texts(self) -> Mapping[str, RenderableType]:
        """Return the filters as texts. A click on a filter chooses its next value."""
        return {**super().texts(), "choices": Text("  ").join(self._choices())}

    def _choices(self) -> Iterable[Text]:
        if not self.searching and not self.wanted.games.player:
            yield self.link(_("Name: {name}", name=self.glyphs.dash), "search", "mute")
        for each in self.narrows:
            role = "mute" if getattr(self.wanted.games, each) is None else "bold"
            yield self.link(self._choice(each), f"narrow('{each}')", role)

    def _choice(self, name: str) -> str:
        """Return the label of a filter with its value, or with a dash if the filter is not set."""
        choice, value = CHOICES[name], getattr(self.wanted.games, name)
        return _(choice.label, which=self.glyphs.dash if value is None else choice.name_of(value))

    def on_screen_resume(self) -> None:
        """Read the games, since another screen may have changed them."""
        self.read()

    def relabel(self) -> None:
        """Redraw everything after a change of language, signs or colours, and drop the notice."""
        self.notice = ""
        super().relabel()

    # Reading

    def find(self, history: History, games: Filter) -> Callable[[], None]:
        """Read games, and return a function that shows them.

        Each screen must override this method. It is called on a thread, and the returned function
        on the app's thread.

        Raises:
            StoreError: The history cannot be read.
        """
        raise TypeError("a screen of past games says what it reads")

    def read(self) -> None:
        """Read the selected games on a thread, then show them."""
        games = self.wanted.games

        def task(history: History) -> Callable[[], None]:
            found = self.find(history, games)

            def show() -> None:
                if self.notice == self._unread:
                    self.notice = ""
                found()
                self.sync()

            return show

        self.with_history(task, group=READING)

    def with_history(
        self, task: Callable[[History], Callable[[], None]], group: str = "past"
    ) -> None:
        """Call `task` on a thread, then call the returned function on the app's thread.

        If the history cannot be opened or read, show the reason instead. A new task cancels an
        unfinished task of the same group.
        """

        def work() -> Callable[[], None]:
            try:
                with History.open(reading=True) as history:
                    return task(history)
            except StoreError as error:
                sentence = error.sentence(_)
                if group == READING:
                    self._unread = sentence
                return partial(self.show_notice, sentence)

        self.in_background(work, group=group)

    # Selecting games

    def want(self, games: Filter) -> None:
        """Select other games, and read them."""
        if games != self.wanted.games:
            self.wanted.games = games
            self.notice = ""
            self.read()
        self.sync()

    @property
    def is_narrowed(self) -> bool:
        """True if a filter is set."""
        return not self.wanted.all

    def search(self, sought: str) -> None:
        """Select the games with a player of this name; with "", the games of all players."""
        self.want(replace(self.wanted.games, player=sought or None))

    def action_narrow(self, name: str) -> None:
        """Choose the next value of the filter with this name.

        After the last value, remove the filter.
        """
        values = None, *CHOICES[name].values
        following = (values.index(getattr(self.wanted.games, name)) + 1) % len(values)
        change: dict[str, Any] = {name: values[following]}
        self.want(replace(self.wanted.games, **change))

    def action_widen(self) -> None:
        """Remove all filters."""
        self.search_for("")
        self.want(Filter())

    def empty_words(self) -> str:
        """Return the text for an empty list, with the way to get games."""
        if self.wanted.all:
            return nothing_yet()
        return nothing_found() + " " + _("{key} shows all again.", key=key(PastCommands.all))


FULL_WIDTH: Final = 100
"""Minimum columns of the screen for dates with a year."""


class HistoryScreen(ListScreen[PastGame], PastScreen, commands=HistoryCommands):
    """The list of past games, and below it details of the chosen game."""

    narrows = ("players", "edition", "bots", "outcome")
    moves_on = True

    items: Sequence[PastGame] = ()
    """The games in the list, the latest first."""
    all: int | None = None
    """Number of all games, without the filters; None before the first reading."""

    def find(self, history: History, games: Filter) -> Callable[[], None]:
        """Read the selected games; return a function that puts them into the list."""
        items, count = history.games(games), history.count()

        def found() -> None:
            self.items, self.all = items, count

        return found

    def is_possible(self, command: Command) -> bool:
        """Return True if a command is possible now. Replay and deletion need a chosen game."""
        match command:
            case HistoryCommands.open | HistoryCommands.mistakes | HistoryCommands.delete:
                return self.chosen is not None
        return super().is_possible(command)

    def entry_words(self, entry: Entry) -> str:
        """Return the label of an entry; "" for the replay without a chosen game with a record."""
        if entry == HistoryCommands.open and not (self.chosen and self.chosen.has_record):
            return ""
        return super().entry_words(entry)

    def heading(self) -> str:
        """Return the title of the screen."""
        return _("Past games")

    def name_of(self, item: PastGame) -> object:
        """Return a game's number."""
        return item.id

    def columns(self) -> Sequence[Column[PastGame]]:
        """Return the columns of the list."""
        full = self.app.size.width >= FULL_WIDTH
        return (
            Column(_("GAME"), lambda game: self.text((str(game.id), "bold")), lambda game: game.id),
            Column(
                _("ENDED"),
                lambda game: self.text((game_time(game, self.glyphs, year=full), "mute")),
                lambda game: game.ended or game.began or 0,
            ),
            Column(_("PLACE"), lambda game: self.text((self._place_of_player(game), "bold"))),
            Column(_("PLAYERS"), lambda game: Text("\n").join(self._players(game)), grows=True),
        )

    def _place_of_player(self, game: PastGame) -> str:
        """Return the reader's best place, with a sign for a victory.

        Returns another sign if the game is unfinished, or if the reader has no known place.
        """
        if game.outcome != "finished":
            return self.glyphs.paused
        places = (game.players[seat].place for seat in game.own)
        place = min((each for each in places if each is not None), default=None)
        if place is None:
            return self.glyphs.dash
        return f"{place}. {self.glyphs.won}" if place == 1 else f"{place}."

    def _players(self, game: PastGame, *, placed: bool = False) -> Iterable[Text]:
        """Yield all players with scores, best first.

        With `placed`, add each player's place and a bot's level, and mark the reader.
        """
        own = {game.players[seat].family for seat in game.own} if placed else ()
        for side in sides(game):
            name = side.name_and_level if placed else side.name
            if side.families[0] in own:
                name = _("{name} (you)", name=side.name)
            place = f"{side.place}. " if placed and side.place else ""
            tag = "".join(map(self.glyphs.tag, side.families))
            text = self.text((f"{place}{tag} {name} {side.score}", side.families[0]))
            text.stylize("bold" if side.place == 1 else "")
            yield text

    def texts(self) -> Mapping[str, RenderableType]:
        """Return the filters, the number of games, and the details of the chosen game.

        For an empty list, return a sentence with the way to get games.
        """
        summary = ""
        if self.all is not None:
            count = len(self.items)
            summary = ngettext("{n} game", "{n} games", count)
            if count < self.all:
                summary = _("{n} of {all} games", n=count, all=self.all)
        page, pages = self.listing.pages
        of_pages = _("page {n} of {all}", n=page, all=pages) + "  " if pages > 1 else ""
        return {
            **super().texts(),
            "summary": self.text(of_pages, summary),
            "empty": self.text("" if self.items or self.all is None else self.empty_words()),
            "about": Text() if self.chosen is None else self._about(self.chosen),
        }

    def _about(self, game: PastGame) -> Text:
        """Return the details of a game, with everybody's full name and place."""
        parts = [
            *([outcome_name(game.outcome)] if game.outcome != "finished" else ()),
            game_time(game, self.glyphs),
            edition_name(game.edition),
            ngettext("{n} round", "{n} rounds", game.rounds),
            ngettext("{n} decision", "{n} decisions", game.decisions),
            *(() if game.has_record else (_("no replay, since not all cards are known"),)),
        ]
        details = (
            self.text((_("Game {n}", n=game.id), "bold")),
            *(self.text((part, "mute")) for part in parts),
        )
        changes = (self.text((steady(each), "mute")) for each in holder_sentences(game.players))
        rows = details, self._players(game, placed=True), changes
        width = self.listing.content_size.width
        texts = (join_lines(Text("\n").join(row), width) for row in rows)
        return Text("\n").join(text for text in texts if text)

    def action_open(self) -> None:
        """Open the replay of the chosen game; do nothing if no game is chosen."""
        self._look_back_at_chosen(learns=False)

    def action_mistakes(self) -> None:
        """Open the replay of the chosen game, and judge the reader's decisions."""
        self._look_back_at_chosen(learns=True)

    def _look_back_at_chosen(self, *, learns: bool) -> None:
        if self.chosen is not None:
            number, own = self.chosen.id, self.chosen.own

            def task(history: History) -> Callable[[], None]:
                record = history.record(number)
                return lambda: self._look_back(record, own, learns)

            self.with_history(task)

    def _look_back(self, record: Record, own: tuple[Seat, ...], learns: bool) -> None:
        if self.app.screen is not self:
            # The reader has opened another screen meanwhile, so show no replay.
            return
        try:
            self.app.post_message(LookBack(Replay.of(record), own=own, learns=learns))
        except RecordError as error:
            self.show_notice(error.sentence(_))

    def action_statistics(self) -> None:
        """Show the statistics of the listed games."""
        self.app.push_screen(StatisticsScreen(self.wanted))

    def action_delete(self) -> None:
        """Delete the chosen game, if there is one, after a confirmation."""
        if self.chosen is None:
            return
        number = self.chosen.id

        def task(history: History) -> Callable[[], None]:
            history.remove(number)
            return self.read

        question = _("Delete game {n} for good? This cannot be undone.", n=number)
        confirm(
            self.app,
            question,
            lambda: self.with_history(task),
            no="Keep ({key})",
            yes="Delete ({key})",
        )


class StatisticsScreen(PastScreen, commands=StatisticsCommands):
    """The statistics of games, as a page that scrolls."""

    narrows = ("players", "edition", "bots")

    statistics: Statistics | None = None
    """The statistics; None before the first reading."""
    evenings: Sequence[PastEvening] = ()
    ratings: Sequence[Rating[tuple[str, bool]]] = ()

    def parts(self) -> ComposeResult:
        """Yield the search line and the figures."""
        yield from self.search_line()
        with VerticalScroll(id="scroll", can_focus=False):
            yield Static(id="figures")

    def find(self, history: History, games: Filter) -> Callable[[], None]:
        """Read the statistics of the selected games; return a function that stores them."""
        worker, played = get_current_worker(), history.games(games)
        statistics = statistics_of(history, games, lambda: worker.is_cancelled)
        evenings, ratings = evenings_of(played), history_ratings(played)

        def found() -> None:
            self.statistics, self.evenings, self.ratings = statistics, evenings, ratings

        return found

    def heading(self) -> str:
        """Return the title of the screen."""
        return _("Statistics")

    def texts(self) -> Mapping[str, RenderableType]:
        """Return the filters, the number of games, and the figures.

        While games are being read, and without games, a sentence replaces the figures.
        """
        summary = ""
        figures: RenderableType = self.text((_("Adding up…"), "bold"))
        if self.statistics is not None:
            count = self.statistics.total.games
            summary = ngettext("{n} game", "{n} games", count)
            figures = (
                self._figures(self.statistics) if count else self.text((self.empty_words(), "bold"))
            )
        return {**super().texts(), "summary": self.text(summary), "figures": figures}

    def _figures(self, statistics: Statistics) -> RenderableType:
        texts = StatisticsTexts(self.glyphs, self.text)
        sections = texts.sections(statistics)
        sections += [texts.ratings(self.ratings), texts.evenings(self.evenings)]
        width = self.scrolled.region.width - 1
        return in_columns(sections, width, lambda title: self.text((title, "heading")))

    def action_games(self) -> None:
        """Show the list of the games in these statistics."""
        if any(isinstance(screen, HistoryScreen) for screen in self.app.screen_stack):
            # Return to the list of these games, which lies below this screen.
            self.dismiss()
        else:
            self.app.push_screen(HistoryScreen(self.wanted))
