"""Tests the standings of an evening, and the moment at which the evening is decided."""

import pytest

from netcode.protocol.evening import BestOf, Evening, SeatResult, Standing


@pytest.mark.parametrize(
    ("best_of", "winners", "decided"),
    [
        (3, "aa", True),
        (3, "ab", False),
        (3, "aba", True),
        (5, "aa", False),
        (5, "aab", False),
        (5, "aaa", True),
        (5, "aabb", False),
        (5, "aabbc", True),
        (0, "aaaaaaa", False),
    ],
)
def test_best_of(best_of: BestOf, winners: str, decided: bool) -> None:
    evening = Evening()
    for winner in winners:
        evening = evening.after(SeatResult(name, False, 9, 1 + (name != winner)) for name in "abc")
    assert evening.is_decided(best_of) is decided
    assert {each.games for each in evening.standings} == {len(winners)}


def test_no_sum_of_an_evening_goes_beyond_what_a_message_holds() -> None:
    evening = Evening(999_999, (Standing("a", 999_999, 999_999, 999_999, 999_999),))
    for _ in range(3):
        evening = evening.after([SeatResult("a", False, 40, 1)])
    assert evening == Evening(
        1_000_000, (Standing("a", 1_000_000, 1_000_000, 1_000_000, 1_000_000),)
    )
