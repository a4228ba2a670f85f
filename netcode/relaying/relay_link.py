"""The link of a relay, by which hosts come; guests have the links of tables."""

from base64 import urlsafe_b64encode
from typing import Final

from msgspec import Struct

from engine.words import N_
from netcode.joining.invitation import SCHEME, InvitationError, parse_invitation
from netcode.transport.address import Address

RELAY_SCHEME: Final = "driflamme-relay://"
"""Beginning of every link of a relay."""


class RelayLink(Struct, frozen=True):
    """The way to a relay and into it, for a host."""

    addresses: tuple[Address, ...]
    """Where it may be reached, the likeliest first."""
    pin: bytes
    """Of the relay's certificate."""
    secret: bytes
    """What lets hosts in."""

    def __repr__(self) -> str:
        return f"RelayLink({self.addresses!r})"

    def __str__(self) -> str:
        """Return the line from which `parse_relay_link` gives this link."""
        where = ",".join(each.bracketed for each in self.addresses)
        token = urlsafe_b64encode(self.pin + self.secret).rstrip(b"=").decode()
        return f"{RELAY_SCHEME}{where}/{token}"


def parse_relay_link(text: str) -> RelayLink:
    """Return what a relay's link says; raises InvitationError."""
    text = "".join(text.split())
    if RELAY_SCHEME not in text.lower():
        raise InvitationError(
            N_("This is no relay's link: those begin with driflamme-relay:// (driflamme relay).")
        )
    at = text.lower().index(RELAY_SCHEME)
    link = parse_invitation(SCHEME + text[at + len(RELAY_SCHEME) :])
    return RelayLink(link.addresses, link.pin, link.secret)
