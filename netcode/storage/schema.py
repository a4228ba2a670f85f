"""The schema of the database, made once; a database of another version is refused as it is.

`tables` and `games` have a `KeptTable` and a `KeptGame` each, in msgpack; of `days` there are those
on which any table was kept, in days since 1970.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from engine.words import N_
from netcode.table.errors import StoreError

VERSION: Final = 1
"""The version of the schema (`PRAGMA user_version`); once one is published, it never changes."""

APPLICATION: Final = 0x4472_6946
"""By what a database of this program is known (`PRAGMA application_id`)."""

_SCHEMA: Final = """
CREATE TABLE tables (
    id INTEGER PRIMARY KEY,
    opened INTEGER NOT NULL CHECK (typeof(opened) = 'integer'),
    day INTEGER NOT NULL CHECK (typeof(day) = 'integer'),
    club INTEGER NOT NULL CHECK (club IN (0, 1)),
    kept BLOB NOT NULL CHECK (typeof(kept) = 'blob')
);
CREATE INDEX tables_by_opening ON tables (opened);
CREATE TABLE games (
    table_id INTEGER PRIMARY KEY REFERENCES tables,
    kept BLOB NOT NULL CHECK (typeof(kept) = 'blob')
);
CREATE TABLE days (
    day INTEGER PRIMARY KEY
);
CREATE TABLE club (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    secret BLOB NOT NULL CHECK (typeof(secret) = 'blob' AND length(secret) = 12)
);
CREATE TABLE history (
    id INTEGER PRIMARY KEY,
    identity BLOB NOT NULL UNIQUE CHECK (typeof(identity) = 'blob' AND length(identity) = 32),
    began INTEGER CHECK (typeof(began) IN ('integer', 'null')),
    ended INTEGER CHECK (typeof(ended) IN ('integer', 'null')),
    outcome TEXT NOT NULL CHECK (outcome IN ('finished', 'abandoned', 'cheated')),
    origin TEXT NOT NULL CHECK (origin IN ('own', 'joined', 'imported')),
    edition INTEGER NOT NULL CHECK (edition IN (1, 2)),
    two INTEGER NOT NULL CHECK (two IN (0, 1)),
    best_of INTEGER NOT NULL CHECK (best_of IN (0, 3, 5, 7)),
    at_table INTEGER NOT NULL CHECK (typeof(at_table) = 'integer' AND at_table BETWEEN 2 AND 5),
    bots INTEGER NOT NULL CHECK (typeof(bots) = 'integer' AND bots BETWEEN 0 AND 5),
    own TEXT NOT NULL CHECK (typeof(own) = 'text'),
    decisions INTEGER NOT NULL CHECK (typeof(decisions) = 'integer' AND decisions >= 0),
    rounds INTEGER NOT NULL CHECK (typeof(rounds) = 'integer' AND rounds BETWEEN 1 AND 6),
    players TEXT NOT NULL CHECK (typeof(players) = 'text'),
    record TEXT NOT NULL CHECK (typeof(record) = 'text'),
    club INTEGER NOT NULL CHECK (club IN (0, 1))
);
CREATE INDEX history_by_date ON history (coalesce(ended, began, -1), id)
"""
# The checks keep a mistake of ours from being written; rows are checked again when read.

LOOKS_EVERY_S: Final = 0.002
"""Seconds between two looks at whether another program still writes; what comes meanwhile is
written together."""


def prepare(database: sqlite3.Connection, path: Path) -> None:
    """Give a new database its schema; raises StoreError if it has another than ours."""
    if is_ours(database):
        return
    with transaction(database):
        # Asked again, now that no other program can be at it too.
        (is_new,) = database.execute("SELECT count(*) = 0 FROM sqlite_schema").fetchone()
        if is_ours(database):
            return
        if not is_new or _marks(database) != (0, 0):
            raise StoreError(
                N_(
                    "The file of tables and games, {path}, was written by another version of this"
                    " program. It is left as it is: move it away, and a new one is begun."
                ),
                path=str(path),
            )
        for statement in _SCHEMA.split(";"):
            database.execute(statement)
        database.execute(f"PRAGMA application_id = {APPLICATION}")
        database.execute(f"PRAGMA user_version = {VERSION}")


def is_ours(database: sqlite3.Connection) -> bool:
    """Whether a database has the schema of this program."""
    return _marks(database) == (APPLICATION, VERSION)


def _marks(database: sqlite3.Connection) -> tuple[int, int]:
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return int(application), int(version)


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Run a transaction: everything that is done meanwhile, or nothing of it, is kept."""
    _begin(database)
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        # After some errors SQLite has done so already.
        if database.in_transaction:
            database.execute("ROLLBACK")
        raise


def _begin(database: sqlite3.Connection) -> None:
    """Begin to write, once no other program does; raises sqlite3.OperationalError after a while.

    SQLite itself looks ever more rarely, up to ten times a second: a process of a club that writes
    again and again, as it does after each commit, would keep the others from it for minutes.
    """
    ((patience_ms,),) = database.execute("PRAGMA busy_timeout").fetchall()
    database.execute("PRAGMA busy_timeout = 0")
    gives_up = time.monotonic() + patience_ms / 1000
    try:
        while True:
            try:
                database.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                    raise
                if time.monotonic() >= gives_up:
                    raise
                time.sleep(LOOKS_EVERY_S)
            else:
                return
    finally:
        database.execute(f"PRAGMA busy_timeout = {patience_ms}")
