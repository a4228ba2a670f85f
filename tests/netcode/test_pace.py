import pytest

from netcode.pace import BURST, FRAMES_PER_S, TokenBucket


def test_a_burst_is_taken_at_once() -> None:
    bucket = TokenBucket()
    assert [bucket.take(0.0) for _ in range(int(BURST))] == [0.0] * int(BURST)


def test_after_a_burst_frames_are_taken_at_the_rate() -> None:
    bucket = TokenBucket()
    now = 0.0
    for _ in range(int(BURST) + 1000):
        now += bucket.take(now)
    assert now == pytest.approx(1000 / FRAMES_PER_S)


def test_who_pauses_may_speak_again() -> None:
    bucket = TokenBucket(rate=2, burst=3)
    for _ in range(3):
        assert bucket.take(10.0) == 0
    assert bucket.take(10.0) == 0.5
    assert bucket.take(11.0) == 0
    for _ in range(2):
        assert bucket.take(99.0) == 0
