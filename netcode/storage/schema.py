"""The schema of the database, made once; a database of another version is refused as it is."""

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
    secret BLOB NOT NULL CHECK (typeof(secret) = 'blob' AND length(secret) = 12),
    code TEXT NOT NULL CHECK (typeof(code) = 'text' AND length(code) = 8),
    opened INTEGER NOT NULL CHECK (typeof(opened) = 'integer'),
    touched INTEGER CHECK (typeof(touched) IN ('integer', 'null')),
    bind TEXT CHECK (typeof(bind) IN ('text', 'null')),
    port INTEGER NOT NULL CHECK (typeof(port) = 'integer' AND port BETWEEN 0 AND 65535),
    public TEXT CHECK (typeof(public) IN ('text', 'null')),
    plain INTEGER NOT NULL CHECK (plain IN (0, 1)),
    unix TEXT CHECK (typeof(unix) IN ('text', 'null')),
    club INTEGER NOT NULL CHECK (club IN (0, 1)),
    ended INTEGER NOT NULL DEFAULT 0 CHECK (ended IN (0, 1)),
    settings TEXT NOT NULL DEFAULT '{}' CHECK (typeof(settings) = 'text'),
    phase TEXT NOT NULL DEFAULT 'lobby' CHECK (phase IN ('lobby', 'playing', 'result')),
    paused INTEGER NOT NULL DEFAULT 0 CHECK (paused IN (0, 1)),
    owner BLOB CHECK (owner IS NULL OR typeof(owner) = 'blob' AND length(owner) = 32),
    games INTEGER NOT NULL DEFAULT 0 CHECK (typeof(games) = 'integer' AND games >= 0),
    revision INTEGER NOT NULL DEFAULT 0
        CHECK (typeof(revision) = 'integer' AND revision BETWEEN 0 AND 2147483647),
    muted TEXT NOT NULL DEFAULT '[]' CHECK (typeof(muted) = 'text'),
    silenced INTEGER NOT NULL DEFAULT 0 CHECK (silenced IN (0, 1)),
    former TEXT NOT NULL DEFAULT '[]' CHECK (typeof(former) = 'text'),
    evening TEXT NOT NULL DEFAULT '{}' CHECK (typeof(evening) = 'text'),
    sealings TEXT NOT NULL DEFAULT '{}' CHECK (typeof(sealings) = 'text')
);
CREATE INDEX tables_by_opening ON tables (opened);
CREATE TABLE seats (
    table_id INTEGER NOT NULL REFERENCES tables,
    place INTEGER NOT NULL,
    family TEXT NOT NULL CHECK (typeof(family) = 'text'),
    name TEXT NOT NULL CHECK (typeof(name) = 'text'),
    bot TEXT CHECK (typeof(bot) IN ('text', 'null')),
    key_hash BLOB CHECK (key_hash IS NULL OR typeof(key_hash) = 'blob' AND length(key_hash) = 32),
    previous_key_hash BLOB CHECK (
        (previous_key_hash IS NULL) = (key_hash IS NULL)
        AND (key_hash IS NULL
             OR typeof(previous_key_hash) = 'blob' AND length(previous_key_hash) = 32)
    ),
    host INTEGER NOT NULL CHECK (host IN (0, 1)),
    gone INTEGER NOT NULL CHECK (gone IN (0, 1)),
    acted INTEGER NOT NULL CHECK (typeof(acted) = 'integer' AND acted BETWEEN 0 AND 2147483647),
    absence TEXT NOT NULL DEFAULT 'grace' CHECK (absence IN ('grace', 'wait', 'bot')),
    PRIMARY KEY (table_id, place)
) WITHOUT ROWID;
CREATE TABLE games (
    table_id INTEGER NOT NULL REFERENCES tables,
    number INTEGER NOT NULL CHECK (typeof(number) = 'integer' AND number > 0),
    revision INTEGER NOT NULL
        CHECK (typeof(revision) = 'integer' AND revision BETWEEN 0 AND 2147483647),
    record TEXT NOT NULL CHECK (typeof(record) = 'text'),
    began INTEGER CHECK (typeof(began) IN ('integer', 'null')),
    ended INTEGER CHECK (typeof(ended) IN ('integer', 'null')),
    outcome TEXT CHECK (outcome IS NULL OR outcome IN ('finished', 'abandoned', 'cheated')),
    past INTEGER NOT NULL DEFAULT 0 CHECK (past IN (0, 1)),
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
CREATE TABLE actions (
    table_id INTEGER NOT NULL REFERENCES tables,
    game INTEGER NOT NULL,
    step INTEGER NOT NULL CHECK (typeof(step) = 'integer' AND step > 0),
    seat INTEGER NOT NULL CHECK (typeof(seat) = 'integer' AND seat BETWEEN 0 AND 4),
    number INTEGER CHECK (
        number IS NULL OR typeof(number) = 'integer' AND number BETWEEN 1 AND 2147483647
    ),
    token TEXT NOT NULL CHECK (typeof(token) = 'text'),
    PRIMARY KEY (table_id, game, step)
) WITHOUT ROWID;
CREATE TABLE players (
    table_id INTEGER NOT NULL REFERENCES tables,
    game INTEGER NOT NULL,
    place INTEGER NOT NULL,
    family TEXT NOT NULL CHECK (typeof(family) = 'text'),
    name TEXT NOT NULL CHECK (typeof(name) = 'text'),
    bot TEXT CHECK (typeof(bot) IN ('text', 'null')),
    PRIMARY KEY (table_id, game, place)
) WITHOUT ROWID;
CREATE TABLE parcels (
    table_id INTEGER NOT NULL REFERENCES tables,
    game INTEGER NOT NULL,
    place INTEGER NOT NULL CHECK (typeof(place) = 'integer' AND place >= 0),
    body BLOB NOT NULL CHECK (typeof(body) = 'blob'),
    signature BLOB NOT NULL CHECK (typeof(signature) = 'blob'),
    PRIMARY KEY (table_id, game, place)
) WITHOUT ROWID;
CREATE TABLE talk (
    table_id INTEGER NOT NULL REFERENCES tables,
    slot INTEGER NOT NULL CHECK (typeof(slot) = 'integer' AND slot >= 0),
    number INTEGER NOT NULL CHECK (typeof(number) = 'integer' AND number >= 0),
    line TEXT NOT NULL CHECK (typeof(line) = 'text'),
    PRIMARY KEY (table_id, slot)
) WITHOUT ROWID;
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
"""Seconds between two looks at whether another program still writes. What comes meanwhile is
written together: with a quarter of it two processes of a club take a third more of their cores."""


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
