"""Opens and checks the database of this user, which has all tables, the history, and data of wings.

Other modules read and write it. The schema is created once, and a database of another version is
refused unchanged. Each row of `tables` has a `KeptTable`, and each row of `games` a `KeptGame`, in
msgpack. `keeper` names the wing that keeps a table; it is empty for a host's table. `days` has the
days, counted from 1970, on which any table was stored.
"""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from platformdirs import user_data_path

from engine.texts import ONLY_WHY
from netcode.private_files import UnsafeFolderError, make_private_folder, refuse_link
from netcode.table.errors import StoreError, UnavailableError, damaged_table_error

VERSION: Final = 1
"""The version of the schema (`PRAGMA user_version`). After a release it never changes."""

APPLICATION: Final = 0x4472_6946
"""The number that marks this program's databases (`PRAGMA application_id`)."""

_SCHEMA: Final = """
CREATE TABLE tables (
    id INTEGER PRIMARY KEY,
    opened INTEGER NOT NULL CHECK (typeof(opened) = 'integer'),
    day INTEGER NOT NULL CHECK (typeof(day) = 'integer'),
    keeper TEXT NOT NULL CHECK (typeof(keeper) = 'text'),
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
CREATE TABLE history (
    id INTEGER PRIMARY KEY,
    identity BLOB NOT NULL UNIQUE CHECK (typeof(identity) = 'blob' AND length(identity) = 32),
    date INTEGER NOT NULL CHECK (typeof(date) = 'integer'),
    listed TEXT NOT NULL CHECK (typeof(listed) = 'text'),
    record TEXT NOT NULL CHECK (typeof(record) = 'text')
);
CREATE INDEX history_by_date ON history (date, id);
CREATE TABLE sealed_records (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL CHECK (typeof(key) = 'blob' AND length(key) = 32),
    at INTEGER NOT NULL CHECK (typeof(at) = 'integer'),
    record BLOB NOT NULL CHECK (typeof(record) = 'blob' AND length(record) > 0),
    counts INTEGER NOT NULL DEFAULT 1 CHECK (counts IN (0, 1))
);
CREATE INDEX sealed_records_by_key ON sealed_records (key)
"""
# CHECK constraints detect mistakes of this program. Readers check rows again.

LOOKS_EVERY_S: Final = 0.002
"""Seconds between two attempts to write while another program writes.

The next attempt writes all states that were submitted meanwhile.
"""


def make_schema(database: sqlite3.Connection, path: Path) -> None:
    """Create the schema in an empty database, and leave a database with this schema unchanged.

    Raises StoreError if the database has another schema.
    """
    if is_ours(database):
        return
    with transaction(database):
        # Check again, since now no other program can write.
        (is_new,) = database.execute("SELECT count(*) = 0 FROM sqlite_schema").fetchone()
        if is_ours(database):
            return
        if not is_new or _marks(database) != (0, 0):
            raise StoreError(
                "The file of tables and games, {path}, was written by another version of this"
                " program. It is left as it is: move it away, and a new one will be made.",
                path=str(path),
            )
        for statement in _SCHEMA.split(";"):
            database.execute(statement)
        database.execute(f"PRAGMA application_id = {APPLICATION}")
        database.execute(f"PRAGMA user_version = {VERSION}")


def is_ours(database: sqlite3.Connection) -> bool:
    """Return True if a database has this program's schema."""
    return _marks(database) == (APPLICATION, VERSION)


def _marks(database: sqlite3.Connection) -> tuple[int, int]:
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return int(application), int(version)


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Run a transaction, which stores all changes or none; raises StoreError if SQLite fails.

    If another program is writing, this tries again for up to `BUSY_TIMEOUT_S`. SQLite itself would
    try only ten times a second, so a busy server that writes after each commit could keep others
    waiting for minutes.
    """
    with store_errors():
        database.execute("PRAGMA busy_timeout = 0")
        gives_up = time.monotonic() + BUSY_TIMEOUT_S
        try:
            while True:
                try:
                    database.execute("BEGIN IMMEDIATE")
                    break
                except sqlite3.OperationalError as error:
                    is_busy = error.sqlite_errorcode & _PRIMARY_CODE == sqlite3.SQLITE_BUSY
                    if not is_busy or time.monotonic() >= gives_up:
                        raise
                    time.sleep(LOOKS_EVERY_S)
        finally:
            database.execute(f"PRAGMA busy_timeout = {round(1000 * BUSY_TIMEOUT_S)}")
        try:
            yield
            database.execute("COMMIT")
        except BaseException:
            # After some errors SQLite has already rolled the transaction back.
            if database.in_transaction:
                database.execute("ROLLBACK")
            raise


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
"""Errors whose cause is the machine, not the contents of the database.

