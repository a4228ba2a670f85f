"""Defines parcels: signed bodies.

Each parcel is decoded once, and its valid Ed25519 signature is checked once.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from netcode.wings.sealed.game.encoding import AnyBody, digest, pack, unpack
from netcode.wings.sealed.messages import MAX_CLIENT_PARCELS, MAX_HOST_PARCELS, Sealed

SENT_BYTES: Final = 3900
"""Maximum bytes of parcels in a frame to a host, so that the frame stays within the host's
limit.
"""

NEWS_BYTES: Final = 48 * 1024
"""Maximum bytes of parcels in a frame to a client, which accepts larger ones."""

_FIELD: Final = 2**255 - 19
"""The prime of the curve. A number that is not below it is a second form of a smaller number."""

_SMALL_ORDER: Final = frozenset(
    {
        0,
        1,
        _FIELD - 1,
        2707385501144840649318225287225658788936804267575313519463743609750303402022,
        55188659117513257062467267217118295137698188065244968500265048394206261417927,
    }
)
"""The y coordinates of all points of small order. A signature by such a key fits many messages."""


_read_key: Final = lru_cache(maxsize=64)(Ed25519PublicKey.from_public_bytes)


class _Bytes(NamedTuple):
    body: bytes
    signature: bytes = b""
    """The signature; empty for an unsigned parcel."""


class Parcel(_Bytes):
    """A body and its signature, as they are sent and stored.

    Parcels are equal if both parts are equal.
    """

    _signer: bytes | None = None

    @cached_property
    def decoded(self) -> AnyBody:
        """The decoded body. Raises SealedError `malformed` for an invalid one."""
        return unpack(self.body)

    def is_signed_by(self, key: bytes) -> bool:
        """Return True if a public key has signed the body. The key must not be weak."""
        # Checking a signature is half of a parcel's cost, so remember the last valid key.
        if self._signer != key:
            try:
                _read_key(key).verify(self.signature, digest("sign", self.body))
            except (InvalidSignature, ValueError):
                return False
            self._signer = key
        return True


def is_weak(key: bytes) -> bool:
    """Return True if a public key is forbidden: it fits many signatures, or is not canonical."""
    y = int.from_bytes(key, "little") & (1 << 255) - 1
    return y >= _FIELD or y in _SMALL_ORDER


def public_key(secret: bytes) -> bytes:
    """Return the public key of a secret key. Both have 32 bytes."""
    key = Ed25519PrivateKey.from_private_bytes(secret).public_key()
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def signed_parcel(secret: bytes, decoded: AnyBody) -> Parcel:
    """Return a parcel with a body, signed with a secret key."""
    body = pack(decoded)
    return Parcel(body, Ed25519PrivateKey.from_private_bytes(secret).sign(digest("sign", body)))


def in_frames(
    parcels: Iterable[Parcel], most: int = MAX_CLIENT_PARCELS, most_bytes: int = SENT_BYTES
) -> Iterator[Sealed]:
    """Pack parcels into as few messages as possible.

    The default limits are those for messages to a host.
    """
    frame: list[Parcel] = []
    size = 0
    for parcel in parcels:
        length = len(parcel.body) + len(parcel.signature) + 8
        if frame and (len(frame) == most or size + length > most_bytes):
            yield Sealed(tuple(frame))
            frame, size = [], 0
        frame.append(parcel)
        size += length
    if frame:
        yield Sealed(tuple(frame))


def in_host_frames(parcels: Iterable[Parcel]) -> Iterator[Sealed]:
    """Pack parcels into as few messages as possible, within the limits for messages to a client."""
    return in_frames(parcels, MAX_HOST_PARCELS, NEWS_BYTES)
