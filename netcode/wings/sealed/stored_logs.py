"""What a player's own program knows and has signed in sealed games, in the database of this user.

Each game key has a log, by whose public half it is found again. What a record says is left to
`sealed`; here it is whole, and on disk before `keep` returns. All methods raise StoreError.
"""

import sqlite3
import time
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Final

from netcode.storage.database import (
    default_path,
    explained,
    lock_path,
    open_database,
    transaction,
)
from netcode.storage.table_locks import TableLocks

KEPT_S: Final = 90 * 24 * 3600
"""Seconds for which the secrets of a game are kept of which not all has come."""

_FIRST: Final = 1 << 56
"""The first lock that is a log's, and no table's."""


class StoredLog:
    """The log of a game key, locked for this program: records that were kept, and room for more."""

    def __init__(self, logs: "StoredLogs", key: bytes) -> None:
        self._logs: Final = logs
        self._key: Final = key
        found = logs.database.execute(
            "SELECT record FROM sealed_records WHERE key = ? ORDER BY id", (key,)
        )
        self.records: Final = tuple(record for (record,) in found)

    def keep(self, records: Iterable[bytes]) -> None:
        """Append records; once this returns they outlive the program and the machine."""
        rows = [(self._key, int(time.time()), each) for each in records]
        if rows:
            with transaction(self._logs.database):
                self._logs.database.executemany(
                    "INSERT INTO sealed_records (key, at, record) VALUES (?, ?, ?)", rows
                )

    def discount(self) -> None:
        """Have it no more among the unfinished; it stays, lest its game goes on after all."""
        with transaction(self._logs.database):
            self._logs.database.execute(
                "UPDATE sealed_records SET counts = 0 WHERE key = ?", (self._key,)
            )

    def close(self) -> None:
        """Let another program have the log."""
        self._logs.locks.give_up(_lock_of(self._key))

    def delete(self) -> None:
        """Forget all of it, and let go of it."""
        with transaction(self._logs.database):
            self._logs.database.execute("DELETE FROM sealed_records WHERE key = ?", (self._key,))
        self.close()


class StoredLogs:
    """The logs of one user, in a database that is not opened before it is needed."""

    def __init__(self, path: Path | None = None) -> None:
        self._path: Final = path or default_path()

    @cached_property
    def database(self) -> sqlite3.Connection:
        """The database."""
        database = open_database(self._path)
        # On macOS the disk may else forget what it was handed.
        database.execute("PRAGMA fullfsync = ON")
        return database

    @cached_property
    def locks(self) -> TableLocks:
        """The locks of this program on logs."""
        with explained():
            return TableLocks(lock_path(self._path))

    def create(self, key: bytes) -> StoredLog:
        """Begin the log of a new public key."""
        with explained():
            log = StoredLog(self, key)
            self.locks.take(_lock_of(key))
        return log

    def open(self, key: bytes) -> StoredLog | None:
        """Return the log of a public key; None if there is none, or it is open somewhere."""
        lock = _lock_of(key)
        with explained():
            if self.locks.holds(lock) or not self.locks.take(lock):
                return None
            log = StoredLog(self, key)
        if not log.records:
            log.close()
            return None
        return log

    def unfinished(self) -> Iterator[StoredLog]:
        """Yield what counts and is open nowhere; close each. What is too old is deleted."""
        with explained():
            keys = self.database.execute(
                "SELECT key, max(at), min(counts) FROM sealed_records GROUP BY key"
            ).fetchall()
        for key, at, counts in keys:
            is_old = at < time.time() - KEPT_S
            log = self.open(key) if is_old or counts else None
            if log is None:
                continue
            if is_old:
                log.delete()
            else:
                yield log

    def close(self) -> None:
        """Close the database, and let other programs have all logs."""
        if "locks" in vars(self):
            self.locks.close()
        if "database" in vars(self):
            self.database.close()


def _lock_of(key: bytes) -> int:
    return _FIRST + int.from_bytes(key[:7], "big")
