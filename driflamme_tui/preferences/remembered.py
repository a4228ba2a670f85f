"""Stores data for the next evening: name, table, puzzles and opponents."""

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

from driflamme_tui.preferences.matched_bots import EVEN_BOT
from engine.bots import DEFAULT_BOT, is_bot
from netcode import file_locks
from netcode.private_files import UnsafeFolderError, make_private_folder, open_private_file
from netcode.whole_file import whole_file

if TYPE_CHECKING:
    from netcode.protocol.table_settings import TableSettings

State = TypeVar("State")
Entry = TypeVar("Entry")


def state_path(name: str) -> Path:
    """Return the path of a file in the user's state."""
    return user_state_path("driflamme", appauthor=False) / name


class StoredValue(Generic[State]):
    """A value that is stored in a file of the user's state."""

    def __init__(self, name: str, kind: type[State], usual: State) -> None:
        """Use the file `name` for a value of the type `kind`.

        `usual` replaces a missing or invalid value.
        """
        self._name, self._kind, self._usual = name, kind, usual

    def recall(self, path: Path | None = None) -> State:
        """Return the stored value of this user; with `path`, the value in another user's file.

        If the file is missing or invalid, return the usual value.
        """
        try:
            kept = (path or state_path(self._name)).read_bytes()
            return msgspec.json.decode(kept, type=self._kind)
        except (OSError, ValueError, RecursionError):
            return self._usual

    def keep(self, value: State) -> None:
        """Store a value in a file that only this user can read, atomically. Ignore errors."""
        path = state_path(self._name)
        with suppress(OSError, UnicodeError, UnsafeFolderError):
            make_private_folder(path.parent)
            with whole_file(path, force=True) as file:
                file.write(msgspec.json.encode(value).decode())

    def change(self, change: Callable[[State], State]) -> None:
        """Store a changed value, and lock the file meanwhile. Ignore errors of the disk.

        Other programs wait with their changes until the lock is released.
        """
        path = state_path(self._name)
        with suppress(OSError, UnsafeFolderError):
            make_private_folder(path.parent)
            lock = open_private_file(path.with_suffix(".lock"))
            try:
                # Another program may be writing, so wait.
                file_locks.wait_for_lock(lock)
                self.keep(change(self.recall()))
            finally:
                os.close(lock)


def with_latest(
    entries: Mapping[str, Entry], key: str, entry: Entry | None, most: int
) -> dict[str, Entry]:
    """Return entries with `entry` as the latest. With None, remove the entry at `key`.

    If there are more than `most`, the oldest are dropped.
    """
    others = [(name, other) for name, other in entries.items() if name != key]
    return dict([*others, *([] if entry is None else [(key, entry)])][-most:])


MOST_COUNTED: Final = 2**53
"""The highest valid count in a file; a higher one is damage."""

_Count = Annotated[int, Meta(ge=0, le=MOST_COUNTED)]


class Beginner(Struct, frozen=True):
    """The player's experience: the number of finished games, and the wish for explanations."""

    games: _Count = 0
    wanted: bool | None = None
    """True if the player wants explanations, False if not; None until they have decided."""

    def after_a_game(self) -> "Beginner":
        """Return the value after another finished game."""
        return replace(self, games=self.games + 1)


BEGINNER: Final = StoredValue("games.json", Beginner, Beginner())
"""The stored value about first games."""


class PuzzleProgress(Struct, frozen=True):
    """The solved puzzles, and the number of days in a row with a right first answer.

    >>> days = PuzzleProgress().after(7, right=True, day=100).after(9, right=True, day=101)
    >>> days.streak_at(102), days.streak_at(103), days.after(3, right=False, day=102).streak
    (2, 0, 0)
    """

    solved: tuple[_Count, ...] = ()
    """The numbers of the solved puzzles, in order."""
    streak: _Count = 0
    """Days in a row, up to `day`, with a right first answer."""
    day: _Count = 0
    """The last day whose puzzle was answered, as in `date.toordinal`; 0 before the first."""

    def after(self, number: int, *, right: bool, day: int | None) -> "PuzzleProgress":
        """Return the value after a first answer to a puzzle.

        Args:
            number: The number of the puzzle.
            right: True if the first answer was right.
            day: The day of the puzzle, as in `date.toordinal`; None if it is no puzzle of a day.
        """
        kept = replace(self, solved=tuple(sorted({*self.solved, number}))) if right else self
        if day is None or day <= self.day:
            return kept
        return replace(kept, streak=self.streak_at(day) + 1 if right else 0, day=day)

    def streak_at(self, day: int) -> int:
        """Return the number of days in a row with a right first answer, as of `day`.

        The result is 0 if a day was missed.
        """
        return self.streak if day <= self.day + 1 else 0


PUZZLES: Final = StoredValue("puzzles.json", PuzzleProgress, PuzzleProgress())
"""The stored progress with puzzles. Without a file, puzzles still work."""

FEWEST_BOTS: Final = 2
MOST_BOTS: Final = 4
"""Maximum number of bots in a game against one person."""


