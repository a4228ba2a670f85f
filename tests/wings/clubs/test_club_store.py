"""Tests the database of a club: its secret, its tables, and the games of its league."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from netcode.storage.history import History
from netcode.storage.store import DAY_S, DAYS_OF_USE, Store
from netcode.table.effects import Keep
from netcode.table.errors import StoreError, UnavailableError
from netcode.table.finished_game import EndedGame, ending
from netcode.table.snapshot import KeptTable, Snapshot
from netcode.wings.clubs.club_store import ClubStore
from tests.netcode.storage.test_history import finished
from tests.support.kept import OPENED, KeptNetwork, ask, at_play, change_kept, stopped, used_on
from tests.support.pretend import snapshot_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "tables.db"


def at_club(path: Path, number: int = 1) -> KeptNetwork:
    """Store a club's table in the middle of a game, and return it."""
    network, _ = at_play(path, number=number)
    network.store.close()
    store = ClubStore.open(path)
    store.commit({number: Keep(snapshot_of(network.table))}, 0)
    store.close()
    return network


def test_the_club_has_one_secret_for_good(path: Path) -> None:
    store = ClubStore.open(path)
    assert store.secret(bytes(12)) == bytes(12)
    assert store.secret(b"another one!") == bytes(12)
    store.close()
    assert ClubStore.open(path).secret(b"a third one!") == bytes(12)


def test_the_tables_of_the_club_are_told_of_without_being_loaded(path: Path) -> None:
    network = at_club(path, 1)
    club, host = ClubStore.open(path), Store.open(path)
    second = replace(OPENED, secret=bytes(12), code="ABCDEFGH")
    settings = replace(network.table.games.settings, edition=1)
    kept = Keep(Snapshot(KeptTable(settings, opened=second)))
    for number, store in ((2, club), (3, host), (4, club)):
        store.commit({number: kept}, 2000)
    club.commit({4: Keep(None)}, 2000)
    assert [number for number, _ in club.tables()] == [1, 2]
    assert club.tables() == [(number, club.load(number)) for number in (1, 2)]


@pytest.mark.parametrize(
    "damage",
    [
        {"table": {"settings": 7}},
        {"table": {"opened": {}}},
        {"seats": {"name": ""}},
        {"game": {"phase": "never"}},
        {"game": {"revision": "many"}},
    ],
)
def test_a_damaged_table_does_not_hide_the_others_of_the_club(
    path: Path, damage: dict[str, Any]
) -> None:
    at_club(path, 1)
    at_club(path, 2)
    change_kept(path, **damage)
    store = ClubStore.open(path)
    assert [number for number, _ in store.tables()] == [2]
    with pytest.raises(StoreError, match="is damaged"):
        store.load(1)
    assert len(store.load(2).game.actions) == 8


def test_a_table_of_the_club_is_not_resumed_by_its_members(path: Path) -> None:
    at_club(path, 1)
    assert Store.open(path).unfinished(with_locked=True, empty=True) is None


def test_a_game_of_the_club_that_nobody_came_back_to_counts_as_the_clubs(path: Path) -> None:
    stopped(path)
    at_club(path, 2)
    used_on(path, range(1, 1 + DAYS_OF_USE))
    store = ClubStore.open(path)
    assert store.abandon(DAY_S) == 1
    assert [number for number, _ in store.tables()] == []
    [game] = store.games(0)
    assert game.outcome == "abandoned"
    found = Store.open(path).unfinished()
    assert found is not None
    assert found.table == 1


def test_a_game_of_the_club_stays_one_however_often_it_comes(path: Path) -> None:
    ours, others = finished(1), finished(2)
    path.parent.mkdir()
    with History.open(path) as history:
        history.add(ours, (0,), "finished", "joined")
        store = ClubStore.open(path)
        store.commit({1: Keep(None, (EndedGame(ours, ending(ours), ()),))}, 0)
        history.add(ours, (1,), "finished", "joined")
        history.add(others, (0,), "finished", "own")
    assert ask(path, "SELECT listed ->> 'own' FROM history ORDER BY id") == [("[0,1]",), ("[0]",)]
    [kept] = store.games(0)
    assert store.games(kept.id) == []
    store.close()
    # The league has no games that the history has deleted.
    with History.open(path) as history:
        history.remove(kept.id)
    assert ClubStore.open(path).games(0) == []
    assert ask(path, "SELECT count(*) FROM club_games") == [(0,)]


def test_a_game_that_cannot_be_counted_is_not_saved_either(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, store = finished(1), ClubStore.open(path)
    keep = Keep(None, (EndedGame(game, ending(game), ()),))

    def fail(_record: object) -> bytes:
        raise StoreError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr("netcode.wings.clubs.club_store.identity", fail)
        with pytest.raises(StoreError):
            store.commit({1: keep}, 0)
    assert ask(path, "SELECT id FROM history") == []
    store.commit({1: keep}, 0)
    assert len(store.games(0)) == 1


def test_a_database_that_is_begun_anew_has_the_tables_of_clubs(path: Path) -> None:
    game, store = finished(1), ClubStore.open(path)
    shutil.rmtree(path.parent)
    keep = Keep(None, (EndedGame(game, ending(game), ()),))
    with pytest.raises(UnavailableError):
        store.commit({1: keep}, 0)
    store.commit({1: keep}, 0)
    assert len(store.games(0)) == 1
