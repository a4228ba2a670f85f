"""The mathematics of a summary, and what a series and a budget are asked for, by known values."""

import pytest

from engine.arena.contest import Budget, Series
from engine.arena.summary import student_95


@pytest.mark.parametrize(
    ("degrees", "table"), [(2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042)]
)
def test_student_s_bound_is_that_of_the_tables(degrees: int, table: float) -> None:
    assert student_95(degrees) == pytest.approx(table, rel=0.035 if degrees == 2 else 0.008)


@pytest.mark.parametrize("players", [2, 6])
def test_a_series_is_of_tables_that_there_are(players: int) -> None:
    with pytest.raises(ValueError, match="3 to 5"):
        Series(1, players)


def test_a_mixed_series_has_tables_of_each_kind_in_turn() -> None:
    kinds = [Series(12).kind(number) for number in range(12)]
    each = [(players, edition) for players in (3, 4, 5) for edition in (1, 2)]
    assert kinds == [(*kind, earlier) for earlier in (0, 1) for kind in each]


def test_a_budget_stops_a_bot_by_iterations_or_by_the_clock() -> None:
    assert Budget().keep_going() is None
    going = Budget(iterations=2).keep_going()
    assert going is not None
    assert [going(done) for done in range(4)] == [True, True, False, False]
    for seconds, goes_on in ((0.0, False), (1e9, True)):
        clock = Budget(seconds=seconds).keep_going()
        assert clock is not None
        clock(0)
        assert clock(1) is goes_on
