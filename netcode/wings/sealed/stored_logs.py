"""Stores the logs of a player's own program in sealed games, in this user's database.

Each game key has a log, which is identified by the public key. `sealed.game` defines the meaning of
the records. A record is on disk before `keep` returns. All methods raise StoreError if the database
fails.
"""

import sqlite3
import time
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Final

from netcode.storage.database import (
    default_path,
    lock_path,
    open_database,
    store_errors,
    transaction,
)
from netcode.storage.table_locks import TableLocks

KEPT_S: Final = 90 * 24 * 3600
"""Seconds for which the secrets of an unfinished game are stored."""

_FIRST: Final = 1 << 56
"""The first number for locks of logs. Tables use lower numbers."""


class StoredLog:
    """The log of one game key, locked by this program.

    `records` has the records that were stored before this object was made.
    """

    def __init__(self, logs: "StoredLogs", key: bytes) -> None:
        self._logs: Final = logs
        self._key: Final = key
        found = logs.database.execute(
            "SELECT record FROM sealed_records WHERE key = ? ORDER BY id", (key,)
        )
        self.records: Final = tuple(record for (record,) in found)

    def keep(self, records: Iterable[bytes]) -> None:
        """Append records.

        When this returns, the records survive a crash of the program or machine.
        """
        rows = [(self._key, int(time.time()), each) for each in records]
        if rows:
            with transaction(self._logs.database):
                self._logs.database.executemany(
                    "INSERT INTO sealed_records (key, at, record) VALUES (?, ?, ?)", rows
                )

    def discount(self) -> None:
        """Exclude the log from `unfinished`. It stays stored, in case the game continues."""
        with transaction(self._logs.database):
            self._logs.database.execute(
                "UPDATE sealed_records SET counts = 0 WHERE key = ?", (self._key,)
            )

    def close(self) -> None:
        """Unlock the log for other programs."""
        self._logs.locks.give_up(_lock_of(self._key))

    def delete(self) -> None:
        """Delete all records, and unlock the log."""
        with transaction(self._logs.database):
            self._logs.database.execute("DELETE FROM sealed_records WHERE key = ?", (self._key,))
        self.close()


class StoredLogs:
    """The logs of one user, in a database that is opened on first use."""

    def __init__(self, path: Path | None = None) -> None:
        self._path: Final = path or default_path()

    @cached_property
    def database(self) -> sqlite3.Connection:
        """The database, which is opened on first use."""
        database = open_database(self._path)
        # Without this, macOS may lose data that it has reported as written.
        database.execute("PRAGMA fullfsync = ON")
        return database

    @cached_property
    def locks(self) -> TableLocks:
        """This program's locks on logs, created on first use."""
        with store_errors():
            return TableLocks(lock_path(self._path))

    def create(self, key: bytes) -> StoredLog:
        """Lock the log of a new public key, and return it. It has no records yet."""
        with store_errors():
            log = StoredLog(self, key)
            self.locks.take(_lock_of(key))
        return log

    def open(self, key: bytes) -> StoredLog | None:
        """Lock and return the log of a key. Return None if it does not exist or is open already."""
        lock = _lock_of(key)
        with store_errors():
            if self.locks.holds(lock) or not self.locks.take(lock):
                return None
            log = StoredLog(self, key)
        if not log.records:
            log.close()
            return None
        return log

    def unfinished(self) -> Iterator[StoredLog]:
        """Yield the unfinished logs that no program has open, and delete outdated ones.

        The caller must close each log.
        """
        with store_errors():
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
        """Close the database, and unlock all logs."""
        if "locks" in vars(self):
            self.locks.close()
        if "database" in vars(self):
            self.database.close()


def _lock_of(key: bytes) -> int:
    return _FIRST + int.from_bytes(key[:7], "big")
