"""Chooses the rows of the start screen's menu from the player's games, seats and settings.

The module has no widgets.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from msgspec.structs import replace

from driflamme_tui.hosting.moved_tables import can_reopen, has_moved_table
from driflamme_tui.keymap.command_type import Command
from driflamme_tui.model.past_game_totals import PlayerGames, games_of_player
from driflamme_tui.preferences.matched_bots import EVEN_BOT
from driflamme_tui.preferences.remembered import (
    BEGINNER,
    FEWEST_BOTS,
    MOST_BOTS,
    PUZZLES,
    forget_back,
    last_opponents,
    remember_opponents,
)
from driflamme_tui.screens.start.start_commands import COMMANDS, WAITING
from driflamme_tui.screens.start_rows import AddedRow, Seat, waiting_rows
from driflamme_tui.seat.seat_keys import way_back
from driflamme_tui.wording.program.start_words import (
    Row,
    Standing,
    TodaysPuzzle,
    rows_of,
)
from engine.bots import bot_names


class MenuRow(NamedTuple):
    """A row of the menu, ready to be drawn."""

    row: Row
    command: Command | None
    """The command whose key opens the row; None if no key does."""
    action: str
    begins_group: bool
    is_main: bool
    """True for the row that is chosen first."""


class StartMenu:
    """The menu: the facts about the player, and the rows that follow from them."""

    def __init__(self, *, teaches: bool, named_player: str = "") -> None:
        """Read the facts.

        Args:
            teaches: True if the lesson comes first for beginners.
            named_player: The only player whose seats stand above the menu; "" for all players of
                this account.
        """
        self._teaches: Final = teaches
        self.named_player = named_player
        """The only player whose seats stand above the menu; "" for all players of this account."""
        self.standing = standing_now(teaches=teaches, name=named_player)
        self.waiting: Sequence[AddedRow] = ()
        """The rows of wings above the menu."""
        self._of_others: Sequence[AddedRow] = ()
        """The rows of wings that wait for other players of this account."""
        self._visited: Sequence[AddedRow] = ()
        self._read_waiting()

    @property
    def visited(self) -> Sequence[AddedRow]:
        """The rows for seats of other players of this account, and for places of earlier visits.

        The latter are missing until they have been read. A row of another player names that player.
        """
        rows = [*self._of_others, *self._visited]
        return [each if self._is_own(each) or each.is_shared else each.with_name() for each in rows]

    def _is_own(self, added: AddedRow) -> bool:
        """Return True unless a row leads to a seat of another player than the named one."""
        return not self.named_player or added.name in ("", self.named_player)

    def _read_waiting(self) -> None:
        rows = waiting_rows()
        self.waiting = [each for each in rows if self._is_own(each)]
        self._of_others = [each for each in rows if not self._is_own(each)]

    def update(self) -> bool:
        """Read the facts again; return True if the rows have changed."""
        before, now = self.standing, standing_now(teaches=self._teaches, name=self.named_player)
        self.standing = replace(now, puzzle=before.puzzle, games=before.games)
        rows_before = self._rows_of_wings
        self._read_waiting()
        return self.standing != before or rows_before != self._rows_of_wings

    @property
    def _rows_of_wings(self) -> tuple[list[Row], list[Row]]:
        return [each.row for each in self.waiting], [each.row for each in self._of_others]

    def read(self, puzzle: TodaysPuzzle, games: PlayerGames, visited: Sequence[AddedRow]) -> None:
        """Store the facts that were read on a thread."""
        self.standing = replace(self.standing, puzzle=puzzle, games=games)
        self._visited = visited

    @property
    def back(self) -> bool:
        """True if the player has a seat at another person's table."""
        return self.standing.back is not None

    @property
    def waiting_names(self) -> list[str]:
        """The names of rows that lead to interrupted games and tables, from the top."""
        own = {"back", "reopen", "resume"}
        names = [each.row.name for each in self.waiting]
        return [row.name for row in self.rows() if row.name in own or row.name in names]

    @property
    def seats(self) -> set[Seat]:
        """The seats to which rows of the menu, and rows of other players, lead."""
        rows = *self.waiting, *self._of_others
        found = (self.standing.back_seat, *(each.seat for each in rows))
        return {seat for seat in found if seat is not None}

    def rows(self) -> list[Row]:
        """Return the rows of the menu, with the rows of wings above them.

        The row back to the player's seat is left out if a wing's row leads to the same seat.
        """
        standing = self.standing
        if standing.back_seat in [each.seat for each in self.waiting]:
            standing = replace(standing, back=None)
        return [*(each.row for each in self.waiting), *rows_of(standing)]

    def menu_rows(self) -> Iterator[MenuRow]:
        """Yield the rows with their commands."""
        rows, names, group = self.rows(), self.waiting_names, ""
        main = rows[0].name if names else "learn" if self.standing.learns_first else "play"
        keys = dict(zip(names, WAITING, strict=False))
        for row in rows:
            command = COMMANDS.get(row.name)
            action = f"visit('{row.name}')" if command is None else command.action
            yield MenuRow(
                row,
                keys.get(row.name) if row.name in names else command,
                action if "." in action else f"screen.{action}",
                row.group != group,
                row.name == main,
            )
            group = row.group

    def added(self, name: str) -> AddedRow | None:
        """Return the row of a wing or of an earlier visit; None if no row has this name."""
        rows = (*self.waiting, *self.visited)
        return next((each for each in rows if each.row.name == name), None)

    def forgetting(self, row: Row | None) -> Callable[[], object] | None:
        """Return the function that removes a row for good; None if the row cannot be removed."""
        if row is None:
            return None
        if row.name == "back":
            return partial(forget_back, way_back(self.named_player))
        named = (each.forget for each in (*self.waiting, *self.visited) if each.row == row)
        return next(named, None)

    # Opponents

    def more_bots(self) -> None:
        """Add one bot opponent; after the maximum start again at the minimum."""
        number = self.standing.opponents.number
        self._choose(number=number + 1 if number < MOST_BOTS else FEWEST_BOTS)

    def bots(self, by: int) -> None:
        """Change the number of bot opponents by `by`, within the limits."""
        number = self.standing.opponents.number + by
        self._choose(number=min(max(number, FEWEST_BOTS), MOST_BOTS))

    def next_level(self) -> None:
        """Select the next level of the bots, and after the last one the first."""
        levels, bot = (*bot_names(), EVEN_BOT), self.standing.opponents.bot
        self._choose(bot=levels[(levels.index(bot) + 1) % len(levels)])

    def other_edition(self) -> None:
        """Select the other edition for games against bots."""
        self._choose(edition=3 - self.standing.opponents.edition)

    def _choose(self, **changes: object) -> None:
        """Store other choices about opponents."""
        opponents = replace(self.standing.opponents, **changes)
        self.standing = replace(self.standing, opponents=opponents)
        remember_opponents(opponents)


