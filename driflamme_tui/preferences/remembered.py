"""What the program remembers between evenings: name and table, puzzles solved."""

import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Generic, TypeVar

import msgspec
from msgspec import Meta, Struct, field
from msgspec.structs import replace
from platformdirs import user_state_path

from driflamme_tui.preferences.matched_bots import EVEN
from engine.bots import DEFAULT_BOT, is_bot
from netcode import file_locks
from netcode.private_files import UnsafeFolderError, make_private_folder, open_private_file
from netcode.whole_file import whole_file

if TYPE_CHECKING:
    from netcode.protocol.table_settings import TableSettings

State = TypeVar("State")
Entry = TypeVar("Entry")


def state_path(name: str) -> Path:
    """Return where a file of the user's state lies, or would."""
    return user_state_path("driflamme", appauthor=False) / name


class Kept(Generic[State]):
    """What is kept in one file of the user's state."""

    def __init__(self, name: str, kind: type[State], usual: State) -> None:
        """Know the file, what it holds, and what is so while it holds nothing that makes sense."""
        self._name, self._kind, self._usual = name, kind, usual

    def recall(self, path: Path | None = None) -> State:
        """Return what was kept last, by this user unless a path leads to another's file."""
        try:
            kept = (path or state_path(self._name)).read_bytes()
            return msgspec.json.decode(kept, type=self._kind)
        except (OSError, ValueError, RecursionError):
            return self._usual

    def keep(self, value: State) -> None:
        """Write the file whole or not at all, never readable by others; nothing fails by it."""
        path = state_path(self._name)
        with suppress(OSError, UnicodeError, UnsafeFolderError):
            make_private_folder(path.parent)
            with whole_file(path, force=True) as file:
                file.write(msgspec.json.encode(value).decode())

    def change(self, change: Callable[[State], State]) -> None:
        """Keep what a change makes of what is kept; no other program writes in between."""
        path = state_path(self._name)
        with suppress(OSError, UnsafeFolderError):
            make_private_folder(path.parent)
            lock = open_private_file(path.with_suffix(".lock"))
            try:
                # Until the other program has written.
                file_locks.wait_for_lock(lock)
                self.keep(change(self.recall()))
            finally:
                os.close(lock)


def with_latest(
    entries: Mapping[str, Entry], key: str, entry: Entry | None, most: int
) -> dict[str, Entry]:
    """Return entries of which this is the latest, or which lack it; the oldest of many go."""
    others = [(name, other) for name, other in entries.items() if name != key]
    return dict([*others, *([] if entry is None else [(key, entry)])][-most:])


MOST_COUNTED: Final = 2**53
"""The highest count in a file; a higher one is damage."""

_Count = Annotated[int, Meta(ge=0, le=MOST_COUNTED)]


class Newcomer(Struct, frozen=True):
    """How many games the player has finished, and whether they want help with decisions."""

    games: _Count = 0
    wanted: bool | None = None
    """Whether the player wants help with decisions; None until they have said so."""

    def after_a_game(self) -> "Newcomer":
        """Return what is stored once another game is finished."""
        return replace(self, games=self.games + 1)


NEWCOMER: Final = Kept("games.json", Newcomer, Newcomer())
"""What is stored about first games."""


class PuzzleProgress(Struct, frozen=True):
    """Which puzzles have been solved, and how many days in a row at the first try.

    >>> days = PuzzleProgress().after(7, right=True, day=100).after(9, right=True, day=101)
    >>> days.streak_at(102), days.streak_at(103), days.after(3, right=False, day=102).streak
    (2, 0, 0)
    """

    solved: tuple[_Count, ...] = ()
    """The numbers of those that have been solved, in their order."""
    streak: _Count = 0
    """Days in a row, up to `day`, whose puzzle was solved at the first try."""
    day: _Count = 0
    """The last day whose puzzle was answered, counted as `date.toordinal` does."""

    def after(self, number: int, *, right: bool, day: int | None) -> "PuzzleProgress":
        """Return what is kept once a puzzle has been answered, that of a day or of no day."""
        kept = replace(self, solved=tuple(sorted({*self.solved, number}))) if right else self
        if day is None or day <= self.day:
            return kept
        return replace(kept, streak=self.streak_at(day) + 1 if right else 0, day=day)

    def streak_at(self, day: int) -> int:
        """Return the days in a row as they stand on a day: one that was left out ends them."""
        return self.streak if day <= self.day + 1 else 0


PUZZLES: Final = Kept("puzzles.json", PuzzleProgress, PuzzleProgress())
"""Is kept; where nothing can be, puzzles go on all the same."""

