"""Tests that each hashed or signed value has exactly one encoding."""

from contextlib import suppress

import msgpack
import pytest

from netcode.wings.sealed.game.cheat_proofs import make_proof
from netcode.wings.sealed.game.encoding import (
    AddressBody,
    LoginBody,
    SealedError,
    pack,
    unpack,
)
from netcode.wings.sealed.game.parcels import Parcel, signed_parcel
from tests.wings.sealed.game.sealed_tables import SealedTable

HASH = bytes(range(32))


def everything() -> list[Parcel]:
    table = SealedTable(1)
    ada = table.people[0]
    entry = ada.act(1, HASH, 0, "3>")
    return [
        Parcel(table.sealing.body),
        table.seals[0],
        ada.deal(HASH),
        entry,
        ada.open(1, HASH, 0, 3),
        ada.missing(1, HASH),
        ada.seen(1, HASH, HASH),
        ada.end(70, HASH, 1_800_000_000),
        make_proof("two_contents", entry, ada.act(1, HASH, 0, "4>")),
        signed_parcel(ada.key, LoginBody(HASH, 0, HASH, HASH)),
        signed_parcel(
            ada.key,
            AddressBody(HASH, 0, HASH, 1_800_000_000, 1, ("192.0.2.1", "[2001:db8::1]:4000")),
        ),
    ]


@pytest.mark.parametrize(
    "parcel", everything(), ids=lambda parcel: type(unpack(parcel.body)).__name__
)
def test_bytes_are_what_they_say_and_nothing_else(parcel: Parcel) -> None:
    body = parcel.body
    said = unpack(body)
    assert pack(said) == body
    assert msgpack.packb(msgpack.unpackb(body), use_bin_type=True) == body
    for cut in (body[:-1], body + b"\xc0", b"", body[1:]):
        with pytest.raises(SealedError, match="malformed"):
            unpack(cut)
    step = max(1, len(body) // 300)
    for index in range(0, len(body), step):
        for mask in (1, 0x80, 0xFF):
            changed = bytearray(body)
            changed[index] ^= mask
            # If the changed bytes are a body, it is another body, and has one encoding too.
            with suppress(SealedError):
                other = unpack(bytes(changed))
                assert other != said
                assert pack(other) == changed


def test_bytes_that_announce_much_cost_nothing() -> None:
    for body in (b"\xdd\xff\xff\xff\xff" * 20, b"\x91" * 5000, b"\x97\xa5entry" + b"\x91" * 4000):
        with pytest.raises(SealedError, match="malformed"):
            unpack(body)
    with pytest.raises(SealedError, match="malformed"):
        unpack(bytes(10_000))
