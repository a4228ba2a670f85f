"""A database that an older version of the program has made serves the present one."""

import json
import sqlite3
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import asdict, replace

from engine.record import replay
from netcode.storage.history import History
from netcode.storage.schema import MIGRATIONS
from netcode.storage.store import Store
from netcode.table.errors import StoreError
from netcode.table.journal_entries import Ended, KeptAct, Snapshot
from netcode.table.table import Table
from tests.netcode.crashes import PORT
from tests.netcode.kept import ask, change, stopped


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


def version_1(path: Path, *tables: tuple[int, str, int, Snapshot]) -> None:
    """Make a database as version 1 did, of tables with their number, phase and games so far."""
    database = sqlite3.connect(path)
    for statement in MIGRATIONS[0]:
        assert isinstance(statement, str)
        database.execute(statement)
    database.execute("PRAGMA user_version = 1")
    for number, phase, games, kept in tables:
        settings = asdict(kept.table.settings)
        del settings["clock_s"]
        database.execute(
            "INSERT INTO tables (id, opened, bind, port, settings, phase, owner, games, revision)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                number,
                number,
                "::1",
                PORT,
                json.dumps(settings),
                phase,
                kept.table.owner,
                games,
                kept.table.revision,
            ),
        )
        database.executemany(
            "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    number,
                    place,
                    seat.family,
                    seat.name,
                    seat.bot,
                    *(seat.keys or (None, None)),
                    seat.host,
                    seat.left,
                    acted,
                )
                for place, (seat, acted) in enumerate(
                    zip(kept.table.seats, kept.table.acted, strict=True)
                )
            ],
        )
        assert kept.game is not None
        assert kept.game.record is not None
        for game in range(1, games + 1):
            database.execute(
                "INSERT INTO games VALUES (?, ?, ?, ?)",
                (number, game, kept.game.revision, kept.game.record.to_json()),
            )
        database.executemany(
            "INSERT INTO actions VALUES (?, ?, ?, ?, ?, ?)",
            [(number, games, act.step, act.seat, act.number, act.token) for act in kept.acts],
        )
    database.commit()
    database.close()


def some_game(tmp_path: Path, actions: int = 20) -> Snapshot:
    path = tmp_path / "other" / f"{actions}.db"
    stopped(path, actions)
    store = Store.open(path)
    try:
        return store.load(1)
    finally:
        store.close()


def test_a_game_of_version_1_goes_on(tmp_path: Path, path: Path) -> None:
    old = some_game(tmp_path)
    version_1(path, (1, "playing", 1, old))
    store = Store.open(path)
    assert ask(path, "PRAGMA user_version") == [(len(MIGRATIONS),)]
    found = store.unfinished()
    assert found is not None
    kept = store.load(found.table)
    assert kept.table == replace(old.table, settings=kept.table.settings)
    assert (kept.opened.bind, kept.opened.port) == ("::1", PORT)
    assert (kept.game, kept.acts) == (old.game, old.acts)
    table = Table.restore(kept, Random(1), lambda: bytes(32))
    record = table.record()
    assert record is not None
    assert [step.number for step in replay(record)] == list(range(1, 21))
    store.commit([(1, KeptAct(1, 21, 0, None, "!"))], 7000)
    assert ask(path, "SELECT touched FROM tables") == [(7000,)]
    assert len(store.load(1).acts) == 21


def test_tables_of_version_1_are_given_invitations(tmp_path: Path, path: Path) -> None:
    old = some_game(tmp_path)
    version_1(path, *((number, "playing", 1, old) for number in range(1, 21)))
    store = Store.open(path)
    invitations = [store.load(number).opened for number in range(1, 21)]
    assert len({each.secret for each in invitations}) == 20
    assert len({each.code for each in invitations}) == 20
    assert not any(each.plain or each.club for each in invitations)
    store.close()
    again = Store.open(path)
    assert [again.load(number).opened for number in range(1, 21)] == invitations


def test_of_what_version_1_did_not_say_nothing_is_made_up(tmp_path: Path, path: Path) -> None:
    version_1(
        path,
        # There are actions of the last game alone.
        (1, "playing", 2, some_game(tmp_path)),
        (2, "result", 1, some_game(tmp_path, 999)),
        (3, "lobby", 1, some_game(tmp_path, 30)),
    )
    Store.open(path).close()
    assert ask(path, "SELECT touched FROM tables") == [(None,)] * 3
    assert ask(path, "SELECT table_id, number, began, ended, outcome, past FROM games") == [
        (1, 2, None, None, None, 0),
        (2, 1, None, None, "finished", 1),
    ]
    assert ask(path, "SELECT began, ended, outcome FROM history ORDER BY id") == [
        (None, None, "finished"),
        (None, None, "abandoned"),
    ]
    with History.open(path) as history:
        names = [[player.name for player in game.players] for game in history.games()]
    assert names == [["", "", ""], ["a", "b", "c"]]


def test_the_latest_table_of_version_1_stays_the_latest(tmp_path: Path, path: Path) -> None:
    old = some_game(tmp_path)
    version_1(path, *((number, "playing", 1, old) for number in (1, 3, 2)))
    store = Store.open(path)
    numbers = []
    while (found := store.unfinished()) is not None:
        numbers.append(found.table)
        store.claim(found.table)
        store.commit([(found.table, Ended())], 0)
    assert numbers == [3, 2, 1]


def test_a_damaged_table_of_version_1_does_not_keep_the_others_back(
    tmp_path: Path, path: Path
) -> None:
    old = some_game(tmp_path)
    version_1(path, (1, "playing", 1, old), (2, "playing", 1, old))
    change(path, "UPDATE tables SET port = -7, revision = 'many' WHERE id = 1")
    store = Store.open(path)
    with pytest.raises(StoreError, match="is damaged"):
        store.load(1)
    assert store.load(2).acts == old.acts


def test_a_migration_that_fails_leaves_the_database_as_it_was(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version_1(path, (1, "playing", 1, some_game(tmp_path)))
    before = ask(path, "SELECT sql FROM sqlite_schema")
    with monkeypatch.context() as patch:
        broken = (MIGRATIONS[0], (*MIGRATIONS[1], "nonsense"))
        patch.setattr("netcode.storage.schema.MIGRATIONS", broken)
        with pytest.raises(StoreError):
            Store.open(path)
    assert ask(path, "SELECT sql FROM sqlite_schema") == before
    assert ask(path, "PRAGMA user_version") == [(1,)]
    assert Store.open(path).unfinished() is not None


def test_a_migrated_database_has_the_tables_of_a_new_one(tmp_path: Path, path: Path) -> None:
    version_1(path, (1, "playing", 1, some_game(tmp_path)))
    Store.open(path).close()
    new = tmp_path / "new.db"
    Store.open(new).close()
    names = "SELECT type, name, sql FROM sqlite_schema ORDER BY name"
    assert ask(path, names) == ask(new, names)
    assert ask(path, "PRAGMA integrity_check") == [("ok",)]