FEWEST_BOTS: Final = 2
MOST_BOTS: Final = 4
"""The number of bots in a game against one person, at most."""


class Opponents(Struct, frozen=True):
    """The game against bots that was chosen last on the start screen."""

    number: Annotated[int, Meta(ge=FEWEST_BOTS, le=MOST_BOTS)] = 3
    bot: str = DEFAULT_BOT
    """The level of all bots, or `EVEN`."""
    edition: Annotated[int, Meta(ge=1, le=2)] = 2

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots to ask for, by name."""
        return (self.bot,) * self.number


_OPPONENTS: Final = Kept("opponents.json", Opponents, Opponents(bot=""))


def last_opponents() -> Opponents:
    """Return the opponents that were chosen last; bots that are gone become the usual ones."""
    chosen = _OPPONENTS.recall()
    if not chosen.bot:
        return replace(chosen, bot=last_bot())
    is_known = chosen.bot == EVEN or is_bot(chosen.bot)
    return chosen if is_known else replace(chosen, bot=DEFAULT_BOT)


remember_opponents: Final = _OPPONENTS.keep
"""Keeps the opponents for the next game."""

INVITED: Final = re.compile(r"/[0-9a-f]{16}$")
"""What the invitation adds to the place that a key is kept under."""

MOST_WAYS_BACK: Final = 5
"""Maximum number of ways back that are remembered; the oldest are dropped."""

NOT_KEPT: Final = "first"
"""The field of a table's settings that makes no sense at the next: that player may not come."""


class WayBack(Struct, frozen=True):
    """The way back to a seat at somebody else's table."""

    name: str
    """What one is called there."""
    host: str
    """The name of its host; empty if they have no seat."""
    typed: str
    """What leads there when it is typed."""
    place: str
    """What the key to the seat is kept under."""


class Remembered(Struct, frozen=True):
    """The last evening."""

    name: str = ""
    address: str = ""
    """The address of the table that was joined last."""
    table: Mapping[str, object] = field(default_factory=dict)
    """What was chosen last in a lobby of one's own: fields of `TableSettings`, by name."""
    bot: str = ""
    """The kind of bot that was chosen last."""
    back: tuple[WayBack, ...] = ()
    """The seats that one has left without giving them up, the latest first."""


_LAST: Final = Kept("last.json", Remembered, Remembered())

recall: Final = _LAST.recall


def remember(**changes: object) -> None:
    """Remember this, and whatever else is remembered as it was; `changes` are its fields."""
    last = recall()
    if replace(last, **changes) != last:
        # The first table would wait for the disk.
        _LAST.change(lambda latest: replace(latest, **changes))


def remember_back(back: WayBack) -> None:
    """Remember the way back to a seat, before those to other seats."""
    if back not in recall().back[:1]:
        _LAST.change(
            lambda last: replace(last, back=(back, *_others(last.back, back))[:MOST_WAYS_BACK])
        )


def forget_back(back: WayBack | None) -> None:
    """Forget the way back to this seat, and to no other seat."""
    if back is not None and len(_others(recall().back, back)) < len(recall().back):
        _LAST.change(lambda last: replace(last, back=_others(last.back, back)))


def _others(ways: tuple[WayBack, ...], back: WayBack) -> tuple[WayBack, ...]:
    """Return the ways back to other seats; each invitation to a table names another place."""
    return tuple(
        each
        for each in ways
        if each.name != back.name or INVITED.sub("", each.place) != INVITED.sub("", back.place)
    )


def _kept(settings: Mapping[str, object]) -> dict[str, object]:
    """Return those fields of a table's settings that the next table gets too."""
    from netcode.protocol.table_settings import TableSettings

    kept = {*TableSettings().by_name()} - {NOT_KEPT}
    return {name: value for name, value in settings.items() if name in kept}


def remember_table(chosen: Mapping[str, object]) -> None:
    """Remember what a host has chosen for a table; what they did not touch stays as it was."""
    remember(table={**recall().table, **_kept(chosen)})


def last_bot() -> str:
    """Return the kind of bot, or `EVEN`, that was chosen last; if it is no more the usual one."""
    bot = recall().bot or DEFAULT_BOT
    return bot if bot == EVEN or is_bot(bot) else DEFAULT_BOT


def next_table(**wanted: object) -> "TableSettings":
    """Return the settings of the next table: what is wanted, and else what was chosen last."""
    from netcode.protocol.table_settings import TableSettings

    last = _kept(recall().table)
    try:
        return TableSettings.of({**last, **wanted})
    except ValueError:
        return TableSettings.of(wanted)
