"""The journal on disk: what is needed to bring a table back after its host has stopped.

One SQLite database in the user's data folder, for all tables of this machine. What has been
committed survives the end of the program and of the machine (WAL, `synchronous=FULL`). Blocks
while it writes, so `journal.py` calls it from a thread of its own. It does not know what a game
is: whether what it reads makes one is found out by `keeping.py`.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self, assert_never

from platformdirs import user_data_path
from pydantic import TypeAdapter, ValidationError

from engine.record import Record, RecordError
from engine.words import N_
from netcode.keeping import (
    Ended,
    Entry,
    Kept,
    KeptAct,
    KeptGame,
    KeptSeat,
    KeptTable,
    Opened,
    Phase,
    StoreError,
    damaged_seats,
)
from netcode.messages import SeatInfo, TableSettings

FILE: Final = "tables.db"

BUSY_TIMEOUT_S: Final = 5.0
"""How long to wait for another program that writes: each of its commits takes milliseconds."""

MIGRATIONS: Final[tuple[tuple[str, ...], ...]] = (
    (
        # The checks are for reading, where `quick_check` finds by them what a disk has spoilt.
        """CREATE TABLE tables (
            id INTEGER PRIMARY KEY,
            opened INTEGER NOT NULL CHECK (typeof(opened) = 'integer'),
            bind TEXT CHECK (typeof(bind) IN ('text', 'null')),
            port INTEGER NOT NULL CHECK (typeof(port) = 'integer' AND port BETWEEN 1 AND 65535),
            ended INTEGER NOT NULL DEFAULT 0 CHECK (ended IN (0, 1)),
            settings TEXT NOT NULL DEFAULT '{}' CHECK (typeof(settings) = 'text'),
            phase TEXT NOT NULL DEFAULT 'lobby' CHECK (phase IN ('lobby', 'playing', 'result')),
            owner BLOB CHECK (owner IS NULL OR typeof(owner) = 'blob' AND length(owner) = 32),
            games INTEGER NOT NULL DEFAULT 0 CHECK (typeof(games) = 'integer' AND games >= 0),
            revision INTEGER NOT NULL DEFAULT 0
                CHECK (typeof(revision) = 'integer' AND revision BETWEEN 0 AND 2147483647)
        )""",
        """CREATE TABLE seats (
            table_id INTEGER NOT NULL REFERENCES tables,
            place INTEGER NOT NULL,
            family TEXT NOT NULL CHECK (typeof(family) = 'text'),
            name TEXT NOT NULL CHECK (typeof(name) = 'text'),
            bot TEXT CHECK (typeof(bot) IN ('text', 'null')),
            key_hash BLOB
                CHECK (key_hash IS NULL OR typeof(key_hash) = 'blob' AND length(key_hash) = 32),
            previous_key_hash BLOB CHECK (
                (previous_key_hash IS NULL) = (key_hash IS NULL)
                AND (key_hash IS NULL
                     OR typeof(previous_key_hash) = 'blob' AND length(previous_key_hash) = 32)
            ),
            host INTEGER NOT NULL CHECK (host IN (0, 1)),
            gone INTEGER NOT NULL CHECK (gone IN (0, 1)),
            acted INTEGER NOT NULL
                CHECK (typeof(acted) = 'integer' AND acted BETWEEN 0 AND 2147483647),
            PRIMARY KEY (table_id, place)
        ) WITHOUT ROWID""",
        """CREATE TABLE games (
            table_id INTEGER NOT NULL REFERENCES tables,
            number INTEGER NOT NULL CHECK (typeof(number) = 'integer' AND number > 0),
            revision INTEGER NOT NULL
                CHECK (typeof(revision) = 'integer' AND revision BETWEEN 0 AND 2147483647),
            record TEXT NOT NULL CHECK (typeof(record) = 'text'),
            PRIMARY KEY (table_id, number)
        ) WITHOUT ROWID""",
        """CREATE TABLE actions (
            table_id INTEGER NOT NULL REFERENCES tables,
            game INTEGER NOT NULL,
            step INTEGER NOT NULL CHECK (typeof(step) = 'integer' AND step > 0),
            seat INTEGER NOT NULL CHECK (typeof(seat) = 'integer' AND seat BETWEEN 0 AND 4),
            number INTEGER CHECK (
                number IS NULL OR typeof(number) = 'integer' AND number BETWEEN 1 AND 2147483647
            ),
            token TEXT NOT NULL CHECK (typeof(token) = 'text'),
            PRIMARY KEY (table_id, game, step)
        ) WITHOUT ROWID""",
    ),
)
"""What makes each version of the database from the one before; `PRAGMA user_version` counts."""

_UNFINISHED: Final = """
    SELECT id FROM tables WHERE NOT ended AND (
        phase <> 'lobby'
        OR (SELECT count(*) FROM seats WHERE table_id = id AND bot IS NULL) > 1
    ) ORDER BY opened DESC LIMIT 1"""
# A lobby in which the host sat alone is no loss, and must not hide a game from before it.

_PHASE: Final[TypeAdapter[Phase]] = TypeAdapter(Phase)


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The latest table of this machine that was not closed for good."""

    table: int
    playing: bool
    """Whether it stopped in the middle of a game."""


