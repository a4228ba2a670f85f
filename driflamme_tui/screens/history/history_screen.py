"""Past games, the latest first: to choose one, look back at it, or delete it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len

from driflamme_tui.drawing.canvas import Canvas
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.keymap.key_bindings import bindings
from driflamme_tui.keymap.screen_commands import (
    DeletionCommands,
    EverywhereCommands,
    HistoryCommands,
    PastCommands,
)
from driflamme_tui.screens.base.list_screen import ListScreen
from driflamme_tui.screens.base.overlay import Confirmation
from driflamme_tui.screens.history.past_screen import PastScreen
from driflamme_tui.text.cell_widths import shortened, wrapped
from driflamme_tui.text.i18n import _, ngettext
from driflamme_tui.text.signs import Glyphs
from driflamme_tui.widgets.key_bar import Key, commands_entry, entry, pair
from driflamme_tui.wording.game.names import edition_name
from driflamme_tui.wording.program.history_words import Side, outcome_name, sides, when
from engine.record import Record, RecordError
from engine.words import N_
from netcode.storage.history import Filter, History
from netcode.table.finished_game import PastGame

FIRST_ROW: Final = 4
"""The first row of the list, under title, choice of games and names of columns."""

FULL_WIDTH: Final = 100
"""Columns from which dates have a year and players the letters of their families."""

COLUMNS: Final = (6, 19, 27)
"""Where date, place and players begin in the list, after the game's number."""
WIDE_COLUMNS: Final = (7, 25, 33)
"""Where they begin on a screen of `FULL_WIDTH` columns and more."""

DETAIL_ROWS: Final = 6
"""Rows under the list: all about the chosen game, an empty row, and what went wrong."""

LEAST_NAME: Final = 3
"""Cells below which a name says nothing: then there is only the family's sign."""


class Games(NamedTuple):
    """What has been read."""

    games: Sequence[PastGame]
    """The latest first."""
    all: int
    """How many there are, wanted or not."""


def own_place(game: PastGame, glyphs: Glyphs) -> str:
    """Return the reader's own place, with a sign for a victory, for one not finished, or none."""
    if game.outcome != "finished":
        return glyphs.paused
    places = [game.players[seat].place for seat in game.own]
    place = min((each for each in places if each is not None), default=None)
    if place is None:
        return glyphs.dash
    return f"{place}. {glyphs.won}" if place == 1 else f"{place}."


def name_room(players: Sequence[Side], room: int, tag: int) -> int:
    """Return how long names may be, so that all players of a game stand in one row; or 0."""
    others = sum(tag + len(f"  {each.score}  ") for each in players) - 2
    names = [cell_len(each.name) for each in players]
    for longest in range(max(names), LEAST_NAME - 1, -1):
        if others + sum(min(longest, name) for name in names) <= room:
            return longest
    return 0


