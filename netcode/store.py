"""The journal on disk: what is needed to bring a table back after its host has stopped.

One SQLite database in the user's data folder, for all tables of all programs of this user. What has
been committed survives the end of the program and of the machine (WAL, `synchronous=FULL`).
Blocks while it reads or writes, so `journal.py` calls it from a thread of its own. It does not
know what a game is: whether what it reads makes one is found out by `keeping.py`.
"""

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self, assert_never

from platformdirs import user_data_path

from engine.words import N_
from netcode.claims import Claims
from netcode.keeping import (
    Ended,
    Entry,
    Kept,
    KeptAct,
    KeptGame,
    KeptTable,
    Opened,
    StoreError,
    UnavailableError,
)
from netcode.rows import ClubTable, damaged, read_club_tables, read_table
from netcode.schema import migrate, transaction

FILE: Final = "tables.db"

BUSY_TIMEOUT_S: Final = 5.0
"""How long to wait for another program that writes: each of its commits takes milliseconds."""

CHECKPOINT_PAGES: Final = 4000
"""How long the write-ahead log grows before it goes into the database: 16 MB. What a hundred
tables write goes to the same pages again and again, so a longer log means less to copy in all."""

_OF_THE_MACHINE: Final = frozenset(
    {
        sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_PROTOCOL,
    }
)
"""Errors that say nothing of what is in the database, besides those that have a sentence."""

_PRIMARY_CODE: Final = 0xFF
"""The part of SQLite's error codes that says which kind it is."""

_OF_CONTENT: Final = " value in "
"""In what `quick_check` says of a value that is wrong for its column; all else is about pages."""

_UNFINISHED: Final = """
    SELECT id, phase FROM tables WHERE NOT ended AND NOT club AND (
        phase <> 'lobby'
        OR (SELECT count(*) FROM seats WHERE table_id = id AND bot IS NULL) > 1
    ) ORDER BY opened DESC"""
# A lobby in which the host sat alone is no loss, and must not hide a game from before it.

_OPEN: Final = """
    INSERT INTO tables (id, secret, code, bind, port, public, plain, unix, club, opened)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, (SELECT coalesce(max(opened), 0) + 1 FROM tables))
    ON CONFLICT (id) DO UPDATE SET secret = excluded.secret, code = excluded.code,
        bind = excluded.bind, port = excluded.port, public = excluded.public,
        plain = excluded.plain, unix = excluded.unix, club = excluded.club,
        opened = excluded.opened, ended = 0"""

LOBBIES_KEPT_S: Final = 30 * 24 * 3600
"""Untouched, before they are forgotten: a game that was put off by some weeks still finds its
table."""

_NEVER_PLAYED: Final = """
    SELECT id FROM tables WHERE phase = 'lobby' AND coalesce(touched, 0) < ?
        AND NOT EXISTS (SELECT 1 FROM games WHERE table_id = id)"""