class Opponents(Struct, frozen=True):
    """The opponents of the last game against bots, as chosen on the start screen."""

    number: Annotated[int, Meta(ge=FEWEST_BOTS, le=MOST_BOTS)] = 3
    bot: str = DEFAULT_BOT
    """The level of all bots; `EVEN_BOT` for bots as strong as the player."""
    edition: Annotated[int, Meta(ge=1, le=2)] = 2

    @property
    def bots(self) -> tuple[str, ...]:
        """The names of the bots."""
        return (self.bot,) * self.number


_OPPONENTS: Final = StoredValue("opponents.json", Opponents, Opponents())


def last_opponents() -> Opponents:
    """Return the opponents chosen last for games against bots; an unknown bot becomes the default.

    The bots of the player's own tables are chosen separately, as in `last_bot`.
    """
    chosen = _OPPONENTS.recall()
    is_known = chosen.bot == EVEN_BOT or is_bot(chosen.bot)
    return chosen if is_known else replace(chosen, bot=DEFAULT_BOT)


remember_opponents: Final = _OPPONENTS.keep
"""Stores the opponents for the next game."""

INVITATION_PART: Final = r"/[0-9a-f]{16}$"
"""Matches the part of a seat's name that belongs to the invitation."""

MOST_WAYS_BACK: Final = 5
"""Maximum number of stored ways back; the oldest are dropped."""

NOT_KEPT: Final = "first"
"""The table setting that is not stored, since the chosen first player may not come next time."""


class WayBack(Struct, frozen=True):
    """The way back to a seat at another person's table."""

    name: str
    """The player's name at the table."""
    host: str
    """The host's name; empty if the host has no seat."""
    typed: str
    """The text that leads to the table when the player types it."""
    place: str
    """The name under which the key to the seat is stored."""


class Remembered(Struct, frozen=True):
    """Data to remember from the last evening."""

    name: str = ""
    address: str = ""
    """The address of the table joined last; "" before the first."""
    table: Mapping[str, object] = field(default_factory=dict)
    """The settings chosen last in the player's own lobby, by name, as in `TableSettings`."""
    bot: str = ""
    """The kind of bot chosen last in a lobby; "" before the first choice."""
    back: tuple[WayBack, ...] = ()
    """The seats that the player can return to, latest first."""


_LAST: Final = StoredValue("last.json", Remembered, Remembered())

recall: Final = _LAST.recall


def remember(**changes: object) -> None:
    """Store these fields of the last evening, by name, and keep all others."""
    last = recall()
    if replace(last, **changes) != last:
        # Write only real changes, since the first table waits for the disk.
        _LAST.change(lambda latest: replace(latest, **changes))


def remember_back(back: WayBack) -> None:
    """Store the way back to a seat as the latest; drop the oldest if there are too many."""
    if back not in recall().back[:1]:
        _LAST.change(
            lambda last: replace(last, back=(back, *_others(last.back, back))[:MOST_WAYS_BACK])
        )


def forget_back(back: WayBack | None) -> None:
    """Delete the way back to this seat; None deletes nothing."""
    if back is not None and len(_others(recall().back, back)) < len(recall().back):
        _LAST.change(lambda last: replace(last, back=_others(last.back, back)))


def _others(ways: tuple[WayBack, ...], back: WayBack) -> tuple[WayBack, ...]:
    """Return the ways back to other seats than this one.

    Another invitation to the same place does not make another seat.
    """
    return tuple(
        each
        for each in ways
        if each.name != back.name
        or re.sub(INVITATION_PART, "", each.place) != re.sub(INVITATION_PART, "", back.place)
    )


def _kept(settings: Mapping[str, object]) -> dict[str, object]:
    """Return the table settings that are stored for the next table: all except `NOT_KEPT`."""
    from netcode.protocol.table_settings import TableSettings

    kept = {*TableSettings().by_name()} - {NOT_KEPT}
    return {name: value for name, value in settings.items() if name in kept}


def remember_table(chosen: Mapping[str, object]) -> None:
    """Store the settings that a host has chosen; others keep their stored values."""
    remember(table={**recall().table, **_kept(chosen)})


def last_bot() -> str:
    """Return the kind of bot chosen last in a lobby, or `EVEN_BOT`.

    An unknown bot becomes the default.
    """
    bot = recall().bot or DEFAULT_BOT
    return bot if bot == EVEN_BOT or is_bot(bot) else DEFAULT_BOT


def next_table(**wanted: object) -> "TableSettings":
    """Return the settings of the next table: `wanted` first, then the settings chosen last.

    The settings chosen last are left out if they are invalid, or do not fit `wanted`.

    Raises:
        ValueError: A setting in `wanted` is invalid.
    """
    from netcode.protocol.table_settings import TableSettings, misfit

    last = _kept(recall().table)
    with suppress(ValueError):
        settings = TableSettings.of({**last, **wanted})
        if misfit(settings) is None:
            return settings
    return TableSettings.of(wanted)