def standing_now(*, teaches: bool, name: str = "") -> Standing:
    """Return the facts about the player that need no waiting; `read_later` reads the others.

    With `teaches`, a beginner's menu begins with the lesson. With a name, other players of this
    account have no way back.
    """
    from driflamme_tui.study.guided_game import finished_or_begun
    from netcode.storage.solo_store import has_unfinished_game

    finished, is_begun = finished_or_begun()
    beginner = not finished and not BEGINNER.recall().games
    back, reopens = way_back(name), can_reopen()
    return Standing(
        back=None if back is None else back.host,
        back_seat=None if back is None else (back.place, back.name),
        reopens=reopens,
        # The way back leads only to the table's old place, so prefer to reopen the table.
        is_reopened_first=reopens and has_moved_table(),
        resumes=has_unfinished_game(),
        is_lesson_begun=is_begun,
        learns_first=teaches and (beginner or is_begun),
        opponents=last_opponents(),
    )


def read_later(today: int) -> tuple[TodaysPuzzle, PlayerGames]:
    """Return today's puzzle and the player's past games. Call it on a thread: it is slow."""
    from engine.puzzles import of_day, stock
    from netcode.storage.database import default_path
    from netcode.storage.history import History
    from netcode.table.errors import StoreError

    games = PlayerGames()
    # Do not open a missing history: that would create the file.
    if default_path().exists():
        with suppress(StoreError), History.open(reading=True) as history:
            games = games_of_player(history.games())
    number = of_day(stock(), today) + 1
    return TodaysPuzzle(number, len(stock()), today, PUZZLES.recall()), games
