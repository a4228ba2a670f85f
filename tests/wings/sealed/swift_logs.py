"""Logs of sealed games that SQLite does not sync to the disk, and the records in them."""

import sqlite3
from contextlib import closing
from functools import cached_property
from pathlib import Path

from netcode.wings.sealed.stored_logs import StoredLogs


class SwiftLogs(StoredLogs):
    """Logs that survive a killed program, but not a crash of the machine."""

    @cached_property
    def database(self) -> sqlite3.Connection:
        database = super().database
        database.execute("PRAGMA synchronous = OFF")
        return database


def records_of(path: Path) -> list[bytes]:
    with closing(sqlite3.connect(path)) as database:
        return [record for (record,) in database.execute("SELECT record FROM sealed_records")]
