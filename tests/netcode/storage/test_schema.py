"""There is one schema: a database of another version is refused, and left as it is."""

from pathlib import Path

import pytest

from netcode.storage.database import APPLICATION, VERSION
from netcode.storage.history import History
from netcode.storage.store import Store
from netcode.table.errors import StoreError
from tests.support.kept import ask, change, restored, stopped


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


def test_a_new_database_says_whose_it_is_and_of_which_version(path: Path) -> None:
    Store.open(path).close()
    assert ask(path, "PRAGMA application_id") == [(APPLICATION,)]
    assert ask(path, "PRAGMA user_version") == [(VERSION,)] == [(1,)]
    assert ask(path, "PRAGMA integrity_check") == [("ok",)]


@pytest.mark.parametrize(
    "marks",
    [
        # As programs made them that were never released, with tables of the same names.
        *(f"PRAGMA application_id = 0; PRAGMA user_version = {each}" for each in (0, 8)),
        f"PRAGMA user_version = {VERSION + 1}",
        "PRAGMA application_id = 7",
    ],
)
def test_a_database_of_another_version_is_refused_and_left_as_it_is(path: Path, marks: str) -> None:
    stopped(path)
    change(path, *marks.split(";"))
    before = path.read_bytes()
    for opens in (Store.open, History.open, lambda each: History.open(each, reading=True)):
        with pytest.raises(StoreError) as caught:
            opens(path)
        assert caught.value.sentence() == (
            f"The file of tables and games, {path}, was written by another version of this"
            " program. It is left as it is: move it away, and a new one is begun."
        )
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir() if each.name.endswith("-wal")] == []
    path.rename(path.with_name("away.db"))
    Store.open(path).close()
    change(
        path.with_name("away.db"),
        f"PRAGMA application_id = {APPLICATION}",
        f"PRAGMA user_version = {VERSION}",
    )
    path.with_name("away.db").rename(path)
    restored(path)


def test_a_schema_that_cannot_be_made_leaves_nothing_behind(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("netcode.storage.database._SCHEMA", "CREATE TABLE a (b); nonsense")
        with pytest.raises(StoreError):
            Store.open(path)
    assert ask(path, "SELECT name FROM sqlite_schema") == []
    Store.open(path).close()
