"""The mathematics of a summary, and what a series and a budget are asked for, by known values."""

import pytest

from engine.arena.contest import Budget
from engine.arena.summary import student_95


@pytest.mark.parametrize(
    ("degrees", "table"), [(2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042)]
)
def test_student_s_bound_is_that_of_the_tables(degrees: int, table: float) -> None:
    assert student_95(degrees) == pytest.approx(table, rel=0.035 if degrees == 2 else 0.008)


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
