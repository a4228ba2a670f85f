"""What a relay and a host say to each other on the line between them, inside TLS."""

from collections.abc import Callable
from hashlib import sha256
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from netcode.protocol.fields import SECRET_BYTES, Message
from netcode.wings.relay.relay_link import PASS_BYTES

RELAY_PROTOCOL: Final = 1
"""Version of what is said here."""

KEY_BYTES: Final = 16
"""Length of the key by which a host dials for one guest."""

FOR_THE_LINE: Final = bytes(KEY_BYTES)
"""What stands in a key's place where a host opens the line itself."""

_ABOUT: Final = b"driflamme relay, host"
"""Label of what is signed, so that it means nothing else."""

_Pass = Annotated[bytes, Meta(min_length=PASS_BYTES, max_length=PASS_BYTES)]


class ProveHost(Message, frozen=True):
    """The relay's first word: what the host is to sign."""

    challenge: Annotated[bytes, Meta(min_length=32, max_length=32)]


class Register(Message, frozen=True, kw_only=True):
    """The host's answer: who it is, and what lets it in."""

    protocol: Annotated[int, Meta(ge=0, le=65_535)]
    secret: Annotated[bytes, Meta(min_length=SECRET_BYTES, max_length=PASS_BYTES)]
    """What the relay's link holds, or the pass of a table's evening."""
    certificate: Annotated[bytes, Meta(min_length=1, max_length=1024)]
    """In DER: what the host shows its guests."""
    signature: Annotated[bytes, Meta(min_length=1, max_length=128)]
    """Of `what_is_signed`, by the certificate's key."""
    room: Annotated[str, Meta(pattern="^([0-9A-HJKMNP-TV-Z]{3})?$")]
    """Of the spoken code by which guests may come too; empty if there is none."""


class Registered(Message, frozen=True):
    """Guests are led to the host from now on."""

    has_room: bool
    """Whether by its code too: another host may have the room."""
    evening_pass: _Pass | None = None
    """What lets the players of a table register as well; none for whoever came by one."""


class NotRegistered(Message, frozen=True):
    """The host is not let in."""

    code: str
    """`secret`, `proof`, `protocol`, `full`, or later `replaced`: another line has its place."""


class GuestCame(Message, frozen=True):
    """A guest has come for the host, which dials again and shows this key."""

    key: Annotated[bytes, Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)]
    machine: Annotated[str, Meta(max_length=64)]
    """Where the guest comes from, for the host's own limits."""


FromRelay: TypeAlias = ProveHost | Registered | NotRegistered | GuestCame

encode: Final = msgspec.msgpack.Encoder().encode
from_relay: Final[Callable[[bytes], FromRelay]] = msgspec.msgpack.Decoder(FromRelay).decode
"""Reads what a relay says; raises ValueError."""
from_host: Final[Callable[[bytes], Register]] = msgspec.msgpack.Decoder(Register).decode
"""Reads what a host says; raises ValueError."""


def what_is_signed(challenge: bytes, relay: bytes) -> bytes:
    """Return what a host signs for the relay that has shown a certificate, and for no other."""
    return _ABOUT + challenge + sha256(relay).digest()
