"""Who may begin to connect."""

import pytest

from netcode.gate import ARRIVALS_AT_ONCE, MOST_NETWORKS, Gate, Opening, network_of


class Door:
    """A gate, and who has been shown out."""

    def __init__(self, most: int = 4, most_from_one: int = 2) -> None:
        self.gate = Gate(most, most_from_one)
        self.out: list[str] = []

    def enter(self, who: str, host: str) -> Opening:
        return self.gate.enter(host, lambda: self.out.append(who))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("192.0.2.7", "::ffff:192.0.2.7"),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"),
        ("2001:db8:1:2::1", "2001:0db8:0001:0002:0000:0000:0000:0009"),
        ("fe80::1%eth0", "fe80::2%eth0"),
    ],
)
def test_a_network_is_what_one_household_has(one: str, other: str) -> None:
    assert network_of(one) == network_of(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("192.0.2.7", "192.0.2.8"),
        ("2001:db8:1:2::1", "2001:db8:1:3::1"),
        ("::1", "127.0.0.1"),
    ],
)
def test_others_have_others(one: str, other: str) -> None:
    assert network_of(one) != network_of(other)


@pytest.mark.parametrize("host", ["", "/tmp/socket", "nonsense", "999.1.1.1"])
def test_what_is_no_address_is_no_network(host: str) -> None:
    assert network_of(host) == ""


def test_of_too_many_from_one_network_the_oldest_goes() -> None:
    door = Door()
    for who in "abc":
        door.enter(who, "192.0.2.7")
    assert door.out == ["a"]
    door.enter("neighbour", "192.0.2.8")
    assert door.out == ["a"]


def test_of_too_many_in_all_the_oldest_goes() -> None:
    door = Door()
    for who in "abcde":
        door.enter(who, f"192.0.2.{ord(who)}")
    assert door.out == ["a"]
    assert len(door.gate) == 4


def test_who_has_become_a_connection_does_not_count() -> None:
    door = Door()
    for who in "abcdef":
        door.gate.leave(door.enter(who, "192.0.2.7"))
    assert door.out == []
    assert len(door.gate) == 0


def test_who_was_shown_out_may_leave_too() -> None:
    door = Door()
    first = door.enter("a", "192.0.2.7")
    for who in "bc":
        door.enter(who, "192.0.2.7")
    door.gate.leave(first)
    assert len(door.gate) == 2


def test_sockets_of_this_machine_count_in_all_only() -> None:
    door = Door()
    for who in "abcd":
        assert door.gate.admits("", 0.0)
        door.enter(who, "")
    assert door.out == []


def test_a_network_comes_at_a_pace() -> None:
    gate = Gate(most=100, most_from_one=10)
    came = sum(gate.admits("192.0.2.7", 0.0) for _ in range(100))
    assert came == 10 * ARRIVALS_AT_ONCE
    assert gate.admits("192.0.2.8", 0.0)
    # Ten more in ten seconds.
    assert sum(gate.admits("192.0.2.7", second / 10) for second in range(100)) == 9
    assert sum(gate.admits("192.0.2.7", 1000.0) for _ in range(100)) == 10 * ARRIVALS_AT_ONCE


def test_only_so_many_networks_are_remembered() -> None:
    gate = Gate(most=100, most_from_one=1)
    for number in range(MOST_NETWORKS + 100):
        assert gate.admits(f"2001:db8:{number:x}::1", 0.0)
    assert len(gate._paces) == MOST_NETWORKS
