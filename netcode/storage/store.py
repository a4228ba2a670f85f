"""Stores the tables of hosts, so that a table can be resumed after its host has stopped.

One SQLite database has all tables of all programs of this user. A commit survives a crash of the
program and of the machine. Reading and writing block, so `journal.py` calls this from its own
thread.
"""

import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Final, Self
from weakref import WeakValueDictionary

from msgspec import DecodeError, Struct, ValidationError, msgpack

from netcode.storage.database import (
    default_path,
    files_at,
    lock_path,
    open_database,
    open_reading,
    paths_of,
    store_errors,
    transaction,
)
from netcode.storage.history import store_played_game
from netcode.storage.table_locks import TableLocks
from netcode.table.effects import Keep
from netcode.table.errors import StoreError, UnavailableError, damaged_table_error
from netcode.table.finished_game import EndedGame
from netcode.table.restoring import abandoned_game
from netcode.table.snapshot import KeptGame, KeptTable, Snapshot
from netcode.tracebacks import error_line

_log = logging.getLogger(__name__)

_encode: Final = msgpack.Encoder().encode
_decode_table: Final = msgpack.Decoder(KeptTable).decode
_decode_game: Final = msgpack.Decoder(KeptGame).decode

KEPT_ROWS: Final = """
    SELECT id, tables.kept AS kept, games.kept AS game FROM tables LEFT JOIN games ON id = table_id
"""

# One statement stores all tables: after each statement, the journal's thread waits for its turn.
_KEEP_TABLES: Final = """
    INSERT INTO tables (id, opened, day, keeper, kept) VALUES {rows}
    ON CONFLICT (id) DO UPDATE SET day = excluded.day, kept = excluded.kept"""
_TABLE_ROW: Final = "(?, (SELECT coalesce(max(opened), 0) + 1 FROM tables), ?, ?, ?)"
_KEEP_GAMES: Final = """
    INSERT INTO games (table_id, kept) VALUES {rows}
    ON CONFLICT (table_id) DO UPDATE SET kept = excluded.kept"""

ROWS_AT_ONCE: Final = 32
"""Maximum number of rows in one statement. It is low, so that SQLite keeps the statements of all
lengths prepared.
"""

LOBBIES_KEPT_S: Final = 30 * 24 * 3600
"""Seconds for which an unused lobby is stored. People may put a game off for weeks."""

GAMES_KEPT_S: Final = 90 * 24 * 3600
"""Seconds after which an unused game counts as abandoned."""

DAYS_OF_USE: Final = 10
"""Number of later days on which some table was stored before an old table may be removed. A clock
that is wrong by months adds only one such day, so it removes nothing.
"""

DAY_S: Final = 24 * 3600


class UnfinishedTable(Struct, frozen=True):
    """The latest table of this user that was not closed for good."""

    table: int
    playing: bool
    """True if the table was interrupted during a game."""


def unfinished_table(path: Path | None = None) -> UnfinishedTable | None:
    """Return the latest table that can probably be resumed.

    Returns None if no table can be, or if the database cannot be read. Writes nothing.
    """
    path = path or default_path()
    if path.exists():
        with suppress(sqlite3.Error, OSError), closing(open_reading(path)) as database:
            locks = TableLocks(lock_path(path))
            with closing(locks):
                return _unfinished(database, locks)
    return None


def _unfinished(
    database: sqlite3.Connection,
    locks: TableLocks,
    *,
    with_locked: bool = False,
    empty: bool = False,
    is_wanted: Callable[[Snapshot], bool] | None = None,
) -> UnfinishedTable | None:
    rows = database.execute(f"{KEPT_ROWS} WHERE keeper = '' ORDER BY opened DESC").fetchall()
    for row in rows:
        if with_locked or not locks.is_locked(row["id"]):
            # Ignore errors: a damaged table is reported when it is resumed.
            kept = snapshot_in(row)
            playing = kept is not None and kept.game.phase == "playing"
            if is_wanted is not None and (kept is None or not is_wanted(kept)):
                continue
            is_damaged = kept is None and not has_another_form(row)
            if empty or is_damaged or (kept is not None and _is_worth_resuming(kept)):
                return UnfinishedTable(row["id"], playing)
    return None


