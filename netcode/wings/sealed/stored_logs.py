"""The logs of a player's own program in sealed games, in the database of this user.

Each game key has a log, which its public half identifies. `sealed.game` gives records their
meaning. Here they are stored whole, and are on disk before `keep` returns. All methods raise
StoreError.
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
"""Seconds for which an unfinished game's secrets are stored."""

_FIRST: Final = 1 << 56
"""The first lock of a log; lower ones are of tables."""


class StoredLog:
    """The log of a game key, locked for this program: its stored records, with room for more."""

    def __init__(self, logs: "StoredLogs", key: bytes) -> None:
        self._logs: Final = logs
        self._key: Final = key
        found = logs.database.execute(
            "SELECT record FROM sealed_records WHERE key = ? ORDER BY id", (key,)
        )
        self.records: Final = tuple(record for (record,) in found)

    def keep(self, records: Iterable[bytes]) -> None:
        """Append records. Once this returns, they survive crashes of program and machine."""
        rows = [(self._key, int(time.time()), each) for each in records]
        if rows:
            with transaction(self._logs.database):
                self._logs.database.executemany(
                    "INSERT INTO sealed_records (key, at, record) VALUES (?, ?, ?)", rows
                )

    def discount(self) -> None:
        """Remove it from the unfinished games. It stays stored, in case its game continues."""
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
        """The database."""
        database = open_database(self._path)
        # Without this, macOS may lose data that it has reported as written.
        database.execute("PRAGMA fullfsync = ON")
        return database

    @cached_property
    def locks(self) -> TableLocks:
        """This program's locks on logs."""
        with explained():
            return TableLocks(lock_path(self._path))

    def create(self, key: bytes) -> StoredLog:
        """Create the log of a new public key."""
        with explained():
            log = StoredLog(self, key)
            self.locks.take(_lock_of(key))
        return log

    def open(self, key: bytes) -> StoredLog | None:
        """Return the log of a public key; None if there is none, or if it is open already."""
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
        """Yield the unfinished logs that are not open; close each. Outdated ones are deleted."""
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
        """Close the database, and unlock all logs."""
        if "locks" in vars(self):
            self.locks.close()
        if "database" in vars(self):
            self.database.close()


def _lock_of(key: bytes) -> int:
    return _FIRST + int.from_bytes(key[:7], "big")
