"""Tests the database of tables: restoring, locking and deleting tables."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from netcode.protocol.messages import AddBot, BackToLobby, Chat, Leave, Line
from netcode.storage.database import default_path
from netcode.storage.history import History
from netcode.storage.store import (
    DAY_S,
    DAYS_OF_USE,
    GAMES_KEPT_S,
    LOBBIES_KEPT_S,
    Store,
    unfinished_table,
)
from netcode.storage.table_locks import TableLocks
from netcode.table.effects import Keep
from netcode.table.errors import StoreError
from netcode.table.games import REMATCH_COUNT_S
from netcode.table.snapshot import NUMBER_BITS, KeptTable, Location, Snapshot, TableAccess
from tests.support.kept import (
    KeptNetwork,
    ask,
    at_play,
    change,
    restored,
    stopped,
    used_on,
)
from tests.support.pretend import play_on, rematch, seated, snapshot_of, tokens

LATER_DAYS = range(1, 1 + DAYS_OF_USE)
"""Days of use after the first day, just enough to delete tables of the first day."""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "tables.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    store = Store.open(path)
    yield store
    store.close()


def kept(network: KeptNetwork, *, actions: int | None = None, **changes: Any) -> Keep:
    """Return an effect that stores a table's state with changed fields.

    If `actions` is given, the stored game has only this many of its actions.
    """
    now = snapshot_of(network.table)
    game = now.game if actions is None else replace(now.game, actions=now.game.actions[:actions])
    return Keep(Snapshot(replace(now.table, **changes), game))


def test_all_that_is_kept_of_a_table_comes_back(path: Path) -> None:
    network, _ = at_play(path)
    seats = snapshot_of(network.table).table.seats
    opened = TableAccess(
        secret=bytes(range(100, 112)),
        code="ZZZ01234",
        location=Location("::1", 0, "oriflamme.example", True, "/run/table.sock", False),
        parts={"laughs": "loud"},
        former=(bytes(12),),
    )
    keep = kept(
        network,
        opened=opened,
        paused=True,
        muted=("b", "ßx"),
        renamed={"b": "bea"},
        silenced=True,
        line_count=7,
        talk=(Line(name="Gaspard", family="b", text="Hail!"),),
        seats=tuple(replace(seat, absence="wait") for seat in seats),
    )
    network.keep([keep])
    assert network.store.load(1) == keep.snapshot


def test_nobody_else_can_read_it(path: Path) -> None:
    at_play(path)
    assert path.parent.stat().st_mode & 0o777 == 0o700
    files = list(path.parent.iterdir())
    assert {file.name for file in files} >= {"tables.db", "tables.db-wal", "tables.lock"}
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in files)


def test_a_commit_waits_for_the_disk(store: Store) -> None:
    assert store._database.execute("PRAGMA synchronous").fetchone()[0] == 2, "FULL"


def test_it_lies_in_the_folder_for_the_data_of_this_user(tmp_path: Path) -> None:
    assert default_path().is_relative_to(tmp_path)
    assert default_path().name == "tables.db"


def test_keys_are_nowhere_in_it(path: Path) -> None:
    _, guests = at_play(path)
    kept = b"".join(file.read_bytes() for file in path.parent.iterdir())
    for participant in guests:
        assert participant.session.key is not None
        assert participant.session.key not in kept
        assert participant.session.key.hex().encode() not in kept


def test_what_was_said_at_a_table_that_has_closed_is_in_no_byte_any_more(path: Path) -> None:
    network, _ = at_play(path)
    said = b"Nobody else is to read this."
    line = Line(name="Gaspard", family="b", text=said.decode() * 8)
    for lines in range(1, 50):
        network.keep([kept(network, line_count=lines, talk=(line,) * lines)])
    for closing in (False, True):
        if closing:
            network.keep([Keep(None)])
            network.store.close()
        found = b"".join(file.read_bytes() for file in path.parent.iterdir())
        assert (said in found) is not closing


@pytest.mark.parametrize(("names", "seats"), [("", None), ("a", None), ("ab", ["a", "b"])])
def test_a_lobby_is_worth_resuming_once_somebody_else_has_come(
    path: Path, names: str, seats: list[str] | None
) -> None:
    network = KeptNetwork(path)
    for participant in seated(network, names):
        participant.send(AddBot(bot="steady"))
    network.store.close()
    store = Store.open(path)
    assert (store.unfinished() is None) == (seats is None) == (unfinished_table(path) is None)
    assert store.unfinished(empty=True) is not None
    store.close()
    if seats:
        assert restored(path).participants.names[:2] == tuple(seats)


def test_the_latest_table_is_resumed(path: Path) -> None:
    first = stopped(path)
    second, _ = at_play(path, 5, number=2)
    second.store.close()
    assert restored(path).record() == second.table.record()
    store = Store.open(path)
    store.commit({2: Keep(None)}, 0)
    store.close()
    assert restored(path).record() == first.table.record()


class OtherStore(Store):
    """The store of an optional part that keeps its own tables."""

    keeper = "laughs"


def test_a_host_resumes_prunes_and_abandons_no_table_of_another_keeper(path: Path) -> None:
    network, _ = at_play(path)
    network.store.close()
    keep, lobby = kept(network), Keep(Snapshot(KeptTable(network.table.games.settings)))
    other = OtherStore.open(path)
    other.commit({1: keep, 2: lobby}, 0)
    other.close()
    used_on(path, LATER_DAYS)
    store = Store.open(path)
    assert store.unfinished(with_locked=True, empty=True) is None
    assert unfinished_table(path) is None
    assert store.prune(DAY_S) == store.abandon(DAY_S) == 0
    assert store.keepers() == {"laughs"}
    other = OtherStore.open(path)
    assert other.prune(DAY_S) == other.abandon(DAY_S) == 1
    assert store.keepers() == set()


@pytest.mark.parametrize(
    ("actions", "for_good", "resumed"),
    [(5, True, True), (1000, True, False), (1000, False, True)],
    ids=["in a game", "after it", "after it, for now"],
)
def test_closing_for_good_ends_a_table_unless_a_game_is_under_way(
    path: Path, actions: int, for_good: bool, resumed: bool
) -> None:
    network, _ = at_play(path, actions)
    network.execute(network.table.close("host_quit", for_good=for_good))
    network.store.close()
    assert (Store.open(path).unfinished() is not None) == resumed


def test_all_tables_of_a_commit_are_kept_or_none(path: Path) -> None:
    network, guests = at_play(path)
    other = at_play(path, 5, number=2)[0]
    other.store.close()
    before = snapshot_of(network.table)
    elsewhere = Store.open(path)
    with pytest.raises(StoreError, match="already open in another program"):
        elsewhere.commit({2: kept(other, actions=3), 1: kept(network, actions=3)}, 0)
    elsewhere.close()
    assert network.store.load(1) == before
    assert len(network.store.load(2).game.actions) == 5
    play_on(guests, 1)
    assert network.store.load(1) == snapshot_of(network.table)


def test_of_a_table_only_what_differs_is_written(path: Path) -> None:
    network, guests = at_play(path)
    said: list[str] = []
    network.store._database.set_trace_callback(said.append)

    def written() -> set[str]:
        found = {name for name in ("tables", "games") for each in said if f"INTO {name} " in each}
        said.clear()
        return found

    play_on(guests, 1)
    assert written() == {"games"}
    guests[0].send(Chat(text="Hail!"))
    assert written() == {"tables"}
    network.now += 86_400
    play_on(guests, 1)
    assert written() == {"tables", "games"}


def test_a_table_that_is_open_is_not_resumed_a_second_time(path: Path) -> None:
    network, _ = at_play(path)
    other = Store.open(path)
    assert other.unfinished() is unfinished_table(path) is None
    with pytest.raises(StoreError, match="already open in another program of yours"):
        other.load(1)
    network.store.close()
    assert other.unfinished() == unfinished_table(path) is not None
    assert other.load(1).game.actions


def test_an_older_table_is_offered_while_the_latest_is_open(path: Path) -> None:
    stopped(path)
    at_play(path, number=2)
    found = Store.open(path).unfinished()
    assert found is not None
    assert found.table == 1


def test_a_table_that_cannot_be_loaded_is_not_held(path: Path) -> None:
    stopped(path)
    change(path, "DELETE FROM games")
    store = Store.open(path)
    with pytest.raises(StoreError, match="a row is missing"):
        store.load(1)
    Store.open(path).claim(1)


def past(path: Path) -> list[tuple[Any, ...]]:
    fields = ", ".join(f"listed ->> '{each}'" for each in ("began", "ended", "outcome"))
    return ask(path, f"SELECT {fields} FROM history ORDER BY id")


def test_games_have_dates_and_outcomes(path: Path) -> None:
    network, guests = at_play(path)
    assert past(path) == []
    network.now = 2000.0
    play_on(guests)
    assert past(path) == [(1000, 2000, "finished")]
    network.now = 3000.0 - REMATCH_COUNT_S
    rematch(guests)
    play_on(guests, 1)
    assert past(path) == [(1000, 2000, "finished")]
    network.now = 4000.0
    for participant in guests:
        participant.send(Leave())
    assert past(path) == [(1000, 2000, "finished"), (3000, 4000, "abandoned")]


def test_a_game_of_which_nothing_was_played_is_none(path: Path) -> None:
    _, guests = at_play(path, 0)
    for participant in guests:
        participant.send(Leave())
    assert past(path) == []


def test_lobbies_without_a_game_are_forgotten_after_a_while(path: Path) -> None:
    game, _ = at_play(path)
    game.execute(game.table.close("host_quit"))
    game.store.close()
    old, new = (
        KeptNetwork(path, number=2),
        KeptNetwork(path, number=3),
    )
    seated(old, "abc")
    new.now = 1.5 * DAY_S
    seated(new, "abc")
    old.store.close()
    new.store.close()
    used_on(path, range(2, 2 + DAYS_OF_USE))
    store = Store.open(path)
    assert store.prune(DAY_S - 1) == 0
    assert store.prune(DAY_S) == 1
    assert store.prune(2 * DAY_S) == 1
    assert store.prune(9 * DAY_S) == 0
    assert ask(path, "SELECT id FROM tables") == ask(path, "SELECT table_id FROM games") == [(1,)]
    assert len(store.load(1).game.actions) == 8


def test_of_a_table_that_was_closed_for_good_all_is_forgotten_but_its_games(path: Path) -> None:
    network, _ = at_play(path, 1000)
    network.execute(network.table.close("host_quit"))
    assert ask(path, "SELECT * FROM tables") == ask(path, "SELECT * FROM games") == []
    assert past(path) == [(1000, 1000, "finished")]


def test_a_damaged_table_is_left_out_and_left_as_it_is(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stopped(path)
    at_play(path, number=2)[0].store.close()
    used_on(path, LATER_DAYS)
    change(path, "UPDATE tables SET kept = x'c1' WHERE id = 1")
    store = Store.open(path)
    assert store.abandon(DAY_S) == 1
    store.close()
    assert "a table of the journal is damaged and left out" in caplog.text
    assert ask(path, "SELECT hex(kept) FROM tables") == [("C1",)]


def test_a_game_that_nobody_came_back_to_is_abandoned_after_a_while(path: Path) -> None:
    network = stopped(path)
    record = network.table.record()
    assert record is not None
    other = at_play(path, number=2)[0]
    used_on(path, LATER_DAYS)
    store = Store.open(path)
    assert store.abandon(DAY_S - 1) == 0
    assert past(path) == []
    assert store.abandon(DAY_S) == 1
    assert past(path) == [(1000, None, "abandoned")]
    with History.open(path) as history:
        assert history.record(1).actions == record.actions
        assert [each.name for each in history.record(1).players] == ["a", "b", "c"]
    assert store.unfinished() is None
    other.store.close()
    found = store.unfinished()
    assert found is not None
    assert found.table == 2


def test_a_lobby_that_is_open_is_not_forgotten(path: Path) -> None:
    network = KeptNetwork(path)
    used_on(path, LATER_DAYS)
    other = Store.open(path)
    assert network.store.prune(DAY_S) == 0
    assert other.prune(DAY_S) == 0
    network.store.close()
    assert other.prune(DAY_S) == 1


def test_a_lobby_with_games_behind_it_is_not_forgotten(path: Path) -> None:
    network, guests = at_play(path, 1000)
    guests[0].send(BackToLobby())
    network.store.close()
    used_on(path, LATER_DAYS)
    assert Store.open(path).prune(DAY_S) == 0


@pytest.mark.parametrize("wrong", [[400], [400, 401, 402], range(400, 409)], ids=str)
def test_a_clock_that_is_months_wrong_forgets_nothing(path: Path, wrong: list[int]) -> None:
    """A wrong clock deletes nothing on a few evenings: tables are deleted after ten days of use."""
    stopped(path)
    lobby = KeptNetwork(path, number=2)
    seated(lobby, "abc")
    lobby.store.close()
    for day in wrong:
        used_on(path, [day])
        store = Store.open(path)
        assert store.abandon(day * 86_400 - GAMES_KEPT_S) == 0
        assert store.prune(day * 86_400 - LOBBIES_KEPT_S) == 0
        store.close()
    assert past(path) == []
    assert ask(path, "SELECT id FROM tables") == [(1,), (2,)]


def test_what_is_kept_under_a_clock_that_is_behind_is_not_old(path: Path) -> None:
    used_on(path, range(20_000, 20_010))
    network = stopped(path)
    assert network.now < 86_400
    assert ask(path, "SELECT day FROM tables WHERE id = 1") == [(20_009,)]
    assert Store.open(path).abandon(20_500 * 86_400) == 0


LAST = (1 << NUMBER_BITS) - 1


@pytest.fixture
def lock(tmp_path: Path) -> Path:
    return tmp_path / "tables.lock"


CLAIMING = """
import sys
from pathlib import Path
from netcode.storage.table_locks import TableLocks

