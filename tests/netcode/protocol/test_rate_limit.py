import pytest

from netcode.protocol.rate_limit import (
    FRAMES,
    MOST_NETWORKS,
    NetworkRateLimits,
    Rate,
    TokenBucket,
)


def test_a_burst_is_taken_at_once() -> None:
    bucket = TokenBucket(FRAMES)
    assert [bucket.take(0.0) for _ in range(int(FRAMES.burst))] == [0.0] * int(FRAMES.burst)


def test_after_a_burst_frames_are_taken_at_the_rate() -> None:
    bucket = TokenBucket(FRAMES)
    now = 0.0
    for _ in range(int(FRAMES.burst) + 1000):
        now += bucket.take(now)
    assert now == pytest.approx(1000 / FRAMES.per_s)


def test_who_pauses_may_speak_again() -> None:
    bucket = TokenBucket(Rate(2, burst=3))
    for _ in range(3):
        assert bucket.take(10.0) == 0
    assert bucket.take(10.0) == 0.5
    assert bucket.take(11.0) == 0
    for _ in range(2):
        assert bucket.take(99.0) == 0


def test_one_network_waits_and_no_other() -> None:
    paces = NetworkRateLimits(Rate(0.5, burst=2))
    assert [paces.take("busy", 0.0) for _ in range(3)] == [0.0, 0.0, 2.0]
    assert paces.wait("busy", 0.0) == 4.0
    assert paces.wait("quiet", 0.0) == paces.take("quiet", 0.0) == 0.0


def test_who_comes_from_no_network_in_particular_never_waits() -> None:
    paces = NetworkRateLimits(Rate(1, burst=1))
    assert {paces.take("", 0.0) for _ in range(100)} == {0.0}
    assert paces.wait("", 0.0) == 0.0


def test_only_those_who_have_been_busy_are_remembered() -> None:
    paces = NetworkRateLimits(Rate(1, burst=10))
    for number in range(MOST_NETWORKS + 100):
        paces.take(f"2001:db8:{number:x}::/56", 0.0)
    assert len(paces) == MOST_NETWORKS
    paces.take("busy", 1.0)
    assert len(paces) == 1


def test_what_was_taken_for_nothing_can_be_given_back() -> None:
    paces = NetworkRateLimits(Rate(1, burst=2))
    paces.take("one", 0.0)
    assert not paces.is_full("one", 0.0)
    paces.give_back("one", 0.0)
    assert paces.is_full("one", 0.0)
    paces.give_back("one", 0.0)
    assert [paces.take("one", 0.0) for _ in range(3)] == [0.0, 0.0, 1.0]
    assert not paces.is_full("one", 2.5)
    assert paces.is_full("one", 3.0)
