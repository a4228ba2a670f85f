"""What is hashed and signed has one form only."""

from contextlib import suppress
from typing import Any

import msgpack
import pytest

from netcode.sealed.encoding import (
    AddressBody,
    EntryBody,
    LoginBody,
    SealedError,
    digest,
    pack,
    unpack,
)
from netcode.sealed.parcels import Parcel, signed
from netcode.sealed.proofs import make_proof
from tests.netcode.sealed.sealed_tables import SealedTable

GID = digest("game", bytes.fromhex("93010203"))
GENESIS = digest("test")
ENTRY = EntryBody(GID, 1, GENESIS, 0, "act", ("3>",))
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
        signed(ada.key, LoginBody(HASH, 0, HASH, HASH)),
        signed(
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
            # What is still a body says something else, and is its one form too.
            with suppress(SealedError):
                other = unpack(bytes(changed))
                assert other != said
                assert pack(other) == changed


@pytest.mark.parametrize(
    "long",
    [
        ("97", "dc0007"),
        ("97", "dd00000007"),
        ("a5656e747279", "d905656e747279"),
        ("a5656e747279", "da0005656e747279"),
        ("c420", "c50020"),
        ("c420", "c600000020"),
        ("0b01c4", "0bcc01c4"),
        ("0b01c4", "0bcd0001c4"),
        ("0b01c4", "0bd00100c4"),
        ("0b01c4", "0bca3f800000c4"),
        ("0b01c4", "0bcb3ff0000000000000c4"),
        ("0b01c4", "0bc3c4"),
        ("0b01c4", "0bffc4"),
        ("91a2333e", "c402333e"),
        ("a2333e", "c402333e"),
        ("a3616374", "c403616374"),
    ],
    ids=lambda change: f"{change[0]}-{change[1]}",
)
def test_no_longer_form_is_taken(long: tuple[str, str]) -> None:
    body = pack(ENTRY).hex()
    assert long[0] in body
    with pytest.raises(SealedError, match="malformed"):
        unpack(bytes.fromhex(body.replace(*long, 1)))


VALUES: list[Any] = ["entry", GID, 1, GENESIS, 0, "act", ["3>"]]


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, "entries"),
        (0, b"entry"),
        (1, GID[:31]),
        (1, GID.hex()),
        (1, None),
        (2, 0),
        (2, True),
        (2, 1.0),
        (2, -1),
        (2, 2**32),
        (4, 5),
        (4, False),
        (5, "move"),
        (5, "reveal"),
        (5, "default"),
        (6, []),
        (6, ["3>", "4>"]),
        (6, [b"3>"]),
        (6, ["3>" * 5]),
        (6, "3>"),
        (6, {"3>": 1}),
        (6, [[[["3>"]]]]),
    ],
)
def test_wrong_types_and_counts(place: int, value: Any) -> None:
    values = [*VALUES[:place], value, *VALUES[place + 1 :]]
    with pytest.raises(SealedError, match="malformed"):
        unpack(msgpack.packb(values))
    assert unpack(msgpack.packb(VALUES)) == ENTRY


@pytest.mark.parametrize(
    "content",
    [
        [10, "M", HASH],
        [3, "", HASH],
        [3, "SP", HASH],
        [3, "?", HASH],
        [3, "m", HASH],
        [3, "M", HASH[:31]],
        [3, "M"],
        [True, "M", HASH],
        [3, "M\n", HASH],
    ],
)
def test_an_opening_is_a_leaf_a_card_and_a_salt(content: list[object]) -> None:
    for what in ("reveal", "open"):
        with pytest.raises(SealedError, match="malformed"):
            unpack(msgpack.packb([*VALUES[:5], what, content]))


def test_bytes_that_announce_much_cost_nothing() -> None:
    for body in (b"\xdd\xff\xff\xff\xff" * 20, b"\x91" * 5000, b"\x97\xa5entry" + b"\x91" * 4000):
        with pytest.raises(SealedError, match="malformed"):
            unpack(body)
    with pytest.raises(SealedError, match="malformed"):
        unpack(bytes(10_000))
