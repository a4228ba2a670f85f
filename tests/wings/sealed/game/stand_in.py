"""A cheap replacement for Ed25519, for tests that are not about signatures."""

from functools import lru_cache
from hashlib import blake2b

import pytest

from netcode.wings.sealed.game import encoding, parcels
from netcode.wings.sealed.game.encoding import AnyBody, pack
from netcode.wings.sealed.game.parcels import Parcel

SIGNING = (
    "game.sealed_person",
    "game.sealing",
    "takeover.decision",
)


def _public_key(secret: bytes) -> bytes:
    return blake2b(secret, digest_size=32).digest()


def _signature(key: bytes, body: bytes) -> bytes:
    return blake2b(body, key=key).digest()


def signed(secret: bytes, said: AnyBody) -> Parcel:
    body = pack(said)
    return Parcel(body, _signature(_public_key(secret), body))


def _is_signed_by(parcel: Parcel, key: bytes) -> bool:
    return parcel.signature == _signature(key, parcel.body)


def plant_stand_in(patch: pytest.MonkeyPatch) -> None:
    """Sign and verify by a keyed hash, which nobody forges by accident."""
    for module in SIGNING:
        patch.setattr(f"netcode.wings.sealed.{module}.signed_parcel", signed)
    patch.setattr(Parcel, "is_signed_by", _is_signed_by)
    # Bodies never change, so everybody can share the unpacked ones.
    patch.setattr(parcels, "unpack", lru_cache(200_000)(encoding.unpack))
    patch.setattr("tests.wings.sealed.game.sealed_tables.public_key", _public_key)
    patch.setattr("netcode.wings.sealed.game.sealed_person.public_key", _public_key)