class HistoryScreen(ListScreen[PastGame], PastScreen[Games]):
    """Where one chooses a past game: the list, and under it more on the chosen game."""

    BINDINGS = bindings("history")
    narrows = ("players", "edition", "bots", "outcome")

    _games: Games | None = None
    """None until they have been read for the first time."""

    @property
    def items(self) -> Sequence[PastGame]:
        """The games that are listed."""
        return () if self._games is None else self._games.games

    @property
    def room(self) -> int:
        """Games that are listed at a time."""
        return max(1, self.board.size.height - FIRST_ROW - DETAIL_ROWS)

    def find(self, history: History, games: Filter, stopped: Callable[[], bool]) -> Games:
        """Read the games that are wanted."""
        return Games(history.games(games), history.count())

    def found(self, found: Games) -> None:
        """List them; whichever was chosen stays so."""
        chosen = self.chosen
        numbers = [game.id for game in found.games]
        if chosen is not None and chosen.id in numbers:
            self.selected = numbers.index(chosen.id)
        self._games = found
        self.selected = max(0, min(self.selected, len(self.items) - 1))

    def draw(self, canvas: Canvas) -> None:
        """Draw the list around the chosen game."""
        left, room = self.left(canvas.width), self.room
        game, count = self.chosen, len(self.items)
        told = ""
        if self._games is not None:
            told = ngettext("{n} game", "{n} games", count).format(n=count)
            if count < self._games.all:
                told = _("{n} of {all} games").format(n=count, all=self._games.all)
        self.draw_past(canvas, _("Past games"), told)
        width = canvas.width - 2 * left
        if game is None:
            empty = self.empty_words() if self._games is not None else ""
            canvas.lines(left, FIRST_ROW, wrapped(empty, width, width), canvas.bold)
            return
        labels = (_("GAME"), _("ENDED"), _("PLACE"), _("PLAYERS"))
        for x, label in zip((0, *self._columns(canvas)), labels, strict=True):
            canvas.text(left + x, FIRST_ROW - 1, label, canvas.heading)
        # A page at a time: what one reads does not move while one goes through it.
        first = self.selected // room * room
        for row, index in enumerate(range(first, min(first + room, count)), FIRST_ROW):
            self._draw_game(canvas, left, row, index, self.items[index])
        row = canvas.height - DETAIL_ROWS
        rule = self.glyphs.face_up[1] * width
        canvas.text(left, row, rule, canvas.line)
        if count > room:
            text = _("page {n} of {all}").format(n=first // room + 1, all=-(-count // room))
            start = canvas.width - left - cell_len(text) - 2
            canvas.place(start, row, f" {text} ", canvas.mute, "page(1)")
        self._draw_detail(canvas, left, row + 1, game)

    def _columns(self, canvas: Canvas) -> tuple[int, int, int]:
        return WIDE_COLUMNS if canvas.width >= FULL_WIDTH else COLUMNS

    def _draw_game(self, canvas: Canvas, x: int, y: int, index: int, game: PastGame) -> None:
        glyphs, here = self.glyphs, index == self.selected
        ink, bold = (canvas.on_choice, canvas.chosen) if here else (canvas.plain, canvas.bold)
        mute = ink if here else canvas.mute
        action = "open" if here else f"select({index})"
        canvas.place(x - 1, y, "", ink, action, canvas.width - 2 * x + 2)
        ended_at, place_at, players_at = self._columns(canvas)
        whole = canvas.width >= FULL_WIDTH
        canvas.text(x, y, str(game.id), bold)
        canvas.text(x + ended_at, y, when(game, glyphs, year=whole), mute)
        canvas.text(x + place_at, y, own_place(game, glyphs), bold)
        players = sides(game)
        room = canvas.width - 2 * x - players_at
        longest = name_room(players, room, cell_len(self._tag(players[0].families, whole)))
        at = x + players_at
        for player in players:
            hue = ink
            if not here:
                won = player.place == 1
                hue = canvas.hue(player.families[0], bold=won)
            name = shortened(glyphs.plain(player.name) if longest else "", longest, glyphs)
            parts = (self._tag(player.families, whole), name, str(player.score))
            text = " ".join(part for part in parts if part)
            at = canvas.text(at, y, text, hue) + 2

    def _tag(self, families: str, whole: bool = True) -> str:
        """Return the signs of families, and where there is room for them the letters, too."""
        glyphs = self.glyphs
        signs = "".join(glyphs.families[family] for family in families)
        if not whole:
            return signs
        return f"{signs}{families}" if glyphs.letter_follows else f"[{signs}]"

    def _draw_detail(self, canvas: Canvas, x: int, y: int, game: PastGame) -> None:
        """Draw all about a game: what it was, and everybody with name and place in full."""
        glyphs = self.glyphs
        parts = [
            *([outcome_name(game.outcome)] if game.outcome != "finished" else ()),
            when(game, glyphs),
            edition_name(game.edition),
            ngettext("{n} round", "{n} rounds", game.rounds).format(n=game.rounds),
            ngettext("{n} decision", "{n} decisions", game.decisions).format(n=game.decisions),
        ]
        title = _("Game {n}").format(n=game.id)
        width = canvas.width - 2 * x
        told = f" {glyphs.separator} ".join([title, *parts])
        at, row = x, canvas.lines(x, y, wrapped(told, width, width), canvas.mute)
        canvas.text(x, y, title, canvas.bold)
        own = {game.players[seat].family for seat in game.own}
        for player in sides(game):
            name = player.name
            if player.families[0] in own:
                name = _("{name} (you)").format(name=name)
            place = f"{player.place}. " if player.place else ""
            tag = self._tag(player.families)
            name = glyphs.plain(f"{place}{tag} {name} {player.score}")
            cells = cell_len(name)
            if at > x and at + cells > x + width:
                at, row = x, row + 1
            hue = canvas.hue(player.families[0], bold=player.place == 1)
            at = canvas.text(at, row, shortened(name, width, glyphs), hue) + 3

    def key_bar(self) -> Iterable[Key]:
        """Return what can be done with the games."""
        glyphs = self.glyphs
        return (
            pair(HistoryCommands.up, HistoryCommands.down, glyphs, rank=4),
            entry(HistoryCommands.open, glyphs),
            entry(PastCommands.search, glyphs),
            entry(PastCommands.all, glyphs),
            entry(HistoryCommands.statistics, glyphs),
            entry(HistoryCommands.delete, glyphs, rank=2),
            entry(PastCommands.back, glyphs),
            entry(EverywhereCommands.help, glyphs, rank=3),
            commands_entry(glyphs),
        )

    def can(self, command: Command) -> bool:
        """Whether a command can do anything at this moment."""
        if command in (
            HistoryCommands.open,
            HistoryCommands.delete,
            HistoryCommands.up,
            HistoryCommands.down,
        ):
            return bool(self.items)
        return super().can(command)

    def moment(self) -> object:
        """Return which game is chosen: whatever the palette does is done to it."""
        return self.chosen

    def wheel(self, by: int) -> None:
        """Turn a page."""
        self.action_page(by)

    def action_move(self, by: int) -> None:
        """Choose the next game, or the one before; the list has two ends."""
        self.action_select(max(0, min(len(self.items) - 1, self.selected + by)))

    def action_select(self, index: int) -> None:
        """Choose a game; -1 is the last."""
        self.notice = ""
        super().action_select(index)

    def action_open(self) -> None:
        """Look back at the chosen game; while a name is typed, only stop typing."""
        game = self.chosen
        if self.wanted.typing:
            self.wanted.typing = False
            self.sync()
        elif game is not None:
            number = game.id

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
        game = self.chosen
        if game is None:
            return
        number = game.id

        def task(history: History) -> Callable[[], None]:
            history.remove(number)
            return self.read

        def answered(sure: bool | None) -> None:
            if sure:
                self.with_history(task)

        question = _("Delete game {n} for good? Nothing brings it back.").format(n=number)
        self.app.push_screen(DeletionOverlay(question), answered)


class DeletionOverlay(Confirmation):
    """Asks whether to delete a game."""

    BINDINGS = bindings("deletion")
    buttons = (
        (N_("Keep ({key})"), DeletionCommands.no),
        (N_("Delete ({key})"), DeletionCommands.yes),
    )
