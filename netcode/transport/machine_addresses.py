"""Finds the addresses of this machine that other machines can use.

This module sends nothing and resolves no name.
"""

import re
import socket
import sys
from contextlib import suppress
from ipaddress import (
    IPv4Address,
    IPv4Interface,
    IPv6Address,
    IPv6Interface,
    ip_address,
    ip_interface,
)
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct

Interface: TypeAlias = IPv4Interface | IPv6Interface
"""An address of this machine, with its network."""

# Addresses for documentation (RFC 5737 and 3849), which no machine has. The system is only asked
# which own address it would use to connect to them.
_OUT_THERE: Final = (
    (socket.AF_INET, "192.0.2.1"),
    (socket.AF_INET6, "2001:db8::1"),
)
_ANY_PORT: Final = 9

_TUNNEL: Final = re.compile(r"^(u?tun|tap|wg|ppp|ipsec|tailscale|zt)|vpn|wireguard", re.I)
"""Matches names of adapters that lead through a tunnel to some company or group, not to the local
network.
"""

_WITHIN: Final = re.compile(
    r"^(docker|br-[0-9a-f]|virbr|vboxnet|vmnet|lxc|lxd|cni|flannel|podman|vethernet)"
    r"|virtualbox|vmware|hyper-v",
    re.I,
)
"""Matches names of adapters that lead to machines within this one, such as containers."""

_STATES: Final = Path("/sys/class/net")
"""The folder in which Linux reports the state of adapters."""


class Adapter(Struct, frozen=True):
    """A network adapter of this machine that is in use."""

    name: str
    interfaces: tuple[Interface, ...]


def adapters() -> list[Adapter]:
    """Return the adapters that have an address and are plugged in.

    Returns [] if the system reports none.
    """
    # Import here: a game against bots does not need this module.
    import ifaddr

    try:
        found = [
            Adapter(
                adapter.nice_name,
                tuple(
                    ip_interface(f"{each.ip if each.is_IPv4 else each.ip[0]}/{each.network_prefix}")
                    for each in adapter.ips
                ),
            )
            for adapter in ifaddr.get_adapters()
        ]
    except (OSError, ValueError):
        return []
    return [each for each in found if not _is_unplugged(each.name)]


def machine_interfaces() -> list[Interface]:
    """Return the addresses of all adapters that are plugged in, with their networks."""
    return [each for adapter in adapters() for each in adapter.interfaces]


def machine_addresses() -> list[str]:
    """Return the addresses by which other machines can probably reach this one, best first.

    Without a network this is the machine's name.
    """
    return machine_numbers() or [socket.gethostname()]


def machine_numbers() -> list[str]:
    """Return the IP addresses of `machine_addresses`; empty without a network.

    First come addresses on the route to the internet, then addresses in other networks, and last
    addresses in tunnels. Networks within this machine and self-assigned addresses are used only if
    there is nothing else.
    """
    routed = _on_the_way_out()
    ranks: dict[str, int] = {}
    for adapter in adapters():
        numbers = [each.ip for each in adapter.interfaces]
        if any(each.is_loopback for each in numbers):
            continue
        for number in _to_offer(numbers, routed):
            is_alone = adapter.interfaces[numbers.index(number)].network.prefixlen == 32
            rank = 2 if _TUNNEL.search(adapter.name) or is_alone else 1 - (str(number) in routed)
            if number.is_link_local or _WITHIN.search(adapter.name):
                rank = 3
            ranks[str(number)] = rank
    # The system uses this address, although it does not list it.
    ranks |= {each: 0 for each in routed if each not in ranks}
    order = [*routed, *(each for each in ranks if each not in routed)]
    best = sorted(order, key=lambda each: ranks[each])
    return [each for each in best if ranks[each] < 3] or best


def _to_offer(
    numbers: list[IPv4Address | IPv6Address], routed: list[str]
) -> list[IPv4Address | IPv6Address]:
    """Return the IP addresses of one adapter that invitations should contain.

    These are all IPv4 addresses. An adapter has several IPv6 addresses, and some of them change
    daily. So the result has only the IPv6 addresses on the route to the internet. Without any of
    these and without an IPv4 address, it has another IPv6 address.
    """
    old = [each for each in numbers if each.version == 4]
    new = [each for each in numbers if each.version == 6 and not each.is_link_local]
    on_the_way = [each for each in new if str(each) in routed]
    return [*old, *(on_the_way or ([] if old else new[:1]))]


def _on_the_way_out() -> list[str]:
    """Return the addresses from which the system would connect to the internet."""
    found = []
    for family, out_there in _OUT_THERE:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                if family is socket.AF_INET6:
                    _prefer_lasting(probe)
                # Connecting a datagram socket selects a route and sends nothing.
                probe.connect((out_there, _ANY_PORT))
                own = ip_address(probe.getsockname()[0])
        except OSError:
            continue
        if not (own.is_loopback or own.is_link_local or own.is_unspecified):
            found.append(str(own))
    return found


def _prefer_lasting(probe: socket.socket) -> None:
    """Let a socket prefer the permanent address to temporary ones (RFC 5014).

    Does nothing if the system has no such option.
    """
    option = {"linux": (72, 2), "darwin": (63, 0)}.get(sys.platform)
    if option is not None:
        with suppress(OSError):
            probe.setsockopt(socket.IPPROTO_IPV6, *option)


def _is_unplugged(name: str) -> bool:
    """Return True if Linux reports that an adapter is down. The state of tunnels is unknown."""
    try:
        return (_STATES / name / "operstate").read_text().strip() in ("down", "lowerlayerdown")
    except (OSError, ValueError):
        return False