def default_path() -> Path:
    """Return where the journal of this user is."""
    return user_data_path("driflamme", appauthor=False) / FILE


class Store:
    """The database, and in it the table of this program once one has been opened."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._table: int | None = None

    @classmethod
    def open(cls, path: Path | None = None) -> Self:
        """Open the database, making it if there is none; raises StoreError."""
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
                database.execute("PRAGMA journal_mode = WAL")
                database.execute("PRAGMA synchronous = FULL")
                _migrate(database)
            except BaseException:
                database.close()
                raise
        return cls(database)

    def close(self) -> None:
        """Close the database."""
        with _explained():
            self._database.close()

    def unfinished(self) -> Unfinished | None:
        """Return the table that `load` would bring back, if there is one; raises StoreError."""
        with _explained():
            row = self._database.execute(_UNFINISHED).fetchone()
            if row is None:
                return None
            (phase,) = self._row("SELECT phase FROM tables WHERE id = ?", row[0])
        return Unfinished(row[0], playing=phase == "playing")

    def load(self, table: int) -> Kept:
        """Return what was kept of a table, which is this program's from now on.

        Raises StoreError, also if it was kept under other rules.
        """
        with _explained():
            (state,) = self._database.execute("PRAGMA quick_check(1)").fetchone()
            if state != "ok":
                raise _damaged(str(state))
            bind, port, settings, phase, owner, games, revision = self._row(
                "SELECT bind, port, settings, phase, owner, games, revision"
                " FROM tables WHERE id = ?",
                table,
            )
            seats = self._database.execute(
                "SELECT family, name, bot, key_hash, previous_key_hash, host, gone, acted"
                " FROM seats WHERE table_id = ? ORDER BY place",
                (table,),
            ).fetchall()
            try:
                kept = KeptTable(
                    settings=TableSettings.model_validate_json(settings),
                    phase=_PHASE.validate_python(phase),
                    seats=tuple(_read_seat(*seat) for seat in seats),
                    paused=False,
                    owner=owner,
                    games=games,
                    revision=revision,
                )
            except ValidationError:
                raise damaged_seats() from None
            game, acts = None, []
            if kept.phase != "lobby":
                game = self._read_game(table, games)
                acts = self._database.execute(
                    "SELECT game, step, seat, number, token FROM actions"
                    " WHERE table_id = ? AND game = ? ORDER BY step",
                    (table, games),
                ).fetchall()
        self._table = table
        return Kept(
            Opened(bytes(12), "00000000", bind, port),
            kept,
            game,
            tuple(KeptAct(*act) for act in acts),
        )

    def commit(self, entries: Sequence[Entry]) -> None:
        """Keep all of the entries or none, for good; raises StoreError."""
        table = self._table
        with _explained(), _transaction(self._database):
            for entry in entries:
                if isinstance(entry, Opened):
                    table = self._open_table(table, entry)
                elif table is None:
                    raise ValueError("a table is opened before anything of it is kept")
                else:
                    self._keep(table, entry)
        self._table = table

    def _open_table(self, table: int | None, opened: Opened) -> int:
        fields = opened.bind, opened.port
        latest = "(SELECT coalesce(max(opened), 0) + 1 FROM tables)"
        if table is not None:
            self._database.execute(
                f"UPDATE tables SET opened = {latest}, bind = ?, port = ? WHERE id = ?",
                (*fields, table),
            )
            return table
        inserted = self._database.execute(
            f"INSERT INTO tables (opened, bind, port) VALUES ({latest}, ?, ?)", fields
        )
        table = inserted.lastrowid
        assert table is not None
        return table

    def _keep(self, table: int, entry: KeptTable | KeptGame | KeptAct | Ended) -> None:
        execute = self._database.execute
        match entry:
            case KeptAct():
                execute(
                    "INSERT INTO actions VALUES (?, ?, ?, ?, ?, ?)",
                    (table, entry.game, entry.step, entry.seat, entry.number, entry.token),
                )
            case KeptTable():
                self._keep_table(table, entry)
            case KeptGame():
                execute(
                    "INSERT INTO games VALUES (?, ?, ?, ?)",
                    (table, entry.number, entry.revision, entry.record.to_json()),
                )
            case Ended():
                execute("UPDATE tables SET ended = 1 WHERE id = ?", (table,))
            case _:
                assert_never(entry)

    def _keep_table(self, table: int, kept: KeptTable) -> None:
        self._database.execute(
            "UPDATE tables SET settings = ?, phase = ?, owner = ?, games = ?, revision = ?"
            " WHERE id = ?",
            (
                kept.settings.model_dump_json(),
                kept.phase,
                kept.owner,
                kept.games,
                kept.revision,
                table,
            ),
        )
        self._database.execute("DELETE FROM seats WHERE table_id = ?", (table,))
        self._database.executemany(
            "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    table,
                    place,
                    seat.family,
                    seat.name,
                    seat.bot,
                    *(seat.keys or (None, None)),
                    seat.host,
                    seat.left,
                    seat.acted,
                )
                for place, seat in enumerate(kept.seats)
            ],
        )

    def _read_game(self, table: int, number: int) -> KeptGame:
        revision, record = self._row(
            "SELECT revision, record FROM games WHERE table_id = ? AND number = ?", table, number
        )
        try:
            return KeptGame(number, revision, Record.from_json(record))
        except RecordError as error:
            raise StoreError(error.template, **error.values) from None

    def _row(self, query: str, *values: int) -> tuple[Any, ...]:
        """Return the one row of a query; raises StoreError if there is none."""
        row: tuple[Any, ...] | None = self._database.execute(query, values).fetchone()
        if row is None:
            raise _damaged("a row is missing")
        return row


def _read_seat(
    family: str,
    name: str,
    bot: str | None,
    current: bytes | None,
    previous: bytes | None,
    host: int,
    gone: int,
    acted: int,
) -> KeptSeat:
    """Return a seat as it was kept; raises pydantic's ValidationError."""
    info = SeatInfo.model_validate({"family": family, "name": name, "bot": bot})
    keys = None if current is None or previous is None else (current, previous)
    return KeptSeat(info.family, info.name, info.bot, keys, bool(host), bool(gone), "grace", acted)


