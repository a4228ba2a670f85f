"""Tests stored logs of sealed games: restored, for one program only, and deleted later."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from netcode.table.errors import StoreError
from netcode.wings.sealed.stored_logs import KEPT_S, StoredLogs

KEY = bytes(range(32))
RECORDS = (b"key", b"more", bytes(2048))


def kept(path: Path) -> None:
    """Store `RECORDS` for `KEY` in two steps."""
    with closing(StoredLogs(path)) as logs:
        log = logs.create(KEY)
        log.keep(RECORDS[:1])
        log.keep(RECORDS[1:])


def test_what_was_kept_is_there_again_and_durably(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    kept(path)
    with closing(StoredLogs(path)) as logs:
        assert logs.open(bytes(32)) is None
        log = logs.open(KEY)
        assert log is not None
        assert log.records == RECORDS
        assert logs.database.execute("PRAGMA synchronous").fetchone()[0] == 2, "FULL"
        assert logs.database.execute("PRAGMA fullfsync").fetchone()[0] == 1
        log.delete()
        assert logs.open(KEY) is None


def test_a_log_is_open_once_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    with closing(StoredLogs(path)) as logs, closing(StoredLogs(path)) as others:
        log = logs.create(KEY)
        log.keep(RECORDS)
        for each in (logs, others):
            assert each.open(KEY) is None
            assert not list(each.unfinished())
        log.close()
        (unfinished,) = others.unfinished()
        assert unfinished.records == RECORDS
        assert logs.open(KEY) is None


def test_secrets_of_long_ago_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tables.db"
    monkeypatch.setattr("time.time", lambda: 1_000)
    kept(path)
    monkeypatch.setattr("time.time", lambda: 1_000 + KEPT_S + 60)
    with closing(StoredLogs(path)) as logs:
        assert not list(logs.unfinished())
        assert not logs.database.execute("SELECT * FROM sealed_records").fetchall()


def test_whatever_the_database_complains_about_is_a_sentence(tmp_path: Path) -> None:
    with closing(StoredLogs(tmp_path / "tables.db")) as logs:
        log = logs.create(KEY)
        logs.database.execute("DROP TABLE sealed_records")
        complaints: tuple[Callable[[], object], ...] = (
            lambda: logs.create(bytes(32)),
            lambda: logs.open(bytes(32)),
            lambda: list(logs.unfinished()),
            lambda: log.keep(RECORDS),
            log.delete,
        )
        for complain in complaints:
            with pytest.raises(StoreError, match="damaged"):
                complain()


def test_a_log_that_was_discounted_stays_and_is_unfinished_no_more(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    kept(path)
    with closing(StoredLogs(path)) as logs:
        (log,) = logs.unfinished()
        log.discount()
        log.close()
        assert not list(logs.unfinished())
        again = logs.open(KEY)
        assert again is not None
        assert again.records == RECORDS
