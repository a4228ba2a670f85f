"""Who may begin to connect."""

from netcode.limits import ARRIVALS, ARRIVALS_AT_ONCE
from netcode.transport.handshake_limits import (
    Handshake,
    HandshakeLimits,
)


class Admission:
    """A limits, and who has been shown out."""

    def __init__(self, most: int = 4, most_from_one: int = 2) -> None:
        self.limits = HandshakeLimits(most, most_from_one)
        self.out: list[str] = []

    def enter(self, who: str, host: str) -> Handshake:
        return self.limits.add(host, lambda: self.out.append(who))


def test_of_too_many_from_one_network_the_oldest_goes() -> None:
    admission = Admission()
    for who in "abc":
        admission.enter(who, "192.0.2.7")
    assert admission.out == ["a"]
    admission.enter("neighbour", "192.0.2.8")
    assert admission.out == ["a"]


def test_of_too_many_in_all_the_oldest_goes() -> None:
    admission = Admission()
    for who in "abcde":
        admission.enter(who, f"192.0.2.{ord(who)}")
    assert admission.out == ["a"]
    assert len(admission.limits) == 4


def test_who_has_become_a_connection_does_not_count() -> None:
    admission = Admission()
    for who in "abcdef":
        admission.limits.remove(admission.enter(who, "192.0.2.7"))
    assert admission.out == []
    assert len(admission.limits) == 0


def test_who_was_shown_out_may_leave_too() -> None:
    admission = Admission()
    first = admission.enter("a", "192.0.2.7")
    for who in "bc":
        admission.enter(who, "192.0.2.7")
    admission.limits.remove(first)
    assert len(admission.limits) == 2


def test_sockets_of_this_machine_count_in_all_only() -> None:
    admission = Admission()
    for who in "abcd":
        assert admission.limits.admit("", 0.0)
        admission.enter(who, "")
    assert admission.out == []


def test_a_network_comes_at_a_pace() -> None:
    limits = HandshakeLimits(most=100, most_from_one=10)
    came = sum(limits.admit("192.0.2.7", 0.0) for _ in range(100))
    assert came == 10 * ARRIVALS.burst
    assert limits.admit("192.0.2.8", 0.0)
    # Ten more in ten seconds.
    assert sum(limits.admit("192.0.2.7", second / 10) for second in range(100)) == 9
    assert sum(limits.admit("192.0.2.7", 1000.0) for _ in range(100)) == 10 * ARRIVALS.burst


def test_not_all_who_may_be_there_may_come_at_once() -> None:
    limits = HandshakeLimits(most=5000, most_from_one=200)
    assert sum(limits.admit("192.0.2.7", 0.0) for _ in range(400)) == ARRIVALS_AT_ONCE
    # Twenty more each second.
    assert sum(limits.admit("192.0.2.7", 1.0) for _ in range(400)) == 20
