"""Migrates databases of older versions to the present one, through all versions in turn."""

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pkgutil import get_data
from typing import Final

from engine.words import N_
from netcode.storage.journal_to_history import move_ended_games
from netcode.table.errors import StoreError

_SQL: Final = (get_data("netcode.storage", "migrations.sql") or b"").decode()

MIGRATIONS: Final = tuple(
    tuple(re.findall(r"^([A-Z].*?);$", version, re.MULTILINE | re.DOTALL))
    for version in re.split(r"^-- Version \d+$", _SQL, flags=re.MULTILINE)[1:]
)
"""The statements that make each version from the one before; `PRAGMA user_version` counts."""

LOOKS_EVERY_S: Final = 0.002
"""Seconds between two looks at whether another program still writes. What comes meanwhile is
written together: with a quarter of it two processes of a club take a third more of their cores."""

_HISTORY: Final = 4
"""The first version that has a history of games."""


def migrate(database: sqlite3.Connection) -> None:
    """Bring the database to the present version; raises StoreError if it is newer than that."""
    ours = len(MIGRATIONS)
    if is_up_to_date(database):
        return
    # One damaged row is for whoever reads it; it must not keep all others from being migrated.
    database.execute("PRAGMA ignore_check_constraints = 1")
    with transaction(database):
        # Asked again, now that no other program can be at it too.
        found = version(database)
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
        if found < _HISTORY:
            # Of a program that had no history. It is filled as it is today, since by now the
            # database is one of today.
            move_ended_games(database)
        database.execute(f"PRAGMA user_version = {ours}")
    database.execute("PRAGMA ignore_check_constraints = 0")


def is_up_to_date(database: sqlite3.Connection) -> bool:
    """Whether a database has the version of this program."""
    return version(database) == len(MIGRATIONS)


def version(database: sqlite3.Connection) -> int:
    """Return which version a database has; 0 if it is new."""
    (found,) = database.execute("PRAGMA user_version").fetchone()
    return int(found)


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