def _is_worth_resuming(kept: Snapshot) -> bool:
    """Return True if a game is running, or if persons besides the host have seats.

    Other tables are no loss, and must not hide an earlier game.
    """
    persons = [seat for seat in kept.table.seats if seat.bot is None]
    return kept.game.phase == "playing" or len(persons) > 1


class Store:
    """The database, with the tables that this program has open.

    A wing that keeps tables has a subclass.
    """

    keeper: ClassVar[str] = ""
    """The name of the wing whose tables this store keeps; "" for tables of hosts."""

    def __init__(self, database: sqlite3.Connection, path: Path) -> None:
        """Use an open database.

        Raises OSError if the lock file cannot be opened, and sqlite3.Error if the database fails.
        """
        self._path = path
        self._paths = paths_of(path)
        self._tables: WeakValueDictionary[int, KeptTable] = WeakValueDictionary()
        """The last stored state of each table. An entry disappears with the table that refers to
        it.
        """
        self._games: WeakValueDictionary[int, KeptGame] = WeakValueDictionary()
        self._begin(database)

    def _begin(self, database: sqlite3.Connection) -> None:
        """Begin with an open database, for the first time or again."""
        self._database = database
        self._locks = TableLocks(lock_path(self._path))
        self._files = files_at(self._paths)
        self._are_missed = False
        """True after the loss of the files was reported."""
        self._tables.clear()
        self._games.clear()
        self._opened: set[int] = set()
        """The tables that this program has stored."""
        self._day = int(database.execute("SELECT coalesce(max(day), 0) FROM days").fetchone()[0])
        """The latest day on which any table was stored. A clock that is behind it is wrong."""

    @classmethod
    def open(cls, path: Path | None = None) -> Self:
        """Open the database, or create it. Raises StoreError if that fails or a page is damaged."""
        path = path or default_path()
        database = open_database(path)
        try:
            with store_errors():
                return cls(database, path)
        except BaseException:
            database.close()
            raise

    def close(self) -> None:
        """Close the database and unlock its tables; raises StoreError if that fails."""
        with store_errors(), closing(self._locks):
            self._database.close()

    # Reading

    def unfinished(
        self,
        *,
        with_locked: bool = False,
        empty: bool = False,
        is_wanted: Callable[[Snapshot], bool] | None = None,
    ) -> UnfinishedTable | None:
        """Return the table to resume; None if there is none.

        Tables that another program has open are skipped, unless `with_locked`. Tables without a
        game or guests are skipped, unless `empty`. With `is_wanted`, damaged tables are skipped,
        and tables for which it returns False. Raises StoreError if the database cannot be read.
        """
        with store_errors():
            return _unfinished(
                self._database,
                self._locks,
                with_locked=with_locked,
                empty=empty,
                is_wanted=is_wanted,
            )

    def keepers(self) -> set[str]:
        """Return the names of the wings that keep tables in this database.

        Raises StoreError if the database cannot be read.
        """
        with store_errors():
            found = self._database.execute("SELECT DISTINCT keeper FROM tables WHERE keeper != ''")
            return {str(keeper) for (keeper,) in found}

    def load(self, number: int) -> Snapshot:
        """Claim a table for this program, and return its stored state.

        Raises StoreError if another program has the table open, if its rows are missing or damaged,
        or if another version of this program wrote them.
        """
        with store_errors():
            is_locked = self._locks.holds(number)
            self.claim(number)
            try:
                row = self._database.execute(f"{KEPT_ROWS} WHERE id = ?", (number,)).fetchone()
                if row is None or row["game"] is None:
                    raise damaged_table_error("a row is missing")
                kept = snapshot_in(row)
                if kept is None:
                    raise (
                        _of_another_form()
                        if has_another_form(row)
                        else damaged_table_error(_NONSENSE)
                    )
                return kept
            except BaseException:
                if not is_locked:
                    self._locks.give_up(number)
                raise

    def claim(self, number: int) -> None:
        """Lock a table for this program; raises StoreError if another program has it open."""
        with store_errors():
            if not self._locks.take(number):
                raise StoreError(
                    "The table is already open in another program of yours; close it there first."
                )

    # Writing

    def commit(self, newest: Mapping[int, Keep], at: int) -> None:
        """Store all tables and ended games. A table without a snapshot is deleted.

        `at` is the Unix time. Raises StoreError if the database cannot be written, or if another
        program has a new table open. The database is then unchanged.
        """
        self._look_after_files()
        day = max(at // DAY_S, self._day)
        now = {
            number: keep.snapshot for number, keep in newest.items() if keep.snapshot is not None
        }
        tables = {
            number: kept.table
            for number, kept in now.items()
            if day != self._day
            or number not in self._opened
            or self._tables.get(number) is not kept.table
        }
        games = {
            number: kept.game
            for number, kept in now.items()
            if number not in self._opened or self._games.get(number) is not kept.game
        }
        gone = [number for number, keep in newest.items() if keep.snapshot is None]
        new = [number for number in now if number not in self._opened]
        with transaction(self._database):
            for number in new:
                self.claim(number)
            if new:
                # A new table counts as the latest, so delete its row first and insert it again.
                self._forget(new, ("tables",))
            if gone:
                self._forget(gone)
            self._keep(
                _KEEP_TABLES,
                _TABLE_ROW,
                [(n, day, self.keeper, _encode(kept)) for n, kept in tables.items()],
            )
            self._keep(_KEEP_GAMES, "(?, ?)", [(n, _encode(kept)) for n, kept in games.items()])
            for keep in newest.values():
                for game in keep.ended:
                    self.add_ended(game)
            if day != self._day:
                self._database.execute("INSERT OR IGNORE INTO days VALUES (?)", (day,))
        self._day = day
        self._tables.update(tables)
        self._games.update(games)
        self._opened.update(new)
        self._opened.difference_update(gone)

    def add_ended(self, game: EndedGame) -> None:
        """Add an ended game to the history, in the transaction that stores its table."""
        store_played_game(self._database, game)

    def prune(self, before: int) -> int:
        """Delete this keeper's lobbies that never had a game and were last used before a Unix time.

        Returns the number of deleted lobbies. They must also have been unused on the last
        `DAYS_OF_USE` days on which any table was stored. Games and open tables are never deleted.
        Raises StoreError if the database cannot be written, and then deletes nothing.
        """
        with self._locks.briefly() as lock, transaction(self._database):
            found = [
                number
                for number, kept in self._snapshots(
                    "day < ? AND keeper = ?", self._long_before(before), self.keeper
                )
                if kept.game.phase == "lobby" and not kept.game.begun and lock(number)
            ]
            self._forget(found)
        return len(found)

    def abandon(self, before: int) -> int:
        """Move this keeper's games that were last used before a Unix time into the history.

        Returns the number of moved games, and closes their tables for good. The games must also
        have been unused on the last `DAYS_OF_USE` days on which any table was stored. Open and
        damaged tables stay. Raises StoreError if the database cannot be written, and then moves
        nothing.
        """
        abandoned = []
        with self._locks.briefly() as lock, transaction(self._database):
            long_before = self._long_before(before)
            for number, kept in self._snapshots("day < ? AND keeper = ?", long_before, self.keeper):
                if kept.game.phase != "playing" or not lock(number):
                    continue
                try:
                    game = abandoned_game(kept)
                    if game is not None:
                        self.add_ended(game)
                except (StoreError, ValueError) as error:
                    # Do not log the content, since it contains cards.
                    _log.error("a game of the journal makes no sense: %s", error_line(error))
                    continue
                abandoned.append(number)
            self._forget(abandoned)
        return len(abandoned)

    def _look_after_files(self) -> None:
        """Raise UnavailableError once if the database's files are lost, then open it anew.

        Does nothing while the files are in place. Also raises UnavailableError if the database
        cannot be opened anew.
        """
        if files_at(self._paths) == self._files:
            self._are_missed = False
            return
        # SQLite would continue to write to a file that nobody can find.
        gone = UnavailableError(
            "The file of tables and games, {path}, has been moved or deleted while it was in "
            "use: put it back, or a new one will be made.",
            path=str(self._path),
        )
        if not self._are_missed:
            self._are_missed = True
            raise gone
        # A new file at the same path would adopt the old log, so empty the log first. Emptying
        # copies it into the old file, wherever that is now.
        with store_errors(), suppress(sqlite3.ProgrammingError):
            if self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                raise gone
            self._database.close()
            # Release the locks: other programs look for them at the path, where another file is
            # now.
            self._locks.close()
        self._files = []
        try:
            self._begin(open_database(self._path))
        except StoreError as error:
            raise UnavailableError(error.template, **error.values) from None

    def _long_before(self, before: int) -> int:
        """Return the day of a Unix time, or an earlier day of use.

        The result is never later than the tenth-latest day (`DAYS_OF_USE`) on which any table was
        stored. With fewer such days it is 0.
        """
        found = self._database.execute(
            "SELECT day FROM days ORDER BY day DESC LIMIT 1 OFFSET ?", (DAYS_OF_USE - 1,)
        ).fetchone()
        return 0 if found is None else min(before // DAY_S, int(found["day"]))

    def _snapshots(self, where: str, *values: object) -> Iterator[tuple[int, Snapshot]]:
        """Yield the valid tables that a condition selects, with their numbers; log damaged ones."""
        for row in self._database.execute(f"{KEPT_ROWS} WHERE {where}", values).fetchall():
            kept = snapshot_in(row)
            if kept is None:
                _log.error("a table of the journal is damaged and left out")
            else:
                yield row["id"], kept

    def _keep(self, statement: str, row: str, rows: list[tuple[Any, ...]]) -> None:
        for first in range(0, len(rows), ROWS_AT_ONCE):
            some = rows[first : first + ROWS_AT_ONCE]
            self._database.execute(
                statement.format(rows=", ".join([row] * len(some))), list(chain(*some))
            )

    def _forget(self, numbers: Iterable[int], of: Iterable[str] = ("tables", "games")) -> None:
        rows = [(number,) for number in numbers]
        for each in of if rows else ():
            column = "id" if each == "tables" else "table_id"
            self._database.executemany(f"DELETE FROM {each} WHERE {column} = ?", rows)


_NONSENSE: Final = "a row makes no sense"

_UNREADABLE: Final = (DecodeError, TypeError, UnicodeDecodeError)
"""Errors of decoding damaged rows. UnicodeDecodeError comes from text that is no UTF-8."""


def _of_another_form() -> StoreError:
    return StoreError(
        "The table was saved by another version of this program. It is left as it is: open a"
        " new one, or resume it with that version."
    )


def has_another_form(row: sqlite3.Row) -> bool:
    """Return True if a row has fields that only another version of this program knows.

    Returns False for a row that this version can read, and for a damaged row.
    """
    try:
        _decode_table(row["kept"])
        _decode_game(row["game"])
    except ValidationError as error:
        return "unknown field" in str(error)
    except _UNREADABLE:
        return False
    return False


def snapshot_in(row: sqlite3.Row) -> Snapshot | None:
    """Return the table of a row.

    Returns None if the row is damaged, or if another version of this program wrote it.
    """
    with suppress(*_UNREADABLE):
        return Snapshot(_decode_table(row["kept"]), _decode_game(row["game"]))
    return None
