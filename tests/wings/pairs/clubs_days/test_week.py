"""Tests games that last for days in a club that is killed and restarted between answers."""

from collections import Counter
from pathlib import Path

import pytest

from netcode.storage.history import History
from netcode.table.snapshot import Snapshot
from netcode.wings.clubs.club_store import ClubStore
from netcode.wings.days.day_record import decode_record
from netcode.wings.days.settings import NAME
from tests.wings.pairs.clubs_days.week import WEEK, Week


@pytest.fixture(autouse=True)
def _moved_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the clock run on during long waits, sweep rarely, and allow more steps of the loop."""
    monkeypatch.setattr("netcode.transport.running_clock.STOPPED_S", 1e9)
    monkeypatch.setattr("netcode.server.server.SWEEP_S", 600.0)
    monkeypatch.setattr("tests.netcode.simulation.clockwork.MOST_STEPS", 5_000_000)


def stored(path: Path) -> list[tuple[int, Snapshot]]:
    store = ClubStore.open(path)
    try:
        return store.tables()
    finally:
        store.close()


@pytest.mark.parametrize("games", [4, pytest.param(10, marks=pytest.mark.long)])
def test_all_games_finish_in_a_week_in_a_club_that_is_often_killed(
    games: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    week = Week(seed=1, folder=tmp_path, tables=games, patch=monkeypatch)
    week.run()
    assert week.kills > 5 * games
    assert week.kills_at_the_table > 1
    assert week.ended_at < WEEK
    tables = stored(tmp_path / "tables.db")
    assert [kept.game.phase for _, kept in tables] == ["result"] * games
    with History.open(tmp_path / "tables.db") as history:
        assert [past.outcome for past in history.games()] == ["finished"] * games
    # No confirmed answer is lost, and none is repeated.
    for _, kept in tables:
        names = {seat.name for seat in kept.table.seats}
        acts = [act for name in names for act in week.people[name].acts]
        assert len({step for step, _ in acts}) == len(acts) > 20
        for step, token in acts:
            assert kept.game.actions[step] == token
    # Each call is made once, although the club was often killed before and after its command began.
    counted = Counter((call.table, call.step) for call in week.host.calls)
    assert {*counted.values()} == {1}
    for number, kept in tables:
        # A bot answers only for people who were called, so no call was lost.
        names = {seat.name for seat in kept.table.seats}
        answered = {step for name in names for step, _ in week.people[name].acts}
        overdue = {*range(len(kept.game.actions))} - answered
        assert {(number, step) for step in overdue} <= {*counted}
    assert min(week.host.kills_near_calls[each] for each in ("started", "not started")) > games
    visits = sum(person.visits for person in week.people.values())
    late = sum(len(decode_record(kept.table.wings[NAME].data).overdue) for _, kept in tables)
    assert late > 0
    assert visits <= len(counted)
    answers = sum(len(kept.game.actions) for _, kept in tables)
    assert answers == late + sum(len(person.acts) for person in week.people.values())
