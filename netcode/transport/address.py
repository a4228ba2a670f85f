"""Parses addresses that people type, and finds the network of an address.

This module sends nothing and resolves no name.
"""

import ipaddress
import re
from typing import Final

from msgspec import Struct

from engine.texts import ExplainedError

DEFAULT_PORT: Final = 11_214
"""The default TCP port of a table."""

MOST_ADDRESSES: Final = 8
"""Maximum number of addresses of one machine."""

_NETWORK_BITS: Final = 56
"""The number of leading bits of an IPv6 address that are equal in a whole household."""

_HOST: Final = r"[^\W_]([\w.-]{0,251}\w\.?)?"
_ZONE: Final = r"[\w.-]{1,15}"
_PORT: Final = r"[0-9]{1,5}"

_VIA: Final = " via "
"""The text between a guest's address and the forwarder that reported it. No address contains it."""

_INSIDE: Final = tuple(
    ipaddress.ip_network(each)
    for each in (
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        # Several customers of one provider share these addresses (RFC 6598).
        "100.64.0.0/10",
        "fc00::/7",
        "fe80::/10",
    )
)
"""Networks inside a home or a provider. Elsewhere the same addresses belong to other machines."""

_BROADCAST: Final = ipaddress.IPv4Address("255.255.255.255")


class AddressError(ExplainedError):
    """Raised if a text is not an address. The error's sentence has the reason."""


class Address(Struct, frozen=True):
    """A host, by name or IP address, and a port."""

    host: str
    port: int = DEFAULT_PORT

    def __str__(self) -> str:
        """Return the shortest text that `parse_address` parses to this address."""
        if self.port == DEFAULT_PORT:
            return self.host
        return f"{self._number}:{self.port}"

    @property
    def bracketed(self) -> str:
        """The address as in a link: brackets around an IPv6 address, and no default port."""
        return self._number if self.port == DEFAULT_PORT else str(self)

    @property
    def _number(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host


def parse_address(text: str, port: int = DEFAULT_PORT) -> Address:
    """Parse `HOST`, `HOST:PORT`, `[IPV6]:PORT` or `IPV6`; raises AddressError for any other text.

    `port` is used if the text has no port.
    """
    text = text.strip()
    if not text:
        raise AddressError("An address is missing: type one such as 192.168.1.20.")
    if "://" in text:
        raise AddressError(
            "{text!r} is not a link to a table: such a link begins with driflamme://. An"
            " address looks like 192.168.1.20 or table.example:4000.",
            text=text,
        )
    if _is_ipv6(text):
        return Address(text, port)
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or not _is_ipv6(host) or (rest and not rest.startswith(":")):
            raise _no_address(text)
        return Address(host, _parse_port(rest[1:]) if rest else port)
    host, colon, digits = text.partition(":")
    if not _is_name(host):
        raise _no_address(text)
    return Address(host, _parse_port(digits) if colon else port)


def parse_addresses(text: str, port: int = DEFAULT_PORT) -> tuple[Address, ...]:
    """Parse addresses that are separated by commas.

    `port` is used for addresses without a port. Raises AddressError if an address is invalid, or if
    there are more than `MOST_ADDRESSES`.
    """
    texts = text.split(",")
    if len(texts) > MOST_ADDRESSES:
        raise AddressError("Name at most {n} addresses for a table.", n=MOST_ADDRESSES)
    return tuple(parse_address(each, port) for each in texts)


def is_inside(host: str) -> bool:
    """Return True if a host is an IP address that is valid only inside its own network.

    >>> is_inside("192.168.1.20"), is_inside("100.64.3.4"), is_inside("fd00::20")
    (True, True, True)
    >>> is_inside("198.51.100.10"), is_inside("127.0.0.1"), is_inside("table.example")
    (False, False, False)
    """
    try:
        number = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return any(number in network for network in _INSIDE)


def is_reachable(number: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Return True if other machines on a network can reach a single machine by this address.

    >>> is_reachable(ipaddress.ip_address("192.168.1.20"))
    True
    >>> is_reachable(ipaddress.ip_address("255.255.255.255"))
    False
    """
    if number.is_unspecified or number.is_multicast or number.is_loopback:
        return False
    if isinstance(number, ipaddress.IPv6Address):
        # Every network has the same link-local addresses. Only the scope tells them apart.
        return not number.is_link_local or number.scope_id is not None
    return number != _BROADCAST


def guest_address(machine: str, forwarder: str) -> str:
    """Return the address of a guest that a forwarder, such as a relay, has reported.

    The result belongs to another network than a direct guest with the same address, since a
    forwarder may lie.

    >>> network_of(guest_address("192.0.2.7", "relay.example"))
    '192.0.2.7 via relay.example'
    """
    return f"{machine}{_VIA}{forwarder}"


def is_forwarded(peer_address: str) -> bool:
    """Return True if only a forwarder has reported this address."""
    return _VIA in peer_address


def network_of(peer_address: str | None) -> str:
    """Return the part that all addresses of one household share; "" if there is none.

    For IPv4 it is the whole address, since a home shares one. For IPv6 it is the first 56 bits. A
    unix socket and a connection within a program have no network.

    >>> network_of("192.0.2.7")
    '192.0.2.7'
    >>> network_of("2001:db8:1:2::7")
    '2001:db8:1::/56'
    >>> network_of("")
    ''
    """
    machine, via, forwarder = (peer_address or "").partition(_VIA)
    if via:
        network = network_of(machine)
        return network and guest_address(network, forwarder)
    try:
        number = ipaddress.ip_address(machine)
    except ValueError:
        return ""
    if isinstance(number, ipaddress.IPv6Address):
        if number.ipv4_mapped is not None:
            # A socket for IPv4 and IPv6 reports IPv4 addresses in this form.
            return str(number.ipv4_mapped)
        return str(ipaddress.IPv6Network((int(number), _NETWORK_BITS), strict=False))
    return str(number)


def _is_ipv6(text: str) -> bool:
    """Return True if a text is an IPv6 address. It may have a zone: a plain name or number."""
    try:
        zone = ipaddress.IPv6Address(text).scope_id
    except ValueError:
        return False
    return zone is None or re.fullmatch(_ZONE, zone, flags=re.ASCII) is not None


def _is_name(text: str) -> bool:
    """Return True if a text is a valid host name: no label is empty or too long."""
    try:
        text.encode("idna")
    except UnicodeError:
        return False
    return re.fullmatch(_HOST, text) is not None


def _parse_port(text: str) -> int:
    if not re.fullmatch(_PORT, text) or not 1 <= int(text) <= 65_535:
        raise AddressError("Type a port from 1 to 65535, not {port!r}.", port=text)
    return int(text)


def _no_address(text: str) -> AddressError:
    return AddressError(
        "{text!r} is not an address: type one such as 192.168.1.20, table.example:4000 or"
        " [fd00::20]:4000.",
        text=text,
    )
