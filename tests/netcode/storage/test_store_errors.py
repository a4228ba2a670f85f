"""Tests errors of the database and its disk: each causes one sentence, and no other harm."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from engine.record import RULES_VERSION
from netcode.protocol.messages import Line
from netcode.storage import database as database_module
from netcode.storage.database import APPLICATION, VERSION
from netcode.storage.history import History
from netcode.storage.store import Store, unfinished_table
from netcode.table.effects import Keep
from netcode.table.errors import StoreError, UnavailableError
from netcode.table.snapshot import Snapshot
from netcode.table.table import Table
from tests.support.dates import unix_time
from tests.support.kept import ask, at_play, change, change_kept, refusal, restored, stopped
from tests.support.pretend import play_on, snapshot_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "tables.db"


def test_a_record_of_other_rules_is_refused(path: Path) -> None:
    stopped(path)
    ours, other = f'"rules":{RULES_VERSION}', f'"rules":{RULES_VERSION + 1}'
    change_record(path, lambda record: record.replace(ours, other))
    assert refusal(path) == (
        f"The record uses rules version {RULES_VERSION + 1}, and this program version "
        f"{RULES_VERSION}: open it with the program that wrote it."
    )


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ({"game": {"actions": ["nonsense"]}}, "step 1 of the game, 'nonsense'"),
        ({"game": {"actions": [7]}}, "a row makes no sense"),
        ({"game": {"record": "{}"}}, "This is not a record of a game"),
        ({"game": {"acted": [-1, 0, 0]}}, "a row makes no sense"),
        ({"game": {"acted": [0, 0]}}, "the seats of a table are not valid"),
        ({"game": {"revision": "many"}}, "a row makes no sense"),
        ({"seats": {"name": "a"}}, "the seats of a table are not valid"),
        ({"seats": {"name": "\u3164"}}, "the seats of a table are not valid"),
        ({"seats": {"name": b"\xff"}}, "a row makes no sense"),
        ({"seats": {"host": True}}, "the seats of a table are not valid"),
        ({"seats": {"bot": "nobody"}, "place": 1}, "the seats of a table are not valid"),
        ({"seats": {"family": "z"}}, "a row makes no sense"),
        ({"seats": {"family": "v"}, "place": 1}, "the seats of a table are not valid"),
        ({"seats": {"keys": [b"", b""]}}, "a row makes no sense"),
        ({"seats": {"keys": None}}, "the seats of a table are not valid"),
        ({"seats": {"absence": "never"}}, "a row makes no sense"),
        ({"table": {"seats": []}}, "the seats of a table are not valid"),
        ({"table": {"settings": None}}, "a row makes no sense"),
        ({"table": {"opened": {"secret": b"", "code": "ABCDEFGH"}}}, "a row makes no sense"),
        ({"table": {"opened": {"secret": bytes(12), "code": "IIIIOOOO"}}}, "a row makes no sense"),
        ({"table": {"paused": 7}}, "a row makes no sense"),
    ],
)
def test_what_is_damaged_is_said_and_not_played(
    path: Path, damage: dict[str, Any], said: str
) -> None:
    stopped(path)
    change_kept(path, **damage)
    assert said in refusal(path)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("DELETE FROM games", "a row is missing"),
        ("UPDATE games SET kept = x'ff'", "a row makes no sense"),
        ("UPDATE tables SET kept = 'text'", "a row makes no sense"),
        ("DROP TABLE games", "no such table"),
        ("DROP TABLE tables", "no such table"),
    ],
)
def test_damaged_rows_are_said_and_not_played(path: Path, damage: str, said: str) -> None:
    stopped(path)
    change(path, damage)
    assert said in refusal(path)


def change_record(path: Path, change: Callable[[str], str]) -> None:
    store = Store.open(path)
    record = store.load(1).game.record
    store.close()
    change_kept(path, game={"record": change(record)})


@pytest.mark.parametrize("rows", ["tables", "games"])
def test_a_text_that_is_no_utf_8_stops_neither_the_start_nor_a_new_table(
    path: Path, rows: str
) -> None:
    stopped(path)
    ((kept,),) = ask(path, f"SELECT kept FROM {rows}")
    text = b"players" if rows == "games" else b"H7KDPX2A"
    assert text in kept
    spoilt = kept.replace(text, b"\xff" * len(text)).hex()
    change(path, f"UPDATE {rows} SET kept = x'{spoilt}'")
    found = unfinished_table(path)
    assert found is not None, "it is named when it is resumed"
    store = Store.open(path)
    assert store.prune(10**9) == store.abandon(10**9) == 0
    with pytest.raises(StoreError, match=r"\.$"):
        store.load(found.table)
    store.close()


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "overwritten": lambda content: b"x" * len(content),
    "truncated": lambda content: content[: len(content) // 2],
    "spoilt": lambda content: content[:8192] + b"\xff" * 4096 + content[12288:],
    "without schema": lambda content: content[:100] + b"\x00" * 3996 + content[4096:],
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_said_to_be(path: Path, damage: Callable[[bytes], bytes]) -> None:
    stopped(path)
    path.write_bytes(damage(path.read_bytes()))
    content = path.read_bytes()
    assert refusal(path).startswith(f"The file of tables and games, {path}, is damaged (")
    assert path.read_bytes() == content


def test_any_spoilt_bytes_give_a_sentence_or_a_table(path: Path) -> None:
    stopped(path)
    content = path.read_bytes()
    rng = Random(1)
    for _ in range(100):
        spoilt = bytearray(content)
        for _ in range(rng.randint(1, 30)):
            spoilt[rng.randrange(len(spoilt))] = rng.randrange(256)
        path.write_bytes(spoilt)
        for beside in ("-wal", "-shm"):
            path.with_name(path.name + beside).unlink(missing_ok=True)
        try:
            store = Store.open(path)
        except StoreError:
            continue
        try:
            found = store.unfinished()
            if found is not None:
                Table.restore(store.load(found.table), rng, lambda: bytes(32), unix_time=unix_time)
        except StoreError:
            pass
        finally:
            store.close()


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot be used: (Not a directory|File exists)"):
        Store.open(tmp_path / "file" / "tables.db")
    with pytest.raises(StoreError, match="cannot be used: unable to open database file"):
        Store.open(tmp_path)


@pytest.mark.parametrize(
    ("pragma", "said"),
    [
        (
            "query_only = 1",
            "The journal of tables is read-only: check the permissions of its file and folder.",
        ),
        ("max_page_count = 1", "Free some space: the disk has no room for the journal of tables."),
    ],
)
def test_a_disk_that_takes_nothing_is_said(path: Path, pragma: str, said: str) -> None:
    network, _ = at_play(path)
    network.store._database.execute(f"PRAGMA {pragma}")
    now = snapshot_of(network.table)
    talk = (Line(name="a", family="r", text="!" * 200),) * 50
    with pytest.raises(UnavailableError) as caught:
        network.keep([Keep(Snapshot(replace(now.table, talk=talk), now.game))])
    assert caught.value.sentence() == said
    network.store.close()
    assert restored(path).record() == network.table.record()


def test_a_program_that_does_not_let_go_is_said(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "BUSY_TIMEOUT_S", 0.0)
    network, _ = at_play(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    keep = Keep(snapshot_of(network.table))
    with pytest.raises(UnavailableError) as caught:
        network.keep([keep])
    assert caught.value.sentence() == (
        "The journal of tables is in use by another program: close that one first."
    )
    other.execute("ROLLBACK")
    network.keep([keep])


def test_a_program_that_writes_for_a_moment_is_waited_for(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network, _ = at_play(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    looked: list[float] = []

    def wait(seconds: float) -> None:
        looked.append(seconds)
        if len(looked) == 3:
            other.execute("ROLLBACK")

    monkeypatch.setattr("netcode.storage.database.time.sleep", wait)
    network.keep([Keep(snapshot_of(network.table))])
    assert looked == [database_module.LOOKS_EVERY_S] * 3


def test_no_error_tells_a_card_or_a_secret(path: Path) -> None:
    network = stopped(path)
    change_record(path, lambda record: record[:-1])
    record = network.table.record()
    assert record is not None
    with pytest.raises(StoreError) as caught:
        restored(path)
    text = repr(caught.value) + repr(caught.value.__context__) + repr(caught.value.__cause__)
    assert not any(hand in text for hand in record.deal.hands)


@pytest.mark.parametrize(
    "deleted",
    [
        [".db-wal"],
        [".db-wal", ".db-shm"],
        [".db-shm"],
        [".db"],
        [".db", ".db-wal", ".db-shm"],
        [".lock"],
        [".db", ".lock"],
    ],
    ids=str,
)
def test_files_that_are_deleted_under_a_running_host_are_said(
    path: Path, deleted: list[str]
) -> None:
    network, guests = at_play(path)
    for each in deleted:
        path.with_suffix(each).unlink()
    with pytest.raises(UnavailableError) as caught:
        play_on(guests, 25)
    assert caught.value.sentence() == (
        f"The file of tables and games, {path}, has been moved or deleted while it was in use: put "
        "it back, or a new one will be made."
    )
    # After the sentence, the newest state is stored in a new file.
    network.keep([Keep(snapshot_of(network.table))])
    play_on(guests, 30)
    network.store.close()
    assert restored(path).record() == network.table.record()
    assert ask(path, "PRAGMA integrity_check") == [("ok",)]
    assert {each.name for each in path.parent.iterdir()} == {"tables.db", "tables.lock"}


def test_a_file_in_the_place_of_the_database_is_left_alone_until_it_is_back(path: Path) -> None:
    network, guests = at_play(path)
    away = path.with_name("away.db")
    path.rename(away)
    path.write_bytes(b"somebody's")
    with pytest.raises(UnavailableError, match="has been moved or deleted"):
        play_on(guests, 25)
    with pytest.raises(UnavailableError, match="is damaged"):
        network.keep([Keep(snapshot_of(network.table))])
    assert path.read_bytes() == b"somebody's"
    away.rename(path)
    network.keep([Keep(snapshot_of(network.table))])


def test_a_new_database_says_whose_it_is_and_of_which_version(path: Path) -> None:
    Store.open(path).close()
    assert ask(path, "PRAGMA application_id") == [(APPLICATION,)]
    assert ask(path, "PRAGMA user_version") == [(VERSION,)] == [(1,)]
    assert ask(path, "PRAGMA integrity_check") == [("ok",)]


@pytest.mark.parametrize(
    "marks",
    [
        # Databases of unreleased programs, with tables of the same names.
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
            " program. It is left as it is: move it away, and a new one will be made."
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
