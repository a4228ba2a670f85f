"""Finds the routers of this machine's home, and defines requests, leases and refusals.

The system's routes name the routers, so finding them sends nothing.
"""

import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from engine.texts import ExplainedError, Text
from netcode.transport.address import Address, is_inside
from netcode.transport.machine_addresses import machine_numbers

CONTROL_PORT: Final = 5351
"""The router's port for requests by PCP and NAT-PMP."""

SEARCH_PORT: Final = 1900
"""The port for searches by UPnP."""

ROUTES_TIMEOUT_S: Final = 2.0
"""Seconds to wait for the program that prints the routes. Linux has a file of routes instead."""

_DEFAULT: Final = re.compile(
    r"(?:^\s*default|0\.0\.0\.0\s+0\.0\.0\.0|::/0)\s+([0-9a-f.:%\w]+)", re.M
)
"""A default route in the output of `netstat -rn` on macOS, the BSDs and Windows."""


class Router(Struct, frozen=True):
    """A router, with the addresses that requests need."""

    address: str
    own: str
    """The address of this machine that the router forwards to."""
    control_port: int = CONTROL_PORT
    search: tuple[str, int] = ("239.255.255.250", SEARCH_PORT)
    """The destination of UPnP searches."""


LEASE_S: Final = 3_600
"""Seconds for which a lease is requested. It is renewed after half of this time."""


class Wish(Struct, frozen=True):
    """A request for a TCP port that the router should open."""

    port: int
    nonce: bytes
    """Twelve bytes by which this program can later prove that it requested the lease."""
    permanent: bool = False
    """True if a lease without an end is acceptable, for routers that grant no others."""


class Lease(Struct, frozen=True):
    """A TCP port of this machine that a router has opened for a while."""

    way: Literal["control", "upnp"]
    """The protocol: `control` for PCP or NAT-PMP, `upnp` for UPnP."""
    router: Router
    port: Annotated[int, Meta(ge=0, le=65_535)]
    """The port of this machine."""
    outside: Address
    """The address that guests outside use."""
    seconds: Annotated[int, Meta(ge=0, le=2**32 - 1)]
    """Seconds of the lease; 0 if it has no end."""
    nonce: bytes = b""
    url: str = ""
    """The URL of the router's UPnP description; "" for a lease by another protocol."""


NO_WAY: Final[Text] = (
    "Your router opens no port by itself: forward one to this machine in its settings, let a "
    "friend host, or use a relay."
)
NO_LIBRARY: Final[Text] = (
    "Your router answers neither PCP nor NAT-PMP. It may know UPnP, but the package {package} is "
    "missing here: reinstall the program."
)
ONLY_PERMANENTLY: Final[Text] = (
    "Your router opens ports only until they are closed, not for a limited time."
)
ROUTER_REFUSAL: Final[Text] = (
    "Your router refuses to open a port: allow it in its settings (UPnP or PCP), let a friend "
    "host, or use a relay."
)
NO_ADDRESS: Final[Text] = (
    "Your provider or a second router is between yours and the internet, so nobody outside can"
    " reach you: let a friend host, or use a relay."
)


class OutsideError(ExplainedError):
    """Raised if guests outside cannot connect. The error's sentence has the reason."""


class SilenceError(OutsideError):
    """Raised if the router does not answer requests by this protocol."""


class PermanentOnlyError(OutsideError):
    """Raised if the router opens ports only by leases without an end."""


def usable(host: str) -> bool:
    """Return True if guests outside can reach an external address that a router has reported."""
    try:
        number = ip_address(host)
    except ValueError:
        return False
    nowhere = number.is_unspecified or number.is_loopback or number.is_multicast
    return not (nowhere or is_inside(host) or host == "255.255.255.255")


def find_routers() -> tuple[Router | None, Router | None]:
    """Return the router for IPv4 and the router for IPv6, or None for each that was not found.

    Call this function in a thread, since it may block.
    """
    gateways = [*_gateways()]
    # For IPv6, guests use this machine's lasting address, which may not be the one on this route.
    lasting = next((each for each in machine_numbers() if ":" in each and not is_inside(each)), "")
    first_4 = next((each for each in gateways if ":" not in each), "")
    first_6 = next((each for each in gateways if ":" in each), "")
    own = address_towards(first_4) if first_4 else ""
    return (
        Router(first_4, own) if own and is_inside(own) else None,
        Router(first_6, lasting) if first_6 and lasting else None,
    )


def address_towards(gateway: str) -> str:
    """Return this machine's address on the route to a router; empty without a route."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # Connecting a datagram socket chooses a route and sends nothing.
        probe.connect((gateway, CONTROL_PORT))
        return str(probe.getsockname()[0])
    return ""


def _gateways() -> Iterator[str]:
    if sys.platform == "linux":
        with suppress(OSError):
            yield from linux_gateways(Path("/proc/net/route").read_text())
        with suppress(OSError):
            yield from linux_gateways_6(Path("/proc/net/ipv6_route").read_text())
    else:
        with suppress(OSError, subprocess.SubprocessError):
            routes = subprocess.run(
                ["netstat", "-rn"], capture_output=True, timeout=ROUTES_TIMEOUT_S, check=False
            )
            yield from shown_gateways(routes.stdout.decode(errors="replace"))


def linux_gateways(routes: str) -> Iterator[str]:
    """Yield the default gateways of `/proc/net/route`."""
    for line in routes.splitlines()[1:]:
        _name, destination, gateway, *rest = line.split()
        if destination == "00000000" != gateway and rest[4] == "00000000":
            yield str(IPv4Address(int(gateway, 16).to_bytes(4, sys.byteorder)))


def linux_gateways_6(routes: str) -> Iterator[str]:
    """Yield the default gateways of `/proc/net/ipv6_route`, some of them with an interface."""
    for line in routes.splitlines():
        destination, length, _source, _length, gateway, *_rest, name = line.split()
        number = IPv6Address(int(gateway, 16))
        if int(destination, 16) == int(length, 16) == 0 and not number.is_unspecified:
            yield f"{number}%{name}" if number.is_link_local else str(number)


def shown_gateways(routes: str) -> Iterator[str]:
    """Yield the default gateways from the output of `netstat -rn`."""
    for found in _DEFAULT.findall(routes):
        with suppress(ValueError):
            number = ip_address(found)
            if not number.is_link_local or (isinstance(number, IPv6Address) and number.scope_id):
                yield found


def scope_of(address: str) -> int:
    """Return the interface number in an IPv6 address; 0 if it names no known interface."""
    _number, _percent, name = address.partition("%")
    with suppress(OSError, ValueError):
        return int(name) if name.isdigit() else socket.if_nametoindex(name)
    return 0
