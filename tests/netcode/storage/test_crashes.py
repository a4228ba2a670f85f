"""Nothing is lost: what anybody was told is in the journal, wherever the host crashes."""

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.record import Record
from netcode.protocol.messages import Leave
from netcode.storage.history import History
from netcode.storage.store import Store
from netcode.table.errors import StoreError
from tests.netcode.storage.test_history import finished
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


# A program that is killed

PLAYING = """
import signal
import sys
from pathlib import Path
from engine.record import Record
from netcode.protocol.messages import TableSettings
from netcode.storage.store import Store
from netcode.table.effects import Keep
from netcode.table.finished_game import EndedGame, ending
from netcode.table.snapshot import KeptGame, KeptTable, Snapshot

table = KeptTable(TableSettings())
store = Store.open(Path(sys.argv[1]))
for begun, line in enumerate(sys.stdin, 1):
    record = Record.from_json(line)
    for step in range(len(record.actions)):
        game = KeptGame(begun=begun, phase="playing", actions=record.actions[:step])
        store.commit(dict.fromkeys((1, 2, 3), Keep(Snapshot(table, game))), begun)
        print(f"{begun} {step}\\n", end="", flush=True)
    game = KeptGame(begun=begun, phase="result", actions=record.actions)
    keep, ended = Keep(Snapshot(table, game)), EndedGame(record, ending(record), (0,))
    store.commit({1: Keep(Snapshot(table, game), (ended,)), 2: keep, 3: keep}, begun)
    print(f"{begun} {len(record.actions)}\\n", end="", flush=True)
signal.pause()
"""
"""Plays the games of its input, and then waits to be killed.

Each line that it says is one write, so that none is cut by the signal.
"""


@pytest.mark.parametrize("until", [(1, 30), (4, 1)])
def test_what_a_killed_program_has_committed_is_there_and_nothing_by_halves(
    tmp_path: Path, until: tuple[int, int]
) -> None:
    """Of all tables of a commit, and each game in the history or still in the journal."""
    path = tmp_path / "tables.db"
    with subprocess.Popen(
        (sys.executable, "-c", PLAYING, path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.writelines(f"{finished(begun).to_json()}\n" for begun in range(1, 7))
        program.stdin.close()
        told = [step_of(program.stdout.readline())]
        while told[-1] < until:
            told.append(step_of(program.stdout.readline()))
        with pytest.raises(StoreError, match="already open in another program"):
            Store.open(path).claim(2)
        program.send_signal(signal.SIGKILL)
        told += map(step_of, program.stdout.read().splitlines())
    store = Store.open(path)
    kept, *others = (store.load(table).game for table in (1, 2, 3))
    store.close()
    assert others == [kept, kept]
    # One commit may have come through of which there was no time to tell.
    at = (kept.begun, len(kept.actions))
    actions = {begun: finished(begun).actions for begun in range(1, kept.begun + 1)}
    begun, step = told[-1]
    whole = step == len(actions[begun])
    assert at in (told[-1], (begun + 1, 0) if whole else (begun, step + 1))
    assert [each.actions for each in reversed(games_of(path))] == [
        actions[begun] for begun in range(1, kept.begun + (kept.phase == "result"))
    ]


def step_of(line: str) -> tuple[int, int]:
    """Return the game and the step that the program says it has kept."""
    begun, step = map(int, line.split())
    return begun, step
