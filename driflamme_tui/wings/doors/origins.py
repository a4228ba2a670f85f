"""Checks the addresses at which a proxy may publish the page of the web door."""

import re

from netcode.transport.address import AddressError, parse_address


def is_origin(text: str) -> bool:
    """Return True if a text is an origin: a scheme, a host, and perhaps a port, without a path."""
    if not re.fullmatch(r"https?://[a-z0-9.-]+(:[0-9]{1,5})?", text):
        return False
    try:
        parse_address(text.partition("://")[2])
    except AddressError:
        return False
    return True
