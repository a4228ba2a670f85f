"""Tests sealed games in the journal: parcels are restored unchanged, and enter the history."""

from collections.abc import Callable
from pathlib import Path

import pytest

from netcode.storage.history import History
from netcode.storage.store import Store
from netcode.table.effects import Effect
from netcode.table.table import Table
from tests.support.damage import unnoticed
from tests.support.dates import unix_time
from tests.support.kept import ask, assert_comes_back, change_kept
from tests.wings.sealed.sealed_world import BEGAN, NAMES, SealedWorld, dealt, sealed_game

AT = BEGAN + 86_400


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


def kept(path: Path, world: SealedWorld) -> None:
    """Store all states that a world has kept."""
    store = Store.open(path)
    for keep in world.kept:
        store.commit({1: keep}, AT)
    store.close()


def played_on(seed: int, steps: int) -> SealedWorld:
    world = dealt(seed=seed)
    world.play_to(steps)
    return world


@pytest.mark.parametrize("steps", [25, 1000])
def test_what_is_kept_is_what_comes_back(path: Path, steps: int) -> None:
    world = played_on(1, steps)
    kept(path, world)
    store = Store.open(path)
    snapshot = store.load(1)
    store.close()
    assert snapshot == world.snapshot
    before, table = (
        sealed_game(world.table),
        Table.restore(snapshot, world.rng, bytes, unix_time=unix_time),
    )
    after = sealed_game(table)
    assert before is not None
    assert after is not None
    assert list(after.messages_after()) == list(before.messages_after())
    assert table.games.phase == ("playing" if steps < 1000 else "result")


@pytest.mark.parametrize("steps", [25, 1000])
def test_a_damaged_field_loses_no_sealed_game_without_a_sentence(path: Path, steps: int) -> None:
    kept(path, played_on(1, steps))
    assert unnoticed(path) == []


class Restoring(SealedWorld):
    """A world that at every second stored state restores the table, and asserts its equality."""

    def execute(self, effects: list[Effect]) -> None:
        super().execute(effects)
        last = self.kept[-1]
        if len(self.kept) % 2 and self.table._kept is last.snapshot:
            assert_comes_back(self.table, last)


def test_after_inputs_what_is_kept_brings_the_table_back_that_there_is() -> None:
    world = Restoring(NAMES[:2], 3, bots=1)
    world.seal()
    world.play()
    assert len(world.kept) > 50


def test_games_that_ended_are_in_the_history_and_their_parcels_nowhere_else(path: Path) -> None:
    world = SealedWorld()
    for _ in range(2):
        world.unix_s[0] = BEGAN
        world.seal()
        world.unix_s[0] = AT
        world.play()
    assert world.table.record() is not None
    world.execute(world.table.close("host_quit"))
    kept(path, world)
    assert ask(path, "SELECT count(*) FROM games") == [(0,)]
    with History.open(path) as history:
        games = history.games()
        records = [history.record(each.id) for each in games]
    assert [each.outcome for each in games] == ["finished"] * 2
    assert {record.began for record in records} == {BEGAN}
    assert all(record.seal for record in records)
    assert [player.name for player in games[0].players] == list(NAMES[:3])
    # The end has the time of this machine's clock, because players may sign any time.
    assert {game.ended for game in games} == {AT}
    assert {record.ended for record in records}.isdisjoint({AT})


def test_cards_that_are_not_opened_are_in_the_history_when_the_host_goes_on(path: Path) -> None:
    world = played_on(2, 30)
    gone = world.people[1]
    gone.go()
    world.play()
    assert world.table.games.phase == "result"
    kept(path, world)
    with History.open(path) as history:
        assert history.games() == []
    world.execute(world.table.close("host_quit"))
    kept(path.parent / "again.db", world)
    with History.open(path.parent / "again.db") as history:
        (game,) = history.games()
    assert game.outcome == "finished"


@pytest.mark.parametrize(
    "damage",
    [
        lambda parcels: parcels[1:],
        lambda parcels: [(b"", b"")],
        lambda parcels: [("text", each) for _, each in parcels],
        lambda parcels: 7,
    ],
)
def test_damaged_parcels_are_said_and_left_alone(
    path: Path, damage: Callable[[object], object]
) -> None:
    world = played_on(1, 20)
    kept(path, world)
    change_kept(path, game={"pieces": damage(world.parcels)})
    store = Store.open(path)
    with pytest.raises(ValueError, match="damaged"):
        Table.restore(store.load(1), world.rng, bytes, unix_time=unix_time)
    store.close()
    with History.open(path) as history:
        assert history.games() == []