_SEATS_OF_ENDED: Final = """
    DELETE FROM seats WHERE table_id IN (
        SELECT id FROM tables WHERE ended AND coalesce(touched, 0) < ?
    )"""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The latest table of this user that was not closed for good."""

    table: int
    playing: bool
    """Whether it stopped in the middle of a game."""


def default_path() -> Path:
    """Return where the journal of this user is."""
    return user_data_path("driflamme", appauthor=False) / FILE


class Store:
    """The database, and which of its tables this program has open."""

    def __init__(self, database: sqlite3.Connection, held: Claims) -> None:
        self._database = database
        self._claims = held
        self._touched: dict[int, int] = {}
        """What each table has for the time of its last commit, as far as we have written it."""

    @classmethod
    def open(cls, path: Path | None = None) -> Self:
        """Open the database, making it if there is none; raises StoreError.

        A file whose pages are damaged is not opened, so that nothing makes it worse.
        """
        path = path or default_path()
        with _explained():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Made before SQLite would, and readable by nobody else: all cards are in it. What
            # SQLite puts beside it has the same permissions.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            database = sqlite3.connect(
                path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
            )
            try:
                _prepare(database)
                return cls(database, Claims(path.with_suffix(".lock")))
            except BaseException:
                database.close()
                raise

    def close(self) -> None:
        """Close the database, and let other programs have the tables; raises StoreError."""
        with _explained():
            try:
                self._database.close()
            finally:
                self._claims.close()

    # What is there

    def unfinished(self) -> Unfinished | None:
        """Return the table to resume, if there is one that nobody has open; raises StoreError."""
        with _explained():
            for number, phase in self._database.execute(_UNFINISHED).fetchall():
                if not self._claims.is_held(number):
                    return Unfinished(number, playing=phase == "playing")
        return None

    def club_tables(self) -> list[ClubTable]:
        """Return the club's tables that were not closed for good, the latest last.

        One that makes no sense is left out. Raises StoreError.
        """
        with _explained():
            return read_club_tables(self._database)

    def club_secret(self, fresh: bytes) -> bytes:
        """Return the secret of this user's club, which is `fresh` the first time.

        Raises StoreError.
        """
        with _explained(), transaction(self._database):
            self._database.execute("INSERT OR IGNORE INTO club VALUES (1, ?)", (fresh,))
            (secret,) = self._database.execute("SELECT secret FROM club").fetchone()
        return bytes(secret)

    def load(self, number: int) -> Kept:
        """Return what was kept of a table, which is this program's from now on.

        Raises StoreError, also if another program has it open, and if it was kept under other
        rules.
        """
        with _explained():
            held = self._claims.holds(number)
            self._claim(number)
            try:
                return read_table(self._database, number)
            except BaseException:
                if not held:
                    self._claims.give_up(number)
                raise

    def claim(self, number: int) -> None:
        """Have a table be this program's; raises StoreError if it is another's."""
        with _explained():
            self._claim(number)

    def release(self, number: int) -> None:
        """Let other programs have a table; raises StoreError."""
        self._touched.pop(number, None)
        with _explained():
            self._claims.give_up(number)

    # What is kept

    def commit(self, entries: Sequence[tuple[int, Entry]], at: int) -> None:
        """Keep all of the entries or none, for good; raises StoreError.

        Args:
            entries: Each with the number of its table; those of one table in their order.
            at: The time, in Unix seconds.
        """
        stale = [
            number
            for number in dict.fromkeys(number for number, _ in entries)
            if self._touched.get(number) != at
        ]
        acts = []
        with _explained(), transaction(self._database):
            for number, entry in entries:
                match entry:
                    case KeptAct():
                        acts.append(
                            (number, entry.game, entry.step, entry.seat, entry.number, entry.token)
                        )
                    case Opened():
                        self._open_table(number, entry)
                    case KeptTable():
                        self._keep_table(number, entry, at)
                    case KeptGame():
                        self._keep_game(number, entry, at)
                    case Ended():
                        self._database.execute(
                            "UPDATE tables SET ended = 1 WHERE id = ?", (number,)
                        )
                    case _:
                        assert_never(entry)
            self._database.executemany("INSERT INTO actions VALUES (?, ?, ?, ?, ?, ?)", acts)
            found = self._database.executemany(
                "UPDATE tables SET touched = ? WHERE id = ?", [(at, number) for number in stale]
            )
            if stale and found.rowcount != len(stale):
                raise ValueError("a table is opened before anything of it is kept")
        self._touched.update(dict.fromkeys(stale, at))

    def prune(self, before: int) -> int:
        """Forget lobbies that never had a game and that nobody has touched since a time.

        Of tables that were closed for good it forgets who had which seat when they were; who played
        which game stays. Games are never forgotten, nor is a table that a program has open.

        Args:
            before: In Unix seconds.

        Returns:
            How many lobbies were forgotten.

        Raises:
            StoreError: Nothing was forgotten.
        """
        claimed = []
        with _explained():
            try:
                with transaction(self._database):
                    for (number,) in self._database.execute(_NEVER_PLAYED, (before,)).fetchall():
                        if not self._claims.holds(number) and self._claims.take(number):
                            claimed.append(number)
                    rows = [(number,) for number in claimed]
                    self._database.executemany("DELETE FROM seats WHERE table_id = ?", rows)
                    self._database.executemany("DELETE FROM tables WHERE id = ?", rows)
                    self._database.execute(_SEATS_OF_ENDED, (before,))
            finally:
                for number in claimed:
                    self._claims.give_up(number)
        return len(claimed)

    def _claim(self, number: int) -> None:
        if not self._claims.take(number):
            raise StoreError(
                N_("The table is already open in another program of yours; close it there first.")
            )

    def _open_table(self, number: int, opened: Opened) -> None:
        self._claim(number)
        self._database.execute(
            _OPEN,
            (
                number,
                opened.secret,
                opened.code,
                opened.bind,
                opened.port,
                opened.public,
                opened.plain,
                opened.unix,
                opened.club,
            ),
        )

    def _keep_game(self, number: int, game: KeptGame, at: int) -> None:
        self._database.execute(
            "INSERT INTO games (table_id, number, revision, record, began) VALUES (?, ?, ?, ?, ?)",
            (number, game.number, game.revision, game.record.to_json(), at),
        )
        # Seats change hands after a game, so who played it is kept with it.
        self._database.execute(
            "INSERT INTO players SELECT table_id, ?, place, family, name, bot"
            " FROM seats WHERE table_id = ?",
            (game.number, number),
        )

    def _keep_table(self, number: int, kept: KeptTable, at: int) -> None:
        self._database.execute(
            "UPDATE tables SET settings = ?, phase = ?, paused = ?, muted = ?, owner = ?,"
            " games = ?, revision = ? WHERE id = ?",
            (
                kept.settings.model_dump_json(),
                kept.phase,
                kept.paused,
                json.dumps(kept.muted),
                kept.owner,
                kept.games,
                kept.revision,
                number,
            ),
        )
        self._database.execute("DELETE FROM seats WHERE table_id = ?", (number,))
        self._database.executemany(
            "INSERT INTO seats (table_id, place, family, name, bot, key_hash, previous_key_hash,"
            " host, gone, absence, acted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    number,
                    place,
                    seat.family + (seat.second or ""),
                    seat.name,
                    seat.bot,
                    *(seat.keys or (None, None)),
                    seat.host,
                    seat.left,
                    seat.absence,
                    seat.acted,
                )
                for place, seat in enumerate(kept.seats)
            ],
        )
        if kept.phase != "playing":
            self._database.execute(
                "UPDATE games SET ended = ?, outcome = ?"
                " WHERE table_id = ? AND number = ? AND outcome IS NULL",
                (
                    at,
                    "finished" if kept.phase == "result" else "abandoned",
                    number,
                    kept.games,
                ),
            )


def _prepare(database: sqlite3.Connection) -> None:
    """Make a connection ready; raises StoreError."""
    database.row_factory = sqlite3.Row
    # What is no text is found by whoever needs the row, and does not keep others from theirs.
    database.text_factory = lambda content: content.decode("utf-8", "surrogateescape")
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.execute("PRAGMA foreign_keys = OFF")
    database.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    # Constraints are about rows, which are checked when they are read; here it is about pages.
    database.execute("PRAGMA ignore_check_constraints = 1")
    for (said,) in database.execute("PRAGMA quick_check").fetchall():
        if said != "ok" and _OF_CONTENT not in said:
            raise damaged(said.splitlines()[-1])
    database.execute("PRAGMA ignore_check_constraints = 0")
    migrate(database)


@contextmanager
def _explained() -> Iterator[None]:
    """Turn what SQLite and the system complain about into a StoreError."""
    try:
        yield
    except sqlite3.Error as error:
        raise _why(error) from error
    except UnicodeDecodeError as error:
        raise damaged(error.reason) from error
    except OSError as error:
        raise _unusable(error.strerror or str(error)) from error


def _why(error: sqlite3.Error) -> StoreError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CANTOPEN) & _PRIMARY_CODE
    match code:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return UnavailableError(
                N_("The journal of tables is in use by another program, which does not let go.")
            )
        case sqlite3.SQLITE_FULL:
            return UnavailableError(N_("There is no room on the disk for the journal of tables."))
        case sqlite3.SQLITE_READONLY:
            return UnavailableError(N_("The journal of tables is read-only."))
        case _ if code in _OF_THE_MACHINE:
            return _unusable(str(error))
    return damaged(str(error))


def _unusable(why: str) -> UnavailableError:
    return UnavailableError(N_("The journal of tables cannot be used: {why}."), why=why)
