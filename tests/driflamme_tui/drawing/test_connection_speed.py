"""Tests the conditions under which a connection counts as slow."""

import pytest

from driflamme_tui.drawing.frame_diff import ConnectionSpeed


@pytest.mark.parametrize(
    ("answers", "slow"),
    [
        ([], False),
        ([(1_000, 0.02)], False),
        ([(1_000, 0.2), (500, 0.22), (8_000, 0.5)], False),
        ([(1_000, 0.5)], True),
        ([(1_000, 0.05), (1_000, 2.0), (1_000, 0.05)], False),
        ([(1_000, 0.05), (1_000, 0.4), (1_000, 0.4)], True),
        ([(1_000, 0.9)] * 3 + [(1_000, 0.05)] * 2, False),
    ],
)
def test_most_of_the_last_answers_decide(answers: list[tuple[int, float]], slow: bool) -> None:
    speed = ConnectionSpeed()
    for written, seconds in answers:
        speed.record_answer(written, seconds)
    assert speed.is_slow is slow
