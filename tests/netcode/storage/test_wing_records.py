"""Tests records that a wing stores with a table: they are restored with it, or refused."""

from pathlib import Path

import pytest

from netcode.storage.store import DAY_S, DAYS_OF_USE, Store
from netcode.table import restoring
from netcode.table.snapshot import MOST_WING_BYTES, WingRecord
from tests.support.kept import ask, change_kept, refusal, restored, stopped, used_on

RECORD = [1, b"three"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a stored table in a game, with the record of an invented wing."""
    path = tmp_path / "tables.db"
    stopped(path)
    change_kept(path, table={"wings": {"no_such": RECORD}})
    return path


def test_a_record_comes_back_with_its_table(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restoring, "record_versions", lambda: {"no_such": 1})
    assert restored(path)._wing_records.all == {"no_such": WingRecord(1, b"three")}


def test_a_record_of_a_missing_wing_is_named_and_nothing_is_touched(path: Path) -> None:
    before = ask(path, "SELECT kept FROM tables")
    assert "the optional part no_such, which is missing here" in refusal(path)
    assert ask(path, "SELECT kept FROM tables") == before


def test_a_record_of_a_newer_version_is_left_as_it_is(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_kept(path, table={"wings": {"no_such": [2, b""]}})
    monkeypatch.setattr(restoring, "record_versions", lambda: {"no_such": 1})
    assert "with a newer version of the optional part no_such" in refusal(path)


def test_a_long_untouched_game_with_a_record_of_a_missing_wing_stays(path: Path) -> None:
    used_on(path, range(2, 2 + DAYS_OF_USE))
    store = Store.open(path)
    assert store.abandon(9 * DAY_S) == 0
    store.close()
    assert len(ask(path, "SELECT id FROM tables")) == 1


@pytest.mark.parametrize(
    "record", [[0, b""], [1], [1, b"", 2], [1, bytes(MOST_WING_BYTES + 1)], b"three"]
)
def test_a_damaged_record_is_a_sentence(path: Path, record: object) -> None:
    change_kept(path, table={"wings": {"no_such": record}})
    assert "The journal of tables is damaged" in refusal(path)
