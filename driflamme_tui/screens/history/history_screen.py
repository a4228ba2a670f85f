"""Past games, the latest first: to choose one, look back at it, or delete it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from rich.console import RenderableType
from rich.text import Text

from driflamme_tui.keymap.screen_commands import (
    DeletionCommands,
    HistoryCommands,
)
from driflamme_tui.screens.base.overlay import Confirmation
from driflamme_tui.screens.base.page import ListPage
from driflamme_tui.screens.history.past_screen import PastScreen
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.widgets.listing import Column
from driflamme_tui.wording.game.names import edition_name
from driflamme_tui.wording.program.history_words import outcome_name, sides, when
from engine.record import Record, RecordError
from engine.words import N_
from netcode.storage.history import Filter, History
from netcode.table.finished_game import PastGame

FULL_WIDTH: Final = 100
"""Columns from which the dates in the list have a year."""


class Games(NamedTuple):
    """What has been read."""

    games: Sequence[PastGame] = ()
    """The latest first."""
    all: int = 0
    """How many there are, wanted or not."""


class HistoryScreen(PastScreen[Games], ListPage[PastGame], commands=HistoryCommands):
    """Where one chooses a past game: the list, and under it more on the chosen game."""

    narrows = ("players", "edition", "bots", "outcome")

    _games: Games | None = None
    """None until they have been read for the first time."""

    @property
    def items(self) -> Sequence[PastGame]:
        """The games that are listed."""
        return () if self._games is None else self._games.games

    def find(self, history: History, games: Filter, stopped: Callable[[], bool]) -> Games:
        """Read the games that are wanted."""
        return Games(history.games(games), history.count())

    def found(self, found: Games) -> None:
        """List them."""
        self._games = found

    def heading(self) -> str:
        """Return the name of the screen."""
        return _("Past games")

    def name_of(self, item: PastGame) -> object:
        """Return a game's number."""
        return item.id

    def columns(self) -> Sequence[Column[PastGame]]:
        """Return what is told of each game."""
        full = self.app.size.width >= FULL_WIDTH
        return (
            Column(_("GAME"), lambda game: self.text((str(game.id), "bold")), lambda game: game.id),
            Column(
                _("ENDED"),
                lambda game: self.text((when(game, self.glyphs, year=full), "mute")),
                lambda game: game.ended or game.began or 0,
            ),
            Column(_("PLACE"), lambda game: self.text((self._own_place(game), "bold"))),
            Column(_("PLAYERS"), lambda game: Text("\n").join(self._players(game)), grows=True),
        )

    def _own_place(self, game: PastGame) -> str:
        """Return the reader's place, with a sign for a victory, or one for a game without."""
        if game.outcome != "finished":
            return self.glyphs.paused
        places = (game.players[seat].place for seat in game.own)
        place = min((each for each in places if each is not None), default=None)
        if place is None:
            return self.glyphs.dash
        return f"{place}. {self.glyphs.won}" if place == 1 else f"{place}."

    def _players(self, game: PastGame, *, placed: bool = False) -> Iterable[Text]:
        """Return everybody who played, the best first, with their places if these are wanted."""
        own = {game.players[seat].family for seat in game.own} if placed else ()
        for side in sides(game):
            name = (
                _("{name} (you)").format(name=side.name) if side.families[0] in own else side.name
            )
            place = f"{side.place}. " if placed and side.place else ""
            tag = "".join(map(self.glyphs.tag, side.families))
            text = self.text((f"{place}{tag} {name} {side.score}", side.families[0]))
            text.stylize("bold" if side.place == 1 else "")
            yield text

    def texts(self) -> Mapping[str, RenderableType]:
        """Return how many games there are, and all about the chosen one."""
        told = ""
        if self._games is not None:
            count, every = len(self.items), self._games.all
            told = ngettext("{n} game", "{n} games", count).format(n=count)
            if count < every:
                told = _("{n} of {all} games").format(n=count, all=every)
        page, pages = self.listing.pages
        of_pages = _("page {n} of {all}").format(n=page, all=pages) + "  " if pages > 1 else ""
        return {
            **super().texts(),
            "told": self.text(of_pages, told),
            "empty": self.text("" if self.items or self._games is None else self.empty_words()),
            "about": Text() if self.chosen is None else self._about(self.chosen),
        }

    def _about(self, game: PastGame) -> Text:
        """Return all about a game: what it was, and everybody with name and place in full."""
        parts = [
            *([outcome_name(game.outcome)] if game.outcome != "finished" else ()),
            when(game, self.glyphs),
            edition_name(game.edition),
            ngettext("{n} round", "{n} rounds", game.rounds).format(n=game.rounds),
            ngettext("{n} decision", "{n} decisions", game.decisions).format(n=game.decisions),
        ]
        dot = f" {self.glyphs.separator} "
        return self.text(
            (_("Game {n}").format(n=game.id), "bold"),
            (dot + dot.join(parts), "mute"),
            "\n",
            Text("   ").join(self._players(game, placed=True)),
        )

    def action_open(self) -> None:
        """Look back at the chosen game."""
        if self.chosen is not None:
            number = self.chosen.id

            def task(history: History) -> Callable[[], None]:
                record = history.record(number)
                return lambda: self._look_back(record)

            self.with_history(task)

    def _look_back(self, record: Record) -> None:
        if self.app.screen is not self:
            # Somebody went on while the game was read.
            return
        try:
            self.services.show_replay(record)
        except RecordError as error:
            self.show_notice(error.sentence(_))

    def action_statistics(self) -> None:
        """Show what the listed games add up to."""
        self.services.show_statistics(self.wanted)

    def action_delete(self) -> None:
        """Ask whether to delete the chosen game, and do so."""
        if self.chosen is None:
            return
        number = self.chosen.id

        def task(history: History) -> Callable[[], None]:
            history.remove(number)
            return self.read

        def answered(sure: bool | None) -> None:
            if sure:
                self.with_history(task)

        question = _("Delete game {n} for good? This cannot be undone.").format(n=number)
        self.app.push_screen(DeletionOverlay(question), answered)


class DeletionOverlay(Confirmation, commands=DeletionCommands):
    """Asks whether to delete a game."""

    buttons = (
        (N_("Keep ({key})"), DeletionCommands.no),
        (N_("Delete ({key})"), DeletionCommands.yes),
    )