A busy, full or read-only database has a sentence of its own. All other errors mean damage.
"""

_PRIMARY_CODE: Final = 0xFF
"""The mask for the kind of an SQLite error code."""


@contextmanager
def store_errors() -> Iterator[None]:
    """Raise errors of SQLite, of folders, of invalid text and of the system as StoreError."""
    try:
        yield
    except sqlite3.Error as error:
        raise _why(error) from error
    except UnsafeFolderError as error:
        raise StoreError(ONLY_WHY, why=error) from None
    except UnicodeDecodeError as error:
        raise damaged_table_error(error.reason) from error
    except OSError as error:
        raise _unusable(error.strerror or str(error)) from error


def _why(error: sqlite3.Error) -> StoreError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CANTOPEN) & _PRIMARY_CODE
    match code:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return UnavailableError(
                "The journal of tables is in use by another program: close that one first."
            )
        case sqlite3.SQLITE_FULL:
            return UnavailableError(
                "Free some space: the disk has no room for the journal of tables."
            )
        case sqlite3.SQLITE_READONLY:
            return UnavailableError(
                "The journal of tables is read-only: check the permissions of its file and folder."
            )
        case _ if code in _OF_THE_MACHINE:
            return _unusable(str(error))
    return damaged_table_error(str(error))


def _unusable(why: str) -> UnavailableError:
    return UnavailableError(
        "The journal of tables cannot be used: {why}. Try driflamme doctor.", why=why
    )


FILE: Final = "tables.db"

BUSY_TIMEOUT_S: Final = 5.0
"""Seconds to wait for another program that writes. Each of its commits takes milliseconds."""

CHECKPOINT_PAGES: Final = 256
"""Pages (1 MB) in the write-ahead log before a checkpoint.

SQLite then overwrites the log from its beginning. Overwriting takes half as long as making the file
longer with each commit.
"""

_OF_CONTENT: Final = " value in "
"""The part of a message of `quick_check` that marks an error in a value, not in a page."""


def default_path() -> Path:
    """Return the path of this user's database."""
    return user_data_path("driflamme", appauthor=False) / FILE


def open_database(path: Path) -> sqlite3.Connection:
    """Open the database, or create it. Raises StoreError if that fails or a page is damaged."""
    with store_errors():
        make_private_folder(path.parent)
        for each in paths_of(path):
            # Refuse symbolic links, which SQLite would follow.
            refuse_link(each)
        # Create the file before SQLite does, so that other users cannot read it: it contains all
        # cards. SQLite gives its other files the same permissions. Do not open an existing file:
        # closing it again would release this program's locks on it.
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        database = _connection(path)
        if not _has_usable_log(database):
            database.close()
            _leave_log(path)
            database = _connection(path)
        try:
            _prepare(database, path)
        except BaseException:
            database.close()
            raise
    return database


def _connection(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(
        path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
    )


def open_to_read(path: Path) -> tuple[sqlite3.Connection, StoreError | None]:
    """Open the database, read-only if it cannot be written; raises StoreError if neither works.

    So the history can be read from a full disk. The returned error is None unless the newest games
    may be missing. Without space for its index, the write-ahead log of another program cannot be
    read.
    """
    try:
        return open_database(path), None
    except UnavailableError as error:
        for way in ("mode=ro", "mode=ro&immutable=1"):
            with suppress(sqlite3.Error):
                database = open_reading(path, way)
                if is_ours(database):
                    unseen = StoreError("The newest games may be missing. {why}", why=error)
                    return database, unseen if "immutable" in way else None
        raise


_OF_SHARED_MEMORY: Final = frozenset(
    {
        sqlite3.SQLITE_IOERR_SHMLOCK,
        sqlite3.SQLITE_IOERR_SHMMAP,
        sqlite3.SQLITE_IOERR_SHMOPEN,
        sqlite3.SQLITE_IOERR_SHMSIZE,
    }
)
"""Errors of a file system without shared memory. The index of a write-ahead log needs it."""


def _has_usable_log(database: sqlite3.Connection) -> bool:
    """Return False if the write-ahead log of a database needs shared memory that is missing.

    Damage is no reason to return False, since `_prepare` reports it.
    """
    try:
        database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError as error:
        return error.sqlite_errorcode not in _OF_SHARED_MEMORY
    except sqlite3.DatabaseError:
        pass  # `_prepare` reports damage.
    return True


def _leave_log(path: Path) -> None:
    """Copy the write-ahead log of a database into its file, and switch the log off.

    Raises sqlite3.Error if that fails.

    A home that was copied to a disk without shared memory may have such a log. Only a single
    program can read the log there, so other programs must wait meanwhile.
    """
    with closing(sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)) as alone:
        alone.execute("PRAGMA locking_mode = EXCLUSIVE")
        if is_ours(alone):
            alone.execute("PRAGMA journal_mode = DELETE")


