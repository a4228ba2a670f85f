"""Tests games against bots in the database: the game to continue, and the stored games."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from netcode.storage.database import default_path
from netcode.storage.history import History
from netcode.storage.solo_store import SET_ASIDE, SoloStore, has_unfinished_game, restored_table
from netcode.storage.store import GAMES_KEPT_S, Store
from netcode.table.errors import StoreError
from netcode.table.play import Play
from netcode.table.table import Table
from tests.support.damage import damages
from tests.support.kept import ask, change, change_kept, stopped
from tests.support.solo import solo_game, store_solo

ROWS = "SELECT tables.kept, games.kept FROM tables LEFT JOIN games ON id = table_id ORDER BY id"


def spoil_text(path: Path, rows: str, text: bytes) -> None:
    """Replace a stored text by bytes that are no UTF-8."""
    ((kept,),) = ask(path, f"SELECT kept FROM {rows}")
    assert text in kept
    spoilt = kept.replace(text, b"\xff" * len(text)).hex()
    change(path, f"UPDATE {rows} SET kept = x'{spoilt}'")


DAMAGE: dict[str, Callable[[Path], object]] = {
    "no table": lambda path: change(path, "UPDATE tables SET kept = x'c1'"),
    "no game": lambda path: change(path, "UPDATE games SET kept = x'c1'"),
    "a name that is no text": lambda path: spoil_text(path, "tables", b"Ada"),
    "a record that is no text": lambda path: spoil_text(path, "games", b"Ada"),
    "no row of the game": lambda path: change(path, "DELETE FROM games"),
    "a broken rule": lambda path: change_kept(path, game={"actions": ["A>", "A>", "A>"]}),
    "an answer too few": lambda path: change_kept(path, game={"actions": ["A>"]}),
    "another phase": lambda path: change_kept(path, game={"phase": "result"}),
    "nobody": lambda path: change_kept(path, seats={"bot": "novice", "keys": None}),
    "nobody at all": lambda path: change_kept(path, table={"seats": []}),
    "no host": lambda path: change_kept(path, seats={"host": False}),
    "no owner": lambda path: change_kept(path, table={"owner": None}),
    "an unknown record": lambda path: change_kept(path, game={"record": "{}"}),
}


@pytest.fixture
def path() -> Path:
    return default_path()


def continued(number: int = 1) -> Table:
    """Return the table of the unfinished game; raises StoreError if the game cannot be restored."""
    store = SoloStore.open()
    try:
        found = store.load_unfinished()
        assert found is not None
        assert found[0] == number
        return restored_table(found[1], Random(1), bytes(32), lambda: 0.0)
    finally:
        store.close()


def begin_another() -> None:
    """Prepare the database for a new game, as the program does."""
    store = SoloStore.open()
    store.prepare(0)
    store.close()


def saved(play: Play | None) -> object:
    assert play is not None
    return play.saved()


@pytest.mark.parametrize("settings", [{}, {"two": True}, {"best_of": 3}, {"edition": 1}])
def test_a_game_goes_on_where_it_was(settings: dict[str, Any], path: Path) -> None:
    kept = solo_game(4, **settings)
    assert not has_unfinished_game()
    store_solo(kept)
    assert has_unfinished_game()
    table = continued()
    assert table.games.phase == "playing"
    assert table.games.kept() == kept.game
    assert table._broadcast.lobby().settings == kept.table.settings


def test_the_latest_game_is_continued_that_no_program_has_open(path: Path) -> None:
    for number in (5, 3, 4):
        store_solo(solo_game(number), number)
    first, second, third, none = (SoloStore.open() for _ in range(4))
    found = [store.load_unfinished() for store in (first, second, third, none)]
    assert [each and each[0] for each in found] == [4, 3, 5, None]
    assert not has_unfinished_game()
    first.close()
    assert has_unfinished_game()
    for store in (second, third, none):
        store.close()


def test_a_game_that_is_over_is_not_offered_and_makes_room(path: Path) -> None:
    store_solo(solo_game(None))
    assert not has_unfinished_game()
    store = SoloStore.open()
    assert store.load_unfinished() is None
    store.close()
    begin_another()
    assert ask(path, ROWS) == []


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_game_is_named_until_another_begins_and_is_never_deleted(
    damage: str, path: Path
) -> None:
    store_solo(solo_game())
    DAMAGE[damage](path)
    before = ask(path, ROWS)
    for _ in range(2):
        assert has_unfinished_game()
        with pytest.raises(StoreError, match=r"\.$"):
            continued()
    begin_another()
    assert not has_unfinished_game()
    store_solo(solo_game(2), 2)
    continued(2)
    assert ask(path, ROWS)[: len(before)] == before
    assert ask(path, "SELECT keeper FROM tables WHERE id = 1") == [(SET_ASIDE,)]


def test_no_damage_of_a_field_deletes_a_game(path: Path) -> None:
    store_solo(solo_game())
    content = path.read_bytes()
    for damage in damages(path):
        path.write_bytes(content)
        change_kept(path, table=damage.get("table"), game=damage.get("game"))
        before = ask(path, ROWS)
        begin_another()
        assert ask(path, ROWS) == before, damage


def test_a_game_of_another_version_stays_and_stops_nobody(path: Path) -> None:
    store_solo(solo_game())
    change_kept(path, game={"future": 1})
    before = ask(path, f"{ROWS.replace('SELECT', 'SELECT keeper,')}")
    assert not has_unfinished_game()
    begin_another()
    assert ask(path, f"{ROWS.replace('SELECT', 'SELECT keeper,')}") == before


def test_a_game_that_is_open_elsewhere_is_left_alone(path: Path) -> None:
    store_solo(solo_game())
    elsewhere = SoloStore.open()
    assert elsewhere.load_unfinished() is not None
    change(path, "UPDATE games SET kept = x'c1'")
    begin_another()
    assert ask(path, "SELECT keeper FROM tables") == [("solo",)]
    elsewhere.close()


def test_hosts_and_games_against_bots_have_nothing_of_each_other(path: Path) -> None:
    stopped(path, 5, number=9)
    host = Store.open()
    store_solo(solo_game(), 2)
    found = host.unfinished(empty=True)
    assert found is not None
    assert found.table == 9
    host.close()
    continued(2)


def test_a_game_of_long_ago_is_in_the_history(path: Path) -> None:
    store_solo(solo_game())
    for day in range(400, 420):
        store_solo(solo_game(None), 100 + day)
        change(path, f"INSERT OR IGNORE INTO days VALUES ({day})")
    store = SoloStore.open()
    store.prepare(420 * 86_400 + GAMES_KEPT_S)
    store.close()
    assert not has_unfinished_game()
    with History.open(path, reading=True) as history:
        assert len(history.games()) == 1