def _migrate(database: sqlite3.Connection) -> None:
    """Bring the database to the present version; raises StoreError if it is newer than that."""
    ours = len(MIGRATIONS)
    if _version(database) == ours:
        return
    with _transaction(database):
        # Asked again, now that no other program can be at it too.
        found = _version(database)
        if not 0 <= found <= ours:
            raise StoreError(
                N_(
                    "The journal of tables was written by a newer version of this program: "
                    "its format is {found}, and this version knows {ours}."
                ),
                found=found,
                ours=ours,
            )
        for migration in MIGRATIONS[found:]:
            for statement in migration:
                database.execute(statement)
        database.execute(f"PRAGMA user_version = {ours}")


def _version(database: sqlite3.Connection) -> int:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return int(version)


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        # After some errors SQLite has done so already.
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


@contextmanager
def _explained() -> Iterator[None]:
    """Turn what SQLite and the system complain about into a StoreError."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise StoreError(
            N_("The journal of tables cannot be used: {why}."), why=str(error)
        ) from error
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise _damaged(str(error)) from error
    except OSError as error:
        raise StoreError(
            N_("The journal of tables cannot be used: {why}."), why=error.strerror or str(error)
        ) from error


def _damaged(why: str) -> StoreError:
    return StoreError(N_("The journal of tables is damaged: {why}."), why=why)
