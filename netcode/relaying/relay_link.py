"""The link of a relay, by which hosts come; guests have the links of tables."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final

from msgspec import Struct

from engine.words import N_
from netcode.joining.invitation import InvitationError
from netcode.protocol.fields import SECRET_BYTES
from netcode.transport.address import Address, AddressError, parse_addresses
from netcode.transport.certificate import PIN_BYTES

RELAY_SCHEME: Final = "driflamme-relay://"
"""Beginning of every link of a relay."""

PASS_BYTES: Final = 28
"""Length of a pass: until when it lets in, for whose table, and the proof of both."""

_LINK: Final = re.compile(re.escape(RELAY_SCHEME) + r"([^/]+)/([A-Za-z0-9_-]+)", re.IGNORECASE)


class RelayLink(Struct, frozen=True):
    """The way to a relay and into it, for a host."""

    addresses: tuple[Address, ...]
    """Where it may be reached, the likeliest first."""
    pin: bytes
    """Of the relay's certificate."""
    secret: bytes
    """What lets hosts in, or the pass of an evening."""

    def __repr__(self) -> str:
        return f"RelayLink({self.addresses!r})"

    def __str__(self) -> str:
        """Return the line from which `parse_relay_link` gives this link."""
        where = ",".join(each.bracketed for each in self.addresses)
        token = urlsafe_b64encode(self.pin + self.secret).rstrip(b"=").decode()
        return f"{RELAY_SCHEME}{where}/{token}"


def parse_relay_link(text: str) -> RelayLink:
    """Return what a relay's link says, whatever is around it; raises InvitationError."""
    found = _LINK.search("".join(text.split()))
    if found is None:
        raise InvitationError(
            N_("This is no relay's link: those begin with driflamme-relay:// (driflamme relay).")
        )
    where, token = found.groups()
    token += "=" * (-len(token) % 4)
    # One sign more than a multiple of four says nothing.
    said = b"" if token.endswith("===") else urlsafe_b64decode(token)
    if len(said) - PIN_BYTES not in (SECRET_BYTES, PASS_BYTES):
        raise InvitationError(N_("The relay's link is cut off, or too long: copy it again, whole."))
    try:
        addresses = parse_addresses(where)
    except AddressError as error:
        raise InvitationError(error.template, **error.values) from None
    return RelayLink(addresses, said[:PIN_BYTES], said[PIN_BYTES:])
