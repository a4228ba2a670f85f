"""The addresses of this machine, and which of them others can use.

Nothing here sends anything or looks a name up.
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
"""An address of this machine, and the network that it is in."""

# Addresses set apart for documentation (RFC 5737 and 3849), so nobody's; the system is only
# asked which of its own addresses it would use to go out there.
_OUT_THERE: Final = (
    (socket.AF_INET, "192.0.2.1"),
    (socket.AF_INET6, "2001:db8::1"),
)
_ANY_PORT: Final = 9

_TUNNEL: Final = re.compile(r"^(u?tun|tap|wg|ppp|ipsec|tailscale|zt)|vpn|wireguard", re.I)
"""Names of adapters that lead to one company or group of friends, and past the neighbours."""

_WITHIN: Final = re.compile(
    r"^(docker|br-[0-9a-f]|virbr|vboxnet|vmnet|lxc|lxd|cni|flannel|podman|vethernet)"
    r"|virtualbox|vmware|hyper-v",
    re.I,
)
"""Names of adapters to machines within this one, such as containers."""

_STATES: Final = Path("/sys/class/net")
"""Where Linux says which adapters are plugged in."""


class Adapter(Struct, frozen=True):
    """A network adapter of this machine that is in use."""

    name: str
    interfaces: tuple[Interface, ...]


def adapters() -> list[Adapter]:
    """Return the adapters that have an address and are plugged in, as far as the system says."""
    # A game against bots needs none of this, and is there sooner without it.
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


def own_interfaces() -> list[Interface]:
    """Return all addresses of this machine, as far as the system says."""
    return [each for adapter in adapters() for each in adapter.interfaces]


def own_addresses() -> list[str]:
    """Return the addresses under which others can probably reach this machine, best first.

    If it is in no network, that is the machine's name.
    """
    return own_numbers() or [socket.gethostname()]


def own_numbers() -> list[str]:
    """Return the same by number; none if the machine is in no network.

    First come those on the way to the internet, then those in other networks, and last those in
    tunnels. Networks within this machine, and addresses that it has made up for want of a router,
    count only where there is nothing else.
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
    # What the system does not list, it would still use.
    ranks |= {each: 0 for each in routed if each not in ranks}
    order = [*routed, *(each for each in ranks if each not in routed)]
    best = sorted(order, key=lambda each: ranks[each])
    return [each for each in best if ranks[each] < 3] or best


def _to_offer(
    numbers: list[IPv4Address | IPv6Address], routed: list[str]
) -> list[IPv4Address | IPv6Address]:
    """Return which numbers of one adapter to offer.

    All of IPv4. Of IPv6 an adapter has several, and some of them change each day: that on the way
    to the internet, and another only where there is no IPv4.
    """
    old = [each for each in numbers if each.version == 4]
    new = [each for each in numbers if each.version == 6 and not each.is_link_local]
    on_the_way = [each for each in new if str(each) in routed]
    return [*old, *(on_the_way or ([] if old else new[:1]))]


def _on_the_way_out() -> list[str]:
    """Return from which addresses the system would call the internet."""
    found = []
    for family, out_there in _OUT_THERE:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                if family is socket.AF_INET6:
                    _prefer_lasting(probe)
                # Connecting a datagram socket chooses a route and sends nothing.
                probe.connect((out_there, _ANY_PORT))
                own = ip_address(probe.getsockname()[0])
        except OSError:
            continue
        if not (own.is_loopback or own.is_link_local or own.is_unspecified):
            found.append(str(own))
    return found


def _prefer_lasting(probe: socket.socket) -> None:
    """Have a socket use the address that stays, not one of those that change each day (RFC 5014).

    What cannot be asked for on a system is left as it is there.
    """
    option = {"linux": (72, 2), "darwin": (63, 0)}.get(sys.platform)
    if option is not None:
        with suppress(OSError):
            probe.setsockopt(socket.IPPROTO_IPV6, *option)


def _is_unplugged(name: str) -> bool:
    """Return whether Linux says that an adapter is down; a tunnel's state is unknown."""
    try:
        return (_STATES / name / "operstate").read_text().strip() in ("down", "lowerlayerdown")
    except (OSError, ValueError):
        return False
