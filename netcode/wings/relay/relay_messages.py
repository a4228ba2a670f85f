"""Defines the messages that a relay and a host exchange on the control connection, inside TLS."""

from collections.abc import Callable
from hashlib import sha256
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta

from netcode.protocol.fields import SECRET_BYTES, Message
from netcode.wings.relay.relay_link import PASS_BYTES

RELAY_PROTOCOL: Final = 1
"""The version of the protocol between a relay and its hosts."""

KEY_BYTES: Final = 16
"""Number of bytes of the key that identifies a guest when the host dials."""

FOR_CONTROL: Final = bytes(KEY_BYTES)
"""The key with which a host dials its control connection, which is for no guest."""

_ABOUT: Final = b"driflamme relay, host"
"""The beginning of the signed bytes, so that the signature is valid for nothing else."""

_Pass = Annotated[bytes, Meta(min_length=PASS_BYTES, max_length=PASS_BYTES)]


class ProveHost(Message, frozen=True):
    """The first message of the relay: the challenge that the host must sign."""

    challenge: Annotated[bytes, Meta(min_length=32, max_length=32)]


class Register(Message, frozen=True, kw_only=True):
    """The answer of the host: its identity and its permission."""

    protocol: Annotated[int, Meta(ge=0, le=65_535)]
    secret: Annotated[bytes, Meta(min_length=SECRET_BYTES, max_length=PASS_BYTES)]
    """The secret of the relay's link, or a pass."""
    certificate: Annotated[bytes, Meta(min_length=1, max_length=1024)]
    """The certificate that the host shows its guests, in DER."""
    signature: Annotated[bytes, Meta(min_length=1, max_length=128)]
    """The signature of `what_is_signed`, by the certificate's key."""
    prefix: Annotated[str, Meta(pattern="^([0-9A-HJKMNP-TV-Z]{3})?$")]
    """The prefix of the table's spoken code, by which guests may come; empty if there is none."""


class Registered(Message, frozen=True):
    """The host is registered; from now on the relay connects guests with it."""

    by_code: bool
    """True if guests may come by the code too; False if another host has the same prefix."""
    evening_pass: _Pass | None = None
    """A pass for the players of the host's table; None if the host itself used a pass."""


class NotRegistered(Message, frozen=True):
    """The relay refuses a registration, or ends an earlier one."""

    code: str
    """`secret`, `proof`, `protocol` or `full`; later `replaced` if the same host has opened another
    connection.
    """


class GuestCame(Message, frozen=True):
    """A guest has come for the host, which must dial the relay with this key."""

    key: Annotated[bytes, Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)]
    machine: Annotated[str, Meta(max_length=64)]
    """The address of the guest's machine, for the host's own limits."""


FromRelay: TypeAlias = ProveHost | Registered | NotRegistered | GuestCame

encode: Final = msgspec.msgpack.Encoder().encode
from_relay: Final[Callable[[bytes], FromRelay]] = msgspec.msgpack.Decoder(FromRelay).decode
"""Decodes a message of the relay. Raises ValueError for any other bytes."""
from_host: Final[Callable[[bytes], Register]] = msgspec.msgpack.Decoder(Register).decode
"""Decodes a message of a host. Raises ValueError for any other bytes."""


def what_is_signed(challenge: bytes, relay: bytes) -> bytes:
    """Return the bytes that a host signs.

    They are valid only for the relay with this certificate.
    """
    return _ABOUT + challenge + sha256(relay).digest()
