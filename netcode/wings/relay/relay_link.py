"""The link of a relay, by which hosts come; guests have the links of tables.

In the place of the relay's secret a link may hold a pass: by one, the players of a table register
for an evening. Nothing is kept of passes: the relay's secret proves until when each lets in, and
for whose table.
"""

import hmac
import re
from base64 import urlsafe_b64decode
from hashlib import sha256
from typing import Final

from msgspec import Struct

from netcode.joining.invitation import InvitationError, link_token
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
        return f"{RELAY_SCHEME}{where}/{link_token(self.pin + self.secret)}"


def parse_relay_link(text: str) -> RelayLink:
    """Return what a relay's link says, whatever is around it; raises InvitationError."""
    found = _LINK.search("".join(text.split()))
    if found is None:
        raise InvitationError(
            "This is no relay's link: those begin with driflamme-relay:// (driflamme relay)."
        )
    where, token = found.groups()
    token += "=" * (-len(token) % 4)
    # One sign more than a multiple of four says nothing.
    said = b"" if token.endswith("===") else urlsafe_b64decode(token)
    if len(said) - PIN_BYTES not in (SECRET_BYTES, PASS_BYTES):
        raise InvitationError("The relay's link is cut off, or too long: copy it again, whole.")
    try:
        addresses = parse_addresses(where)
    except AddressError as error:
        raise InvitationError(error.template, **error.values) from None
    return RelayLink(addresses, said[:PIN_BYTES], said[PIN_BYTES:])


EVENING_S: Final = 12 * 3600
"""Seconds for which a pass lets in."""

_OWNER_BYTES: Final = 8
_TIME_BYTES: Final = 4
_ABOUT_BYTES: Final = _TIME_BYTES + _OWNER_BYTES


def new_pass(secret: bytes, table: bytes, unix_s: float) -> bytes:
    """Return what lets the players of a table register, for an evening."""
    until = int(unix_s) + EVENING_S
    about = until.to_bytes(_TIME_BYTES, "big") + sha256(table).digest()[:_OWNER_BYTES]
    return about + _proof_of(secret, about)


def owner_of(secret: bytes, evening_pass: bytes, unix_s: float) -> bytes | None:
    """Return for whose table a pass is; None if it is no pass, or has lapsed."""
    about, proof = evening_pass[:_ABOUT_BYTES], evening_pass[_ABOUT_BYTES:]
    if not hmac.compare_digest(proof, _proof_of(secret, about)):
        return None
    until = int.from_bytes(about[:_TIME_BYTES], "big")
    return None if unix_s > until else about[_TIME_BYTES:]


def _proof_of(secret: bytes, about: bytes) -> bytes:
    made = hmac.digest(secret, b"driflamme relay, pass" + about, "sha256")
    return made[: PASS_BYTES - _ABOUT_BYTES]
