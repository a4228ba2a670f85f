"""At which addresses that a player's program has sent another program may call."""

from collections.abc import Sequence
from ipaddress import ip_address
from typing import Final

from netcode.joining.invitation import INDIRECT
from netcode.transport.address import AddressError, parse_address

LEAST_PORT: Final = 1024
"""The first port that is nobody else's by rights."""

_NEVER: Final = "never"


def callable_at(addresses: Sequence[str], own: Sequence[str]) -> tuple[str, ...]:
    """Return at which addresses another may have one call, who has addresses of one's own.

    A player's word is no reason to look a name up, or to call one's own machine's other services;
    nor to call another relay than one has a pass for.
    """
    may = {"", *map(_kind, own)} - {_NEVER}
    relays = {each for each in own if each.startswith(INDIRECT)}
    return tuple(each for each in addresses if each in relays or _kind(each) in may)


def _kind(text: str) -> str:
    """Return what sets an address apart; nothing for those that may always be called."""
    try:
        address = parse_address(text)
        ip = ip_address(address.host)
    except (AddressError, ValueError):
        return _NEVER
    ip = getattr(ip, "ipv4_mapped", None) or ip
    if address.port < LEAST_PORT or ip.is_unspecified or ip.is_multicast:
        return _NEVER
    return "loopback" if ip.is_loopback else "link-local" if ip.is_link_local else ""
