"""Marks announced addresses with the pin of their host, so that guests recognise the host.

A guest knows the pin from the link, and computes the mark of the announced addresses. Nobody can
compute it without the pin, so announcements of other hosts cost no connection. Everybody who has
ever connected to the host knows its pin, so a mark proves nothing: the certificate does. The mark
changes with the addresses, so that it does not identify a host in another network.
"""

import hmac
from collections.abc import Iterable, Mapping
from hashlib import sha256
from ipaddress import ip_address
from typing import Final

from netcode.transport.address import (
    MOST_ADDRESSES,
    Address,
    AddressError,
    is_reachable,
    parse_addresses,
)

AT: Final = "at"
"""The announced field with the addresses, separated by commas."""

MARK: Final = "mark"
"""The announced field with the mark of the addresses in `AT`."""

MOST_BYTES: Final = 250
"""Maximum length of the addresses: a field of an announcement has at most 255 bytes."""

_MARK_LENGTH: Final = 32


def marked_addresses(pin: bytes, addresses: Iterable[Address]) -> dict[str, str]:
    """Return the announced fields by which guests recognise the host of a pin.

    Returns {} without a pin, or without an address that other machines can use.
    """
    at = ""
    for address in [each for each in addresses if _is_callable(each)][:MOST_ADDRESSES]:
        longer = f"{at},{address.bracketed}" if at else address.bracketed
        if len(longer) > MOST_BYTES:
            break
        at = longer
    return {AT: at, MARK: _mark(pin, at)} if at and pin else {}


def addresses_of(pin: bytes, properties: Mapping[bytes, bytes | None]) -> tuple[Address, ...]:
    """Return the addresses in an announcement; () if it lacks a valid mark of the pin."""
    at = (properties.get(AT.encode()) or b"").decode(errors="replace")
    mark = properties.get(MARK.encode()) or b""
    if len(at) > MOST_BYTES or not hmac.compare_digest(mark, _mark(pin, at).encode()):
        return ()
    try:
        return tuple(each for each in parse_addresses(at) if _is_callable(each))
    except AddressError:
        return ()


def _mark(pin: bytes, at: str) -> str:
    return hmac.new(pin, at.encode(), sha256).hexdigest()[:_MARK_LENGTH]


def _is_callable(address: Address) -> bool:
    """Return True for an IP address that means the same machine to everybody in a network."""
    try:
        number = ip_address(address.host)
    except ValueError:
        return False
    # The scope of a link-local IPv6 address means something on one machine only.
    is_local = number.version == 6 and number.is_link_local
    return is_reachable(number) and not is_local
