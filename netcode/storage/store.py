"""The journal on disk: what is needed to bring a table back after its host has stopped.

One SQLite database for all tables of all programs of this user. What has been committed survives
the end of the program and of the machine. Blocks while it reads or writes, so `commit_then_send.py`
calls it from a thread of its own.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from itertools import chain, zip_longest
from pathlib import Path
from typing import Final, Self

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from engine.words import N_
from netcode.protocol.fields import MAXIMUM_LINES
from netcode.storage.database import default_path, files_of, open_database, open_reading
from netcode.storage.history_rows import LISTED, read_all_listed, store_own_game
from netcode.storage.journal_to_history import forget_past_games, move_game
from netcode.storage.schema import transaction
from netcode.storage.sqlite_errors import explained
from netcode.storage.table_locks import TableLocks
from netcode.storage.table_rows import ClubTable, read_club_tables, read_table
from netcode.table.errors import StoreError, UnavailableError
from netcode.table.finished_game import PastGame
from netcode.table.journal_entries import (
    Ended,
    Entry,
    Invited,
    KeptAct,
    KeptEnd,
    KeptGame,
    KeptLine,
    KeptParcel,
    KeptTable,
    Opened,
    Snapshot,
)

_IN_JSON: Final = ("settings", "muted", "evening", "sealings")
"""The columns of a table that are in JSON."""

_FORGET_TALK: Final = "DELETE FROM talk WHERE table_id = ?"

_UNFINISHED: Final = """
    SELECT id, phase FROM tables WHERE typeof(id) = 'integer' AND NOT ended AND NOT club AND (
        phase <> 'lobby'
        OR (SELECT count(*) FROM seats WHERE table_id = id AND bot IS NULL) > 1
    ) ORDER BY opened DESC"""
# A lobby in which the host sat alone is no loss, and must not hide a game from before it.

_OPEN: Final = """
    INSERT INTO tables (id, secret, code, bind, port, public, plain, unix, club, former, opened)
    VALUES (:id, :secret, :code, :bind, :port, :public, :plain, :unix, :club, :former,
        (SELECT coalesce(max(opened), 0) + 1 FROM tables))
    ON CONFLICT (id) DO UPDATE SET secret = excluded.secret, code = excluded.code,
        bind = excluded.bind, port = excluded.port, public = excluded.public,
        plain = excluded.plain, unix = excluded.unix, club = excluded.club,
        former = excluded.former, opened = excluded.opened, ended = 0"""

LOBBIES_KEPT_S: Final = 30 * 24 * 3600
"""Seconds for which an untouched lobby is kept: a game may be put off by weeks."""

DAYS_OF_USE: Final = 10
"""Days on which any table was kept that must have passed besides: a clock that is wrong by months
is one day more, and no proof of an absence."""

_DAYS_BEFORE: Final = """
    SELECT DISTINCT touched / 86400 AS day FROM tables WHERE typeof(touched) = 'integer'
        ORDER BY day DESC LIMIT 1 OFFSET ?"""

_NEVER_PLAYED: Final = """
    SELECT id FROM tables WHERE phase = 'lobby' AND coalesce(touched, 0) < ? AND games = 0"""

GAMES_KEPT_S: Final = 90 * 24 * 3600
"""Seconds after which a game that was cut short counts as abandoned."""

_CUT_SHORT: Final = """
    SELECT id, games FROM tables
        WHERE phase = 'playing' AND NOT ended AND club = ? AND touched < ?"""
# Of tables from version 1 nobody knows when they were touched, until somebody comes back to them.

ROWS_AT_ONCE: Final = 32
"""How many acts or parcels one statement keeps at most: so few that those of all lengths stay
prepared."""

GAMES_AT_ONCE: Final = 200
"""How many of the club's games are read at once, which takes as long as some commits."""

_SEATS_OF_ENDED: Final = """
    DELETE FROM seats WHERE table_id IN (
        SELECT id FROM tables WHERE ended AND coalesce(touched, 0) < ?
    )"""