claims = TableLocks(Path(sys.argv[1]))
print(*(claims.take(int(number)) for number in sys.argv[2:]), flush=True)
sys.stdin.read()
"""


@contextmanager
def another_program(lock: Path, *numbers: int) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a program that claims tables; yield the program and its printed results."""
    with subprocess.Popen(
        (sys.executable, "-c", CLAIMING, lock, *map(str, numbers)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout is not None
        yield program, program.stdout.readline().strip()
        program.kill()


@pytest.mark.parametrize("number", [0, LAST])
def test_a_table_is_open_in_one_program_until_that_is_killed(lock: Path, number: int) -> None:
    ours = TableLocks(lock)
    with another_program(lock, number) as (program, said):
        assert said == "True"
        assert ours.is_locked(number)
        assert not ours.take(number)
        program.kill()
        program.wait()
        assert not ours.is_locked(number)
        assert ours.take(number)


def test_two_stores_of_one_program_are_told_apart(lock: Path) -> None:
    ours, others = TableLocks(lock), TableLocks(lock)
    assert ours.take(1)
    assert ours.take(1)
    assert ours.take(3)
    ours.give_up(3)
    assert not others.take(1)
    others.give_up(1)
    assert ours.holds(1)
    assert others.is_locked(1)
    assert not others.is_locked(4)
    assert others.take(2)
    # If each table had a lock file of its own, closing would release the locks of `ours` here.
    others.close()
    others.close()
    with another_program(lock, 1, 2, 3, 4) as (_, said):
        assert said == "False True True True"
    ours.close()
    with another_program(lock, 1, 2) as (_, said):
        assert said == "True True"


def test_a_thousand_tables_need_one_file(lock: Path) -> None:
    ours = TableLocks(lock)
    assert all(ours.take(number * 1_000_003) for number in range(1000))
    assert lock.stat().st_size == 0
    assert lock.stat().st_mode & 0o777 == 0o600
    with another_program(lock, 0, 999 * 1_000_003, 1000 * 1_000_003) as (_, said):
        assert said == "False False True"


class CrashError(Exception):
    """The host's process has ended."""


class DyingDatabase:
    """A database whose process ends after some statements."""

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
            participant.send(Leave())
        database = network.store._database
        network.store._database = DyingDatabase(database, statements)  # type: ignore[assignment]
        try:
            if last == "leave":
                guests[0].send(Leave())
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
        with History.open(path) as history:
            past = [history.record(game.id) for game in history.games()]
        assert (kept.game.phase == "playing") == (not past)
        assert len(past) <= 1
        if past:
            assert len(past[0].actions) == actions + (last == "action")
        if survived:
            assert past
            assert statements > 5
            return
    pytest.fail("the commit never came to its end")
