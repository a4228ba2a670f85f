"""The database of tables: what comes back out of it, and what is said when it cannot be used."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from engine.record import RULES_VERSION
from netcode.keeping import Ended, Entry, KeptAct, Opened, StoreError
from netcode.messages import AddBot, Remove, SetReady, Start
from netcode.store import MIGRATIONS, Store, default_path
from netcode.table import Table
from tests.netcode.crashes import PORT, CrashingNetwork
from tests.netcode.pretend import Guest, play_on, seated


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "tables.db"


def at_play(path: Path, actions: int = 20) -> tuple[CrashingNetwork, list[Guest]]:
    """Return a table in the middle of a game, which is kept at the path."""
    network = CrashingNetwork(path, Random(1))
    guests = seated(network, "abc")
    for guest in guests[1:]:
        guest.say(SetReady(ready=True))
    guests[0].say(Start())
    play_on(guests, actions)
    return network, guests


def restored(path: Path) -> Table:
    store = Store.open(path)
    try:
        found = store.unfinished()
        assert found is not None
        return Table.restore(store.load(found.table), Random(1), lambda: os.urandom(32))
    finally:
        store.close()


def change(path: Path, *statements: str) -> None:
    """Do something to the database behind the back of the program."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA ignore_check_constraints = 1")
    for statement in statements:
        database.execute(statement)
    database.commit()
    database.close()


def refusal(path: Path) -> str:
    """Return the sentence with which the table is not brought back."""
    with pytest.raises(StoreError) as caught:
        restored(path)
    return caught.value.sentence()


def test_a_table_comes_back_as_it_was(path: Path) -> None:
    network, _ = at_play(path)
    table = restored(path)
    assert table.record() == network.table.record()
    assert table.revision == network.table.revision


def test_nobody_else_can_read_it(path: Path) -> None:
    at_play(path)
    assert path.parent.stat().st_mode & 0o777 == 0o700
    files = list(path.parent.iterdir())
    assert {file.name for file in files} >= {"tables.db", "tables.db-wal"}
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in files)


def test_it_lies_in_the_folder_for_the_data_of_this_user(tmp_path: Path) -> None:
    assert default_path().is_relative_to(tmp_path)
    assert default_path().name == "tables.db"


def test_keys_are_nowhere_in_it(path: Path) -> None:
    _, guests = at_play(path)
    kept = b"".join(file.read_bytes() for file in path.parent.iterdir())
    for guest in guests:
        assert guest.session.key is not None
        assert guest.session.key not in kept
        assert guest.session.key.hex().encode() not in kept


def test_a_new_journal_has_nothing_to_resume(path: Path) -> None:
    assert Store.open(path).unfinished() is None


@pytest.mark.parametrize("names", ["", "a"])
def test_a_lobby_where_nobody_else_has_come_is_not_worth_resuming(path: Path, names: str) -> None:
    network = CrashingNetwork(path, Random(1))
    for guest in seated(network, names):
        guest.say(AddBot(bot="steady"))
    assert network.store.unfinished() is None


def test_a_lobby_of_several_comes_back_with_their_seats(path: Path) -> None:
    network = CrashingNetwork(path, Random(1))
    guests = seated(network, "abc")
    guests[0].say(Remove(family="b"))
    network.table = restored(path)
    for guest in (guests[0], guests[2]):
        guest.come_back()
        assert guest.session.lobby is not None
        assert [seat.name for seat in guest.session.lobby.seats] == ["a", "c"]
    assert guests[0].session.is_host


def test_the_latest_table_is_resumed(path: Path) -> None:
    at_play(path)[0].store.close()
    network, _ = at_play(path, 5)
    assert restored(path).record() == network.table.record()
    network.store.commit([Ended()])
    record = restored(path).record()
    assert record is not None
    assert len(record.actions) == 20


def test_a_table_that_is_resumed_becomes_the_latest(path: Path) -> None:
    first, _ = at_play(path)
    first.store.close()
    at_play(path, 5)[0].store.close()
    store = Store.open(path)
    store.load(1)
    store.commit([Opened(bytes(12), "00000000", "::1", PORT + 1)])
    found = store.unfinished()
    assert found is not None
    assert (found.table, found.playing) == (1, True)
    assert store.load(1).opened == Opened(bytes(12), "00000000", "::1", PORT + 1)


@pytest.mark.parametrize(
    ("actions", "resumed"), [(5, True), (1000, False)], ids=["in a game", "after it"]
)
def test_closing_ends_a_table_unless_a_game_is_under_way(
    path: Path, actions: int, resumed: bool
) -> None:
    network, _ = at_play(path, actions)
    assert network.store.unfinished() is not None
    network.carry_out(network.table.close("host_quit"))
    assert (network.store.unfinished() is not None) == resumed