class UnfinishedTable(Struct, frozen=True):
    """The latest table of this user that was not closed for good."""

    table: int
    playing: bool
    """Whether it stopped in the middle of a game."""


def unfinished_table(path: Path | None = None) -> UnfinishedTable | None:
    """Return the table that could be resumed, as far as that can be seen without writing."""
    path = path or default_path()
    if path.exists():
        with suppress(sqlite3.Error, OSError), closing(open_reading(path)) as database:
            locks = TableLocks(path.with_suffix(".lock"))
            with closing(locks):
                return _unfinished(database, locks, held=False)
    return None


def _unfinished(
    database: sqlite3.Connection, locks: TableLocks, *, held: bool
) -> UnfinishedTable | None:
    for number, phase in database.execute(_UNFINISHED).fetchall():
        if held or not locks.is_held(number):
            return UnfinishedTable(number, playing=phase == "playing")
    return None


class Store:
    """The database, and which of its tables this program has open."""

    def __init__(self, database: sqlite3.Connection, held: TableLocks, path: Path) -> None:
        self._database = database
        self._path = path
        self._locks = held
        self._touched: dict[int, int] = {}
        """What each table has for the time of its last commit, as far as we have written it."""
        self._latest: int = database.execute(
            "SELECT coalesce(max(touched), 0) FROM tables WHERE typeof(touched) = 'integer'"
        ).fetchone()[0]
        """Of all those times as the database was opened; a clock that is behind it is wrong."""
        self._files = files_of(path)

    @classmethod
    def open(cls, path: Path | None = None) -> Self:
        """Open the database, making it if there is none; raises StoreError, also for bad pages."""
        path = path or default_path()
        database = open_database(path)
        try:
            with explained():
                return cls(database, TableLocks(path.with_suffix(".lock")), path)
        except BaseException:
            database.close()
            raise

    def close(self) -> None:
        """Close the database; raises StoreError."""
        with explained(), closing(self._locks):
            self._database.close()

    # What is there

    def unfinished(self, *, held: bool = False) -> UnfinishedTable | None:
        """Return the table to resume, if there is one; raises StoreError.

        It is one that nobody has open, unless those that are `held` count too.
        """
        with explained():
            return _unfinished(self._database, self._locks, held=held)

    def club_tables(self) -> list[ClubTable]:
        """Return the club's tables that can be woken, the latest last; raises StoreError."""
        with explained():
            return read_club_tables(self._database)

    def club_games(self, after: int) -> list[PastGame]:
        """Return the club's next games in the history, a part of them; raises StoreError."""
        with explained():
            rows = self._database.execute(
                f"SELECT {LISTED} FROM history WHERE club AND id > ? ORDER BY id LIMIT ?",
                (after, GAMES_AT_ONCE),
            )
            return read_all_listed(rows)

    def club_secret(self, fresh: bytes) -> bytes:
        """Return the secret of this user's club, `fresh` the first time; raises StoreError."""
        with explained(), transaction(self._database):
            self._database.execute("INSERT OR IGNORE INTO club VALUES (1, ?)", (fresh,))
            (secret,) = self._database.execute("SELECT secret FROM club").fetchone()
        return bytes(secret)

    def load(self, number: int) -> Snapshot:
        """Return what was kept of a table, which is this program's now; raises StoreError."""
        with explained():
            held = self._locks.holds(number)
            self.claim(number)
            try:
                return read_table(self._database, number)
            except BaseException:
                if not held:
                    self._locks.give_up(number)
                raise

    def claim(self, number: int) -> None:
        """Lock a table for this program; raises StoreError if another has it."""
        with explained():
            if not self._locks.take(number):
                raise _open_elsewhere()

    # What is kept

    def commit(self, entries: Sequence[tuple[int, Entry]], at: int) -> None:
        """Keep all entries, with their tables, or none, at a Unix time; raises StoreError."""
        if files_of(self._path) != self._files:
            # SQLite would go on writing to what nobody finds again.
            raise UnavailableError(
                N_(
                    "The file of tables and games, {path}, has been moved or deleted while it"
                    " was in use."
                ),
                path=str(self._path),
            )
        touched = max(at, self._latest)
        stale = [
            number
            for number in dict.fromkeys(number for number, _ in entries)
            if self._touched.get(number) != touched
        ]
        rows: dict[str, list[tuple[object, ...]]] = {"actions": [], "parcels": []}
        with explained(), transaction(self._database):
            for number, entry in entries:
                if isinstance(entry, KeptAct):
                    rows["actions"].append(
                        (number, entry.game, entry.step, entry.seat, entry.number, entry.token)
                    )
                elif isinstance(entry, KeptParcel):
                    rows["parcels"].append(
                        (number, entry.game, entry.place, entry.body, entry.signature)
                    )
                else:
                    # It may take what is over out of the journal.
                    self._keep_rows(rows)
                    self._keep(number, entry, at)
            self._keep_rows(rows)
            found = self._database.executemany(
                "UPDATE tables SET touched = ? WHERE id = ?",
                [(touched, number) for number in stale],
            )
            if stale and found.rowcount != len(stale):
                raise ValueError("a table is opened before anything of it is kept")
        self._touched.update(dict.fromkeys(stale, touched))

    def prune(self, before: int) -> int:
        """Forget lobbies that never had a game and were not touched since a time; return how many.

        Nor on the last `DAYS_OF_USE` days on which any table was kept, whatever the clock says. Of
        tables that were closed for good it forgets who had which seat when they were. Games are
        never forgotten, nor is a table that a program has open. Raises StoreError, and has then
        forgotten nothing.
        """
        with explained(), self._locks.briefly() as lock, transaction(self._database):
            before = self._long_before(before)
            found = self._database.execute(_NEVER_PLAYED, (before,)).fetchall()
            rows = [(number,) for (number,) in found if lock(number)]
            self._database.executemany("DELETE FROM seats WHERE table_id = ?", rows)
            self._database.executemany(_FORGET_TALK, rows)
            self._database.executemany("DELETE FROM tables WHERE id = ?", rows)
            self._database.execute(_SEATS_OF_ENDED, (before,))
        return len(rows)

    def abandon(self, before: int, *, club: bool) -> int:
        """Move games into the history that were cut short and untouched since; return how many.

        Nor on the last `DAYS_OF_USE` days on which any table was kept, whatever the clock says.
        Their tables, the club's or all others, are closed for good. One that a program has open is
        left alone, as is one whose rows make no sense. Raises StoreError, and has then moved none.
        """
        abandoned = 0
        with explained(), self._locks.briefly() as lock, transaction(self._database):
            rows = self._database.execute(_CUT_SHORT, (club, self._long_before(before))).fetchall()
            for number, game in rows:
                if lock(number) and move_game(self._database, number, game):
                    self._database.execute(
                        "UPDATE tables SET ended = 1, phase = 'lobby' WHERE id = ?", (number,)
                    )
                    self._database.execute(_FORGET_TALK, (number,))
                    forget_past_games(self._database, number)
                    abandoned += 1
        return abandoned

    def _long_before(self, before: int) -> int:
        """Return a time, or the last before so many days of use, whichever is earlier."""
        found = self._database.execute(_DAYS_BEFORE, (DAYS_OF_USE - 1,)).fetchone()
        return 0 if found is None else min(before, found["day"] * 86400)

    def _keep_rows(self, rows: Mapping[str, list[tuple[object, ...]]]) -> None:
        """Keep acts, and parcels, in as few statements as can be.

        With each, the journal's thread lets the others go on, and waits for its turn after that.
        """
        for table, waiting in rows.items():
            while waiting:
                some, waiting[:] = waiting[:ROWS_AT_ONCE], waiting[ROWS_AT_ONCE:]
                row = f"({', '.join('?' * len(some[0]))})"
                values = ", ".join([row] * len(some))
                self._database.execute(f"INSERT INTO {table} VALUES {values}", list(chain(*some)))

    def _keep(self, number: int, entry: Entry, at: int) -> None:
        """Keep anything but an act and a parcel."""
        match entry:
            case Opened():
                self.claim(number)
                values = {**asdict(entry), "id": number, "former": _hex(entry.former)}
                self._database.execute(_OPEN, values)
            case Invited():
                self._database.execute(
                    "UPDATE tables SET secret = ?, code = ?, former = ? WHERE id = ?",
                    (entry.secret, entry.code, _hex(entry.former), number),
                )
            case KeptTable():
                self._keep_table(number, entry)
                if entry.phase != "result":
                    forget_past_games(self._database, number)
            case KeptGame():
                self._keep_game(number, entry, at)
            case KeptEnd():
                self._keep_end(number, entry, at)
            case Ended():
                self._database.execute("UPDATE tables SET ended = 1 WHERE id = ?", (number,))
                self._database.execute(_FORGET_TALK, (number,))
                forget_past_games(self._database, number)
            case KeptLine():
                self._database.execute(
                    "INSERT OR REPLACE INTO talk VALUES (?, ?, ?, ?)",
                    (number, entry.number % MAXIMUM_LINES, entry.number, _json(entry.line)),
                )

    def _keep_game(self, number: int, game: KeptGame, at: int) -> None:
        # Who plays stands in a table of its own, as it did before records had a place for it.
        record = "" if game.record is None else replace(game.record, players=()).to_json()
        self._database.execute(
            "INSERT INTO games (table_id, number, revision, record, began) VALUES (?, ?, ?, ?, ?)",
            (number, game.number, game.revision, record, at),
        )
        # Seats change hands after a game, so who played it is kept with it.
        self._database.executemany(
            "INSERT INTO players VALUES (?, ?, ?, ?, ?, ?)",
            [
                (number, game.number, place, player.family, player.name, player.bot)
                for place, player in enumerate(game.record.players if game.record else ())
            ],
        )

    def _keep_end(self, number: int, end: KeptEnd, at: int) -> None:
        found = self._database.execute(
            "SELECT began, club FROM games JOIN tables ON id = table_id"
            " WHERE table_id = ? AND number = ?",
            (number, end.game),
        ).fetchone()
        began, club = (None, False) if found is None else found
        record = end.record
        if record.seal is None:
            record = replace(record, began=began, ended=at)
        store_own_game(self._database, record, end.ending, end.own, ended=at, club=bool(club))
        self._database.execute(
            "UPDATE games SET ended = ?, outcome = ?, past = 1 WHERE table_id = ? AND number = ?",
            (at, end.ending.outcome, number, end.game),
        )

    def _keep_table(self, number: int, kept: KeptTable) -> None:
        in_json = {name: _json(getattr(kept, name)) for name in _IN_JSON}
        self._database.execute(
            "UPDATE tables SET settings = :settings, phase = :phase, paused = :paused,"
            " muted = :muted, owner = :owner, games = :games, revision = :revision,"
            " silenced = :silenced, evening = :evening, sealings = :sealings WHERE id = :id",
            {**asdict(kept), **in_json, "id": number},
        )
        if kept.silent:
            self._database.execute(_FORGET_TALK, (number,))
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
                    acted or 0,
                )
                for place, (seat, acted) in enumerate(zip_longest(kept.seats, kept.acted))
            ],
        )


def _open_elsewhere() -> StoreError:
    return StoreError(
        N_("The table is already open in another program of yours; close it there first.")
    )


def _json(kept: object) -> str:
    return msgspec.json.encode(kept).decode()


def _hex(former: tuple[bytes, ...]) -> str:
    return _json([secret.hex() for secret in former])
