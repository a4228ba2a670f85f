"""Parses the links with which hosts register at a relay. Guests use links of tables instead.

A relay link contains the relay's secret, or a pass that lets a table's players register for one
evening. The relay does not store passes: it verifies expiry and table of each pass with its secret.
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
"""The beginning of every relay link."""

PASS_BYTES: Final = 28
"""Bytes of a pass: its expiry, its table, and a proof of expiry and table."""

_LINK: Final = re.compile(
    re.escape(RELAY_SCHEME) + r"([^/]+)/([A-Za-z0-9_-]+)", re.IGNORECASE | re.ASCII
)


class RelayLink(Struct, frozen=True):
    """The addresses of a relay, and the permission of a host to register there."""

    addresses: tuple[Address, ...]
    """The relay's addresses, most likely first."""
    pin: bytes
    """The pin of the relay's certificate."""
    secret: bytes
    """The secret that admits hosts, or a pass."""

    def __repr__(self) -> str:
        return f"RelayLink({self.addresses!r})"

    def __str__(self) -> str:
        """Return the text that `parse_relay_link` parses into this link."""
        where = ",".join(each.bracketed for each in self.addresses)
        return f"{RELAY_SCHEME}{where}/{link_token(self.pin + self.secret)}"


def parse_relay_link(text: str) -> RelayLink:
    """Parse a relay link, with any text around it.

    Raises InvitationError if the text contains no relay link, or an incomplete one.
    """
    found = _LINK.search("".join(text.split()))
    if found is None:
        raise InvitationError(
            "This is not a relay's link: such a link begins with driflamme-relay:// (driflamme"
            " relay)."
        )
    where, token = found.groups()
    token += "=" * (-len(token) % 4)
    # With this padding, the token has one character too many or too few to be valid base64.
    data = b"" if token.endswith("===") else urlsafe_b64decode(token)
    if len(data) - PIN_BYTES not in (SECRET_BYTES, PASS_BYTES):
        raise InvitationError("The relay's link is cut off, or too long: copy it again, whole.")
    try:
        addresses = parse_addresses(where)
    except AddressError as error:
        raise InvitationError(error.template, **error.values) from None
    return RelayLink(addresses, data[:PIN_BYTES], data[PIN_BYTES:])


EVENING_S: Final = 12 * 3600
"""Seconds for which a pass is valid."""

_OWNER_BYTES: Final = 8
_TIME_BYTES: Final = 4
_ABOUT_BYTES: Final = _TIME_BYTES + _OWNER_BYTES


def new_pass(secret: bytes, table: bytes, unix_s: float) -> bytes:
    """Return a pass with which the players of a table can register for `EVENING_S` seconds.

    `table` is the pin of the certificate of the table's host.
    """
    until = int(unix_s) + EVENING_S
    about = until.to_bytes(_TIME_BYTES, "big") + sha256(table).digest()[:_OWNER_BYTES]
    return about + _proof_of(secret, about)


def owner_of(secret: bytes, evening_pass: bytes, unix_s: float) -> bytes | None:
    """Return the owner of a pass, a hash of its table; None for an invalid or expired pass."""
    about, proof = evening_pass[:_ABOUT_BYTES], evening_pass[_ABOUT_BYTES:]
    if not hmac.compare_digest(proof, _proof_of(secret, about)):
        return None
    until = int.from_bytes(about[:_TIME_BYTES], "big")
    return None if unix_s > until else about[_TIME_BYTES:]


def _proof_of(secret: bytes, about: bytes) -> bytes:
    made = hmac.digest(secret, b"driflamme relay, pass" + about, "sha256")
    return made[: PASS_BYTES - _ABOUT_BYTES]
