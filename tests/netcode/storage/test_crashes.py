"""Nothing is lost: what anybody was told is in the journal, wherever the host crashes."""

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.record import Record, replay
from netcode.protocol.fields import FamilyLetter
from netcode.protocol.messages import (
    BackToLobby,
    ChangeSettings,
    ChooseFamily,
    Leave,
    SetReady,
    Start,
    TableSettings,
)
from netcode.storage.history import History
from netcode.storage.store import Store
from netcode.table.errors import StoreError
from netcode.table.table import Table
from tests.netcode.storage.test_history import finished
from tests.support.crashes import CrashError, Evening, House
from tests.support.kept import at_play
from tests.support.pretend import OWNER_KEY, Participant, play_on, tokens


@pytest.mark.parametrize(
    ("seed", "crash_within"),
    [
        *[(1, 3), (2, 12), (0, 60), (1, 60), (2, 60), (1, 400)],
        *(pytest.param(seed, 12, marks=pytest.mark.long) for seed in range(3, 30)),
        *(pytest.param(seed, 60, marks=pytest.mark.long) for seed in range(3, 30)),
        *(pytest.param(seed, 400, marks=pytest.mark.long) for seed in range(2, 30)),
    ],
)
def test_a_game_survives_its_host_crashing_at_any_moment(
    tmp_path: Path, seed: int, crash_within: int
) -> None:
    path = tmp_path / "tables.db"
    evening = Evening(path, seed)
    evening.play(crash_within)
    assert evening.network.crashes or crash_within == 400
    assert_all_is_kept(path, evening)


@pytest.mark.parametrize(
    ("seed", "crash_within"),
    [
        (2, 200),
        (4, 400),
        *(pytest.param(seed, 12, marks=pytest.mark.long) for seed in range(10)),
        *(pytest.param(seed, 60, marks=pytest.mark.long) for seed in range(2, 10)),
    ],
)
def test_several_games_survive_the_crashes_of_the_one_program_that_hosts_them(
    tmp_path: Path, seed: int, crash_within: int
) -> None:
    path = tmp_path / "tables.db"
    house = House(path, seed, evenings=3)
    house.play(crash_within)
    assert house.crashes
    for evening in house.evenings:
        assert_all_is_kept(path, evening)


def assert_all_is_kept(path: Path, evening: Evening) -> None:
    """Assert that a game is over, and that each act of a guest which counted is kept once."""
    record = evening.network.table.record()
    assert record is not None
    *_, last = replay(record)
    assert last.after.over
    network = evening.network
    kept = network.store.load(network.number).game
    assert kept.actions == record.actions
    assert kept == network.table.snapshot().game
    past = [each for each in games_of(path) if each.deal == record.deal]
    assert [each.actions for each in past] == [record.actions]
    numbered = [network.played[step] for step in sorted(network.played)]
    assert len(set(numbered)) == len(numbered)
    said = {
        (seat, act.number): act.action
        for seat, participant in zip(_seats(evening), evening.guests, strict=True)
        for act in participant.acts
    }
    assert all(said[mine] == kept.actions[step] for step, mine in network.played.items())


def games_of(path: Path) -> list[Record]:
    with History.open(path) as history:
        return [history.record(game.id) for game in history.games()]


def _seats(evening: Evening) -> list[int]:
    """Return the seats of the guests."""
    lobby = evening.guests[0].session.lobby
    assert lobby is not None
    names = [seat.name for seat in lobby.seats]
    return [names.index(participant.name) for participant in evening.guests]


def test_telling_before_keeping_would_be_noticed(tmp_path: Path) -> None:
    def survives(seed: int) -> bool:
        evening = Evening(tmp_path / f"{seed}.db", seed, acks_first=True)
        try:
            evening.play(12)
        except (AssertionError, KeyError):
            return False
        return True

    assert not all(survives(seed) for seed in range(5))


def test_a_key_opens_its_seat_after_each_crash(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "tables.db", 1)
    participant, network = evening.guests[1], evening.network
    key = participant.session.key
    for _ in range(2):
        network.crash()
        participant.come_back()
        assert participant.session.family == evening.families[1]
        participant.act("!")
    network.crash()
    again = Participant(network, participant.name, key=key)
    assert again.session.family == evening.families[1]


def test_an_owner_gets_their_seat_and_the_table_back_with_a_new_key(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "tables.db", 1)
    network, participant = evening.network, evening.guests[0]
    network.crash()
    kept = network.store.load(1)
    network.table = Table.restore(kept, Random(1), lambda: bytes(32), OWNER_KEY)
    owner = Participant(network, "somebody", key=OWNER_KEY)
    assert owner.session.is_host
    assert owner.session.family == participant.session.family
    evening.guests[1].come_back()
    assert not evening.guests[1].session.is_host


def test_bots_wait_for_somebody_to_return(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "tables.db", 1)
    network = evening.network
    network.crash()
    before = network.table.record()
    network.wait(1000.0)
    assert network.table.record() == before
    evening.guests[1].come_back()
    network.wait(1000.0)
    play_on(evening.guests[1:2], 3)
    assert network.table.record() != before


