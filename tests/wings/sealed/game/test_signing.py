"""Tests that a signature is valid for one body and one key, and that weak keys are refused."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from netcode.wings.sealed.game.encoding import MissingBody, digest
from netcode.wings.sealed.game.parcels import Parcel, is_weak, public_key, signed_parcel

SECRET = bytes(range(32))
KEY = public_key(SECRET)
PARCEL = signed_parcel(SECRET, MissingBody(bytes(32), 1, bytes(32), 0))
ORDER = 2**252 + 27742317777372353535851937790883648493


def test_no_other_byte_is_signed() -> None:
    assert PARCEL.is_signed_by(KEY)
    body, signature = PARCEL
    for index in range(len(body)):
        changed = body[:index] + bytes([body[index] ^ 1]) + body[index + 1 :]
        assert not Parcel(changed, signature).is_signed_by(KEY)
    for index in range(64):
        changed = signature[:index] + bytes([signature[index] ^ 1]) + signature[index + 1 :]
        assert not Parcel(body, changed).is_signed_by(KEY)
    for other in (b"", signature[:63], signature + b"\0"):
        assert not Parcel(body, other).is_signed_by(KEY)
    assert not PARCEL.is_signed_by(public_key(bytes(32)))


def test_a_malleable_signature_is_refused() -> None:
    body, signature = PARCEL
    number = int.from_bytes(signature[32:], "little") + ORDER
    assert not Parcel(body, signature[:32] + number.to_bytes(32, "little")).is_signed_by(KEY)


def test_why_weak_keys_are_refused() -> None:
    # The neutral element: under this key, a signature fits any message.
    key = bytes.fromhex("01" + "00" * 31)
    assert is_weak(key)
    assert not is_weak(KEY)
    for message in (b"one", b"another"):
        Ed25519PublicKey.from_public_bytes(key).verify(key + bytes(32), message)
    assert digest("sign", b"one") != digest("sign", b"another")
