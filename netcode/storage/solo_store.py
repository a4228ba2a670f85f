"""Stores the tables of one person against bots, separately from tables that a host resumes."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import ClassVar, Final, TypeAlias

from netcode.protocol.fields import KEY_BYTES
from netcode.storage.database import (
    default_path,
    lock_path,
    open_reading,
    store_errors,
    transaction,
)
from netcode.storage.store import GAMES_KEPT_S, KEPT_ROWS, Store, has_another_form, snapshot_in
from netcode.storage.table_locks import TableLocks
from netcode.table.errors import StoreError, damaged_seats, damaged_table_error
from netcode.table.snapshot import Snapshot
from netcode.table.table import Table

SOLO: Final = "solo"
"""The value of `keeper` for solo tables. No wing has this name."""

SET_ASIDE: Final = "solo damaged"
"""The value of `keeper` for damaged solo tables that were set aside for a new game."""

SOLO_KEEPERS: Final = frozenset({SOLO, SET_ASIDE})

UnixTime: TypeAlias = Callable[[], float]


class SoloStore(Store):
    """The part of the database that has games of one person against bots."""

    keeper: ClassVar[str] = SOLO

    def load_unfinished(self) -> tuple[int, Snapshot] | None:
        """Claim the latest unfinished game for this program, and return its number and state.

        Returns None if there is none. Games that another program has open are skipped. Raises
        StoreError if the game cannot be read. The state may still be invalid: `restored_table`
        checks it.
        """
        with store_errors():
            numbers = list(_unfinished_rows(self._database, self._locks))
        for number in numbers:
            try:
                kept = self.load(number)
            except StoreError:
                # Meanwhile another program may have claimed or finished the game.
                with store_errors():
                    if number in _unfinished_rows(self._database, self._locks):
                        raise
                continue
            if kept.game.phase == "playing" or not _is_sound(kept):
                return number, kept
            self._locks.give_up(number)
        return None

    def prepare(self, at: int) -> None:
        """Make space for another game.

        `at` is the Unix time. Games that are unused for `GAMES_KEPT_S` move into the history, and
        tables whose game is over are deleted. Damaged tables are set aside, and are not offered
        again. Raises StoreError if the database cannot be changed.
        """
        self.abandon(at - GAMES_KEPT_S)
        with self._locks.briefly() as lock, transaction(self._database):
            rows = self._database.execute(f"{KEPT_ROWS} WHERE keeper = ?", (self.keeper,))
            for row in rows.fetchall():
                if has_another_form(row) or not lock(row["id"]):
                    continue
                kept = snapshot_in(row)
                if kept is None or not _is_sound(kept):
                    self._database.execute(
                        "UPDATE tables SET keeper = ? WHERE id = ?", (SET_ASIDE, row["id"])
                    )
                elif kept.game.phase != "playing":
                    self._forget([row["id"]])


def has_unfinished_game(path: Path | None = None) -> bool:
    """Return True if an unfinished game against bots is stored; the game may be damaged.

    Returns False if the database cannot be read. Games that a program has open do not count.
    """
    path = path or default_path()
    if path.exists():
        with suppress(sqlite3.Error, OSError), closing(open_reading(path)) as database:
            database.execute("PRAGMA query_only = ON")
            with closing(TableLocks(lock_path(path))) as locks:
                return next(_unfinished_rows(database, locks), None) is not None
    return False


def restored_table(kept: Snapshot, rng: Random, owner_key: bytes, unix_time: UnixTime) -> Table:
    """Return the table of a stored game, for the only person at it.

    Raises StoreError if the stored state is damaged.
    """
    people = [seat for seat in kept.table.seats if seat.bot is None]
    if kept.table.owner is None or len(people) != 1 or not people[0].host:
        raise damaged_seats()
    try:
        return Table.restore(
            kept,
            rng,
            lambda: rng.randbytes(KEY_BYTES),
            owner_key,
            unix_time=unix_time,
            is_alone=True,
        )
    except StoreError:
        raise
    except ValueError as error:
        raise damaged_table_error(str(error)) from None


def _is_sound(kept: Snapshot) -> bool:
    try:
        restored_table(kept, Random(0), bytes(KEY_BYTES), lambda: 0.0)
    except StoreError:
        return False
    return True


def _unfinished_rows(database: sqlite3.Connection, locks: TableLocks) -> Iterator[int]:
    """Yield the numbers of games that no program has open, latest first.

    Damaged games are included, in any phase. Tables of another version of this program are left
    out.
    """
    rows = database.execute(f"{KEPT_ROWS} WHERE keeper = ? ORDER BY opened DESC", (SOLO,))
    for row in rows.fetchall():
        if has_another_form(row) or locks.is_locked(row["id"]):
            continue
        kept = snapshot_in(row)
        if kept is None or kept.game.phase == "playing" or not _is_sound(kept):
            yield row["id"]
