"""Nothing is lost: what anybody was told is in the journal, wherever the host crashes."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from engine.record import Record
from netcode.protocol.messages import Leave
from netcode.storage.history import History
from netcode.storage.store import Store
from tests.support.kept import at_play
from tests.support.pretend import play_on, tokens


def games_of(path: Path) -> list[Record]:
    with History.open(path) as history:
        return [history.record(game.id) for game in history.games()]


class CrashError(Exception):
    """The host is gone."""


class DyingDatabase:
    """A database whose program is gone after some statements."""

    def __init__(self, database: sqlite3.Connection, statements: int) -> None:
        self._database = database
        self._left = statements

    def __getattr__(self, name: str) -> Any:
        if name in ("execute", "executemany"):
            self._left -= 1
            if self._left < 0:
                raise CrashError
        return getattr(self._database, name)


@pytest.mark.parametrize("last", ["action", "leave"])
def test_the_commit_that_ends_a_game_is_whole_wherever_it_is_cut(tmp_path: Path, last: str) -> None:
    network, guests = at_play(tmp_path / "whole.db", 1000)
    actions = len(tokens(guests[0])) - 1 if last == "action" else 20
    network.store.close()
    for statements in range(50):
        path = tmp_path / f"{statements}.db"
        network, guests = at_play(path, actions)
        for participant in guests[1:] if last == "leave" else []:
            participant.say(Leave())
        database = network.store._database
        network.store._database = DyingDatabase(database, statements)  # type: ignore[assignment]
        try:
            if last == "leave":
                guests[0].say(Leave())
            else:
                play_on(guests, 1)
        except CrashError:
            survived = False
        else:
            survived = True
        database.close()
        network.store._locks.close()
        store = Store.open(path)
        kept = store.load(1)
        store.close()
        past = games_of(path)
        assert (kept.game.phase == "playing") == (not past)
        assert len(past) <= 1
        if past:
            assert len(past[0].actions) == actions + (last == "action")
        if survived:
            assert past
            assert statements > 5
            return
    pytest.fail("the commit never came to its end")