def test_all_entries_of_a_commit_are_kept_or_none(path: Path) -> None:
    network, _ = at_play(path)
    again = KeptAct(1, 20, 0, None, "!")
    entries: list[Entry] = [KeptAct(1, 21, 0, None, "!"), again]
    with pytest.raises(StoreError, match="is damaged"):
        network.store.commit(entries)
    assert restored(path).record() == network.table.record()


def test_a_record_of_other_rules_is_refused(path: Path) -> None:
    at_play(path)
    ours, other = f'"rules":{RULES_VERSION}', f'"rules":{RULES_VERSION + 1}'
    change(path, f"UPDATE games SET record = replace(record, '{ours}', '{other}')")
    assert refusal(path) == (
        f"The record was made under rules version {RULES_VERSION + 1}; "
        f"this is version {RULES_VERSION}."
    )


def test_a_newer_journal_is_refused_and_left_alone(path: Path) -> None:
    at_play(path)[0].store.close()
    change(path, f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    assert refusal(path).startswith("The journal of tables was written by a newer version")
    change(path, f"PRAGMA user_version = {len(MIGRATIONS)}")
    restored(path)


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("DELETE FROM actions WHERE step = 7", "step 7 of the game is missing"),
        ("UPDATE actions SET token = 'nonsense' WHERE step = 3", "step 3 of the game, 'nonsense'"),
        ("UPDATE actions SET seat = (seat + 1) % 3 WHERE step = 3", "step 3 of the game"),
        ("UPDATE actions SET seat = 77 WHERE step = 3", "is damaged: "),
        ("UPDATE actions SET number = -1 WHERE step = 3", "is damaged: "),
        ("DELETE FROM games", "a row is missing"),
        ("UPDATE games SET record = '{}'", "This is no record of a game"),
        ("UPDATE games SET record = replace(record, 'pace_ms', 'peace')", "the settings"),
        ("DELETE FROM seats WHERE place = 1", "the seats of the table make no sense"),
        ("UPDATE seats SET name = 'a'", "the seats of the table make no sense"),
        ("UPDATE seats SET host = 1", "the seats of the table make no sense"),
        ("UPDATE seats SET bot = 'nobody' WHERE place = 1", "the seats of the table make no sense"),
        ("UPDATE seats SET family = 'z' WHERE place = 1", "the seats of the table make no sense"),
        ("UPDATE seats SET acted = -1", "is damaged: "),
        ("UPDATE seats SET key_hash = x'00'", "is damaged: "),
        ("UPDATE seats SET key_hash = NULL, previous_key_hash = NULL", "the seats of the table"),
        ("UPDATE tables SET settings = '{'", "make no sense"),
        ("UPDATE tables SET revision = 'many'", "is damaged: "),
        ("UPDATE tables SET port = 0", "is damaged: "),
        ("DROP TABLE actions", "cannot be used: no such table"),
        ("DROP TABLE tables", "cannot be used: no such table"),
    ],
)
def test_what_is_damaged_is_said_and_not_played(path: Path, damage: str, said: str) -> None:
    at_play(path)[0].store.close()
    change(path, damage)
    assert said in refusal(path)


def overwritten(content: bytes) -> bytes:
    return b"x" * len(content)


def truncated(content: bytes) -> bytes:
    return content[: len(content) // 2]


def spoilt(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + b"\xff" * 4096 + content[middle + 4096 :]


def without_schema(content: bytes) -> bytes:
    return content[:100] + b"\x00" * 3996 + content[4096:]


@pytest.mark.parametrize("damage", [overwritten, truncated, spoilt, without_schema])
def test_a_damaged_file_is_said_to_be(path: Path, damage: Callable[[bytes], bytes]) -> None:
    at_play(path)[0].store.close()
    path.write_bytes(damage(path.read_bytes()))
    assert refusal(path).startswith("The journal of tables ")


def test_any_spoilt_bytes_give_a_sentence_or_a_table(path: Path) -> None:
    at_play(path)[0].store.close()
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
                Table.restore(store.load(found.table), rng, lambda: bytes(32))
        except StoreError:
            pass
        finally:
            store.close()


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match=r"cannot be used: (Not a directory|File exists)"):
        Store.open(tmp_path / "file" / "tables.db")
    with pytest.raises(StoreError, match="cannot be used: Is a directory"):
        Store.open(tmp_path)


@pytest.mark.parametrize(
    ("pragma", "said"), [("query_only = 1", "readonly"), ("max_page_count = 1", "full")]
)
def test_a_disk_that_takes_nothing_is_said(path: Path, pragma: str, said: str) -> None:
    network, _ = at_play(path)
    network.store._database.execute(f"PRAGMA {pragma}")
    with pytest.raises(StoreError, match=rf"^The journal of tables cannot be used: .*{said}"):
        network.store.commit([KeptAct(1, step, 0, None, "!" * 1000) for step in range(21, 400)])
    assert restored(path).record() == network.table.record()