def test_a_table_that_all_have_left_is_a_lobby_again(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    evening = Evening(path, 1)
    for participant in evening.guests:
        participant.say(Leave())
    evening.network.store.close()
    assert Store.open(path).unfinished() is None


def test_games_and_lobbies_after_the_first_come_back_too(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "tables.db", 1)
    network, (host, *others) = evening.network, evening.guests
    revisions = []
    choices: tuple[tuple[FamilyLetter, ...], ...] = (("b", "g", "v"), ("v", "g", "y"))
    for families in choices:
        play_to_the_end(evening)
        network.crash()
        for participant in evening.guests:
            participant.come_back()
            assert participant.phase() == "result"
        host.say(BackToLobby())
        for participant, family in zip(evening.guests, families, strict=False):
            participant.say(ChooseFamily(family=family))
        host.say(ChangeSettings(settings=TableSettings(edition=1, pace_ms=0)))
        for participant in others:
            participant.say(SetReady(ready=True))
        host.say(Start())
        evening.families = [participant.session.family for participant in evening.guests]
        revisions.append(network.table.revision)
        network.crash()
        for participant in evening.guests:
            participant.come_back()
            assert participant.session.view is not None
            assert participant.session.view.edition.number == 1
        assert [participant.session.family for participant in evening.guests] == evening.families
        assert host.session.is_host
    assert revisions == sorted(set(revisions))
    assert network.table._games.begun == 3
    with History.open(network.path) as history:
        finished = [game.outcome for game in history.games()]
    assert finished == ["finished", "finished"]


def play_to_the_end(evening: Evening) -> None:
    while evening.guests[0].phase() != "result":
        evening.network.wait(1.0)
        play_on(evening.guests, 1)


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

COMMITTING = """
import sys
from itertools import count
from netcode.storage.store import Store
from netcode.table.effects import Keep
from netcode.table.snapshot import KeptGame, KeptTable, Snapshot
from netcode.protocol.messages import TableSettings
from pathlib import Path

store = Store.open(Path(sys.argv[1]))
table = KeptTable(TableSettings())
for step in count(1):
    keep = Keep(Snapshot(table, KeptGame(actions=("!",) * step)))
    store.commit(dict.fromkeys((1, 2, 3), keep), step)
    print(step, flush=True)
"""


@pytest.mark.parametrize("steps", [1, 50, 700])
def test_what_a_killed_program_has_committed_is_there_and_nothing_by_halves(
    tmp_path: Path, steps: int
) -> None:
    path = tmp_path / "tables.db"
    with subprocess.Popen(
        (sys.executable, "-c", COMMITTING, path),
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout is not None
        while int(program.stdout.readline()) < steps:
            pass
        with pytest.raises(StoreError, match="already open in another program"):
            Store.open(path).claim(2)
        program.send_signal(signal.SIGKILL)
        *_, told = [steps, *map(int, program.stdout.read().split())]
    store = Store.open(path)
    counts = {table: len(store.load(table).game.actions) for table in (1, 2, 3)}
    assert counts[1] == counts[2] == counts[3]
    # One commit may have come through of which there was no time to tell.
    assert told <= counts[1] <= told + 1


PLAYING = """
import sys
from pathlib import Path
from netcode.protocol.messages import TableSettings
from netcode.storage.store import Store
from netcode.table.effects import Keep
from netcode.table.finished_game import EndedGame, ending
from netcode.table.snapshot import KeptGame, KeptTable, Snapshot
from tests.netcode.storage.test_history import finished

table = KeptTable(TableSettings())
store = Store.open(Path(sys.argv[1]))
for begun in range(1, 9):
    record = finished(begun)
    for step in range(len(record.actions)):
        game = KeptGame(begun=begun, phase="playing", actions=record.actions[:step])
        store.commit({1: Keep(Snapshot(table, game))}, begun)
    game = KeptGame(begun=begun, phase="result", actions=record.actions)
    ended = EndedGame(record, ending(record), (0,))
    store.commit({1: Keep(Snapshot(table, game), (ended,))}, begun)
    print(begun, flush=True)
"""


@pytest.mark.parametrize("games", [1, 3])
def test_a_killed_program_has_each_game_in_the_history_or_still_in_the_journal(
    tmp_path: Path, games: int
) -> None:
    """And never in both, but for a result that may still be looked at."""
    path = tmp_path / "tables.db"
    with subprocess.Popen(
        (sys.executable, "-c", PLAYING, path),
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout is not None
        while int(program.stdout.readline()) < games:
            pass
        program.send_signal(signal.SIGKILL)
        *_, told = [games, *map(int, program.stdout.read().split())]
    store = Store.open(path)
    kept = store.load(1).game
    store.close()
    records = games_of(path)
    assert told <= len(records) <= kept.begun
    assert {each.actions for each in records} == {
        finished(seed).actions for seed in range(1, len(records) + 1)
    }
    assert (kept.phase == "result") == (len(records) == kept.begun)
    Store.open(path).close()
    assert len(games_of(path)) == len(records)
