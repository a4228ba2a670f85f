"""Selects the addresses of another player's program that may be called."""

from collections.abc import Sequence
from ipaddress import ip_address
from typing import Final

from netcode.joining.invitation import INDIRECT
from netcode.transport.address import AddressError, parse_address

LEAST_PORT: Final = 1024
"""The first port that is not reserved for system services."""

_NEVER: Final = "never"


def callable_at(addresses: Sequence[str], own: Sequence[str]) -> tuple[str, ...]:
    """Return the addresses that this program may call. `own` are this program's addresses.

    A player's message alone must not cause a name lookup, or a call to another service of this
    machine. It must not cause a call to a relay for which this program has no pass.
    """
    may = {"", *map(_kind, own)} - {_NEVER}
    relays = {each for each in own if each.startswith(INDIRECT)}
    return tuple(each for each in addresses if each in relays or _kind(each) in may)


def _kind(text: str) -> str:
    """Return the kind of an address: "loopback", "link-local", "never" or "".

    No program may call an address of the kind "never", and every program may call one of the kind
    "".
    """
    try:
        address = parse_address(text)
        ip = ip_address(address.host)
    except (AddressError, ValueError):
        return _NEVER
    ip = getattr(ip, "ipv4_mapped", None) or ip
    if address.port < LEAST_PORT or ip.is_unspecified or ip.is_multicast:
        return _NEVER
    return "loopback" if ip.is_loopback else "link-local" if ip.is_link_local else ""
