"""Tests one damaged field of a stored table: the table is restored unchanged, or refused."""

from collections.abc import Callable
from pathlib import Path

import pytest

from netcode.storage.store import DAY_S, DAYS_OF_USE, Store
from tests.support.damage import unnoticed
from tests.support.kept import change_kept, stopped, used_on

STATES: dict[str, Callable[[Path], object]] = {
    "dealt": lambda path: stopped(path, 0),
    "in a game": stopped,
    "at a result": lambda path: stopped(path, 1000),
}


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_a_damaged_field_loses_no_game_without_a_sentence(
    tmp_path: Path, state: Callable[[Path], object]
) -> None:
    path = tmp_path / "tables.db"
    state(path)
    assert unnoticed(path) == []


def test_no_running_game_is_pruned_as_a_lobby(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    stopped(path)
    change_kept(path, game={"begun": 0})
    used_on(path, range(2, 2 + DAYS_OF_USE))
    store = Store.open(path)
    assert store.prune(9 * DAY_S) == 0
    store.close()
