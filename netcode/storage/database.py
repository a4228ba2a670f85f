"""The database of this user: where it is, and how it is opened and checked.

All tables and the history of games are in it; what is in it is read and written elsewhere.
"""

import os
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Final, TypeAlias

from platformdirs import user_data_path

from engine.words import N_
from netcode.storage.schema import is_ours, prepare
from netcode.storage.sqlite_errors import explained
from netcode.table.errors import StoreError, UnavailableError

FILE: Final = "tables.db"
"""Name of the database's file."""

BUSY_TIMEOUT_S: Final = 5.0
"""Seconds to wait for another program that writes: each of its commits takes milliseconds."""

CHECKPOINT_PAGES: Final = 4000
"""Pages (16 MB) to which the write-ahead log grows: a longer one means less to copy in all."""

_OF_CONTENT: Final = " value in "
"""What `quick_check` says of values that are wrong for their columns, and not of pages."""


def default_path() -> Path:
    """Return where the database of this user is."""
    return user_data_path("driflamme", appauthor=False) / FILE


def open_database(path: Path) -> sqlite3.Connection:
    """Open the database, making it if there is none; raises StoreError, also for bad pages."""
    with explained():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Made before SQLite would, and readable by nobody else: all cards are in it. What
        # SQLite puts beside it has the same permissions. One that is there is not touched: closing
        # it would take from this program the locks of its other connections to it.
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        database = sqlite3.connect(
            path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
        )
        try:
            _prepare(database, path)
        except BaseException:
            database.close()
            raise
    return database


def open_to_read(path: Path) -> sqlite3.Connection:
    """Open the database, if it cannot be written then only to read it; raises StoreError.

    So what is there can be read on a disk that is full. What another program has not yet moved out
    of the write-ahead log is not seen if there is no room for its index either.
    """
    try:
        return open_database(path)
    except UnavailableError:
        for way in ("mode=ro", "mode=ro&immutable=1"):
            with suppress(sqlite3.Error):
                database = open_reading(path, way)
                if is_ours(database):
                    return database
        raise


def open_reading(path: Path, way: str = "mode=ro") -> sqlite3.Connection:
    """Open a database as it is, only to read it; raises sqlite3.Error, also when it is used."""
    address = f"{path.absolute().as_uri()}?{way}"
    database = sqlite3.connect(address, uri=True, check_same_thread=False)
    _read_as_rows(database)
    return database


Files: TypeAlias = tuple[tuple[int, int] | None, ...]
"""The files of a database, its write-ahead log and its index, by device and number."""


def files_of(path: Path) -> Files:
    """Return which files a database has now, to compare them later."""
    return tuple(_file_at(f"{path}{each}") for each in ("", "-wal", "-shm"))


def _file_at(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _prepare(database: sqlite3.Connection, path: Path) -> None:
    """Make a connection ready; raises StoreError."""
    _read_as_rows(database)
    try:
        prepare(database, path)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA foreign_keys = OFF")
        # What was said at a table that has closed is overwritten and not only let go.
        database.execute("PRAGMA secure_delete = ON")
        database.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        # Constraints are about rows, which are checked when they are read; here it is about pages.
        database.execute("PRAGMA ignore_check_constraints = 1")
        found = database.execute("PRAGMA quick_check").fetchall()
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise _damaged_file(path, str(error)) from error
        raise
    for (said,) in found:
        if said != "ok" and _OF_CONTENT not in said:
            raise _damaged_file(path, said.splitlines()[-1])
    database.execute("PRAGMA ignore_check_constraints = 0")


def _read_as_rows(database: sqlite3.Connection) -> None:
    database.row_factory = sqlite3.Row
    # What is no text is found by whoever needs the row, and does not keep others from theirs.
    database.text_factory = lambda content: content.decode("utf-8", "surrogateescape")


def _damaged_file(path: Path, why: str) -> StoreError:
    return StoreError(
        N_(
            "The file of tables and games, {path}, is damaged ({why}). It is left as it is: move"
            " it away, and a new one is begun."
        ),
        path=str(path),
        why=why,
    )
