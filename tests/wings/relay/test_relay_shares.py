"""Tests that frequent guests of a relay leave a share for rare ones."""

from collections import deque
from typing import cast

from netcode.limits import HELLO_TIMEOUT_S
from netcode.transport.channel import Channel
from netcode.wings.relay.relay import _Host
from netcode.wings.relay.relay_limits import RelayLimits


def newcomers_routed(networks: int, newcomers: int) -> int:
    """Return the number of newcomers who connect twice, by code and link, beside flooding networks.

    The flooding networks connect as often as allowed, and stay until the host disconnects
    strangers.
    """
    host, most, led = _Host(cast(Channel, None), ()), RelayLimits().guests, 0
    leaves: deque[float] = deque()

    def comes(machine: str, now: float, stays_s: float) -> bool:
        while leaves and leaves[0] <= now:
            leaves.popleft()
        host.guests = len(leaves)
        is_led = host.takes(machine, now, most)
        if is_led and stays_s:
            leaves.append(now + stays_s)
        return is_led

    for second in range(60 * (newcomers + 1)):
        for number in range(networks):
            comes(f"192.0.2.{number}", float(second), HELLO_TIMEOUT_S)
        if second >= 60 and second % 60 == 0:
            machine = f"198.51.100.{second // 60}"
            led += all(comes(machine, float(second), 0) for _ in range(2))
    return led


def test_sixty_networks_that_flood_leave_every_newcomer_a_way_to_the_host() -> None:
    assert newcomers_routed(60, 15) == 15


def test_without_a_flood_a_household_comes_back_at_once() -> None:
    host = _Host(cast(Channel, None), ())
    assert all(host.takes("192.0.2.1", 0.0, 64) for _ in range(20))
