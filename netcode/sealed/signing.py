"""Signatures over bodies: Ed25519, strictly, and without the keys that sign everything."""

from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from netcode.sealed.encoding import AnyBody, Parcel, digest, pack

_FIELD: Final = 2**255 - 19
"""The prime of the curve: a number from there on is a second form of a smaller one."""

_SMALL_ORDER: Final = frozenset(
    {
        0,
        1,
        _FIELD - 1,
        2707385501144840649318225287225658788936804267575313519463743609750303402022,
        55188659117513257062467267217118295137698188065244968500265048394206261417927,
    }
)
"""The y of all points of small order: one signature of such a key fits many messages."""


def is_weak(key: bytes) -> bool:
    """Return whether a public key is one that nobody may have."""
    y = int.from_bytes(key, "little") & (1 << 255) - 1
    return y >= _FIELD or y in _SMALL_ORDER


def public_key(secret: bytes) -> bytes:
    """Return the public key of a secret one, both 32 bytes."""
    key = Ed25519PrivateKey.from_private_bytes(secret).public_key()
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def signed(secret: bytes, said: AnyBody) -> Parcel:
    """Return the parcel of a body, signed with a secret key."""
    body = pack(said)
    return Parcel(body, Ed25519PrivateKey.from_private_bytes(secret).sign(digest("sign", body)))


def is_signed(key: bytes, parcel: Parcel) -> bool:
    """Return whether the owner of a public key, which must not be weak, has signed the body."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(
            parcel.signature, digest("sign", parcel.body)
        )
    except (InvalidSignature, ValueError):
        return False
    return True