def _has_shared_memory(folder: Path) -> bool:
    """Return True if databases in a folder can have a write-ahead log.

    This tries it with another database, since one with an unusable log cannot be opened. Raises
    sqlite3.Error if that database cannot be written for another reason.
    """
    with (
        TemporaryDirectory(prefix=".tables-", dir=folder) as trial,
        closing(sqlite3.connect(Path(trial) / FILE, isolation_level=None)) as database,
    ):
        database.execute("PRAGMA synchronous = OFF")
        database.execute("PRAGMA journal_mode = WAL")
        try:
            database.execute("CREATE TABLE trial (id INTEGER)")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode not in _OF_SHARED_MEMORY:
                raise
            return False
    return True


def slowness(database: sqlite3.Connection, path: Path) -> StoreError | None:
    """Return the reason why a database has no write-ahead log.

    Returns None if the database has such a log, if its folder is not writable, or if databases in
    that folder could have a log. Raises sqlite3.Error if neither can be found out.
    """
    (mode,) = database.execute("PRAGMA journal_mode").fetchone()
    if mode == "wal" or not os.access(path.parent, os.W_OK) or _has_shared_memory(path.parent):
        return None
    return StoreError(
        "The disk with {folder} has no shared memory, like some network drives, so saving an "
        "action takes longer: use a local disk.",
        folder=str(path.parent),
    )


def open_reading(path: Path, way: str = "mode=ro") -> sqlite3.Connection:
    """Open a database read-only as it is; `way` is the query of SQLite's address.

    If it cannot be read, this or only the first use of the result raises sqlite3.Error.
    """
    address = f"{path.absolute().as_uri()}?{way}"
    database = sqlite3.connect(address, uri=True, check_same_thread=False)
    _read_as_rows(database)
    return database


def paths_of(path: Path) -> tuple[str, ...]:
    """Return the paths of a database's files: itself, its write-ahead log, its index, its locks."""
    return str(path), f"{path}-wal", f"{path}-shm", str(lock_path(path))


def files_at(paths: tuple[str, ...]) -> list[tuple[int, int] | None]:
    """Return device and inode of each file, or None for a missing one, for later comparison."""
    found: list[tuple[int, int] | None] = []
    for each in paths:
        try:
            status = os.stat(each)
        except OSError:
            found.append(None)
        else:
            found.append((status.st_dev, status.st_ino))
    return found


def lock_path(path: Path) -> Path:
    """Return the path of the lock file for a database's tables: see `table_locks.py`."""
    return path.with_suffix(".lock")


def _prepare(database: sqlite3.Connection, path: Path) -> None:
    """Configure a connection, create a missing schema, and check all pages.

    Raises StoreError if the database has another schema or a damaged page, and sqlite3.Error if
    SQLite fails.
    """
    _read_as_rows(database)
    try:
        make_schema(database, path)
        (mode,) = database.execute("PRAGMA journal_mode").fetchone()
        if mode != "wal" and _has_shared_memory(path.parent):
            database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA foreign_keys = OFF")
        # Overwrite deleted content, such as the chat of closed tables, instead of only freeing it.
        database.execute("PRAGMA secure_delete = ON")
        database.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        # Skip constraints: they concern rows, which readers check. This check is for pages.
        database.execute("PRAGMA ignore_check_constraints = 1")
        found = database.execute("PRAGMA quick_check").fetchall()
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise _damaged_file(path, str(error)) from error
        raise
    for (problem,) in found:
        if problem != "ok" and _OF_CONTENT not in problem:
            raise _damaged_file(path, problem.splitlines()[-1])
    database.execute("PRAGMA ignore_check_constraints = 0")


def _read_as_rows(database: sqlite3.Connection) -> None:
    database.row_factory = sqlite3.Row
    # Accept invalid text here. The reader of its row reports it, so that other rows stay readable.
    database.text_factory = lambda content: content.decode("utf-8", "surrogateescape")


def _damaged_file(path: Path, why: str) -> StoreError:
    return StoreError(
        "The file of tables and games, {path}, is damaged ({why}). It is left as it is: move it"
        " away, and a new one will be made.",
        path=str(path),
        why=why,
    )
