"""Stores a table's earlier deals, which its next sealing must contain."""

from typing import Annotated, Final

from msgspec import Meta, MsgspecError, msgpack

from netcode.protocol.fields import Hash, Strict
from netcode.table.snapshot import WingRecord
from netcode.table.wing_records import WingRecords

NAME: Final = "sealed"
"""The name of this wing."""

VERSION: Final = 1
"""The version of the record with a table's earlier deals."""


class Sealings(Strict, frozen=True):
    """The earlier deals of a table that its next sealing must name."""

    table: Annotated[bytes, Meta(max_length=16)] = b""
    """The table's random name; empty before the first sealed game."""
    broken: Annotated[tuple[Hash, ...], Meta(max_length=16)] = ()
    """The `gid`s of the incomplete deals since the table's last game began."""


def sealings_of(records: WingRecords) -> Sealings:
    """Return a table's earlier deals; empty `Sealings` without a record, or for a damaged one."""
    record = records.get(NAME)
    if record is None:
        return Sealings()
    try:
        return decode_sealings(record.data)
    except (MsgspecError, UnicodeDecodeError):
        # The record is damaged, so the next sealed game draws a new name and counts no earlier
        # deal.
        return Sealings()


def store_sealings(records: WingRecords, sealings: Sealings) -> None:
    """Store a table's earlier deals."""
    records.store(NAME, VERSION, msgpack.encode(sealings))


def record_of(sealings: Sealings) -> WingRecord:
    """Return the record for a table's earlier deals."""
    return WingRecord(VERSION, msgpack.encode(sealings))


decode_sealings: Final = msgpack.Decoder(Sealings).decode
"""Decodes a table's earlier deals; raises MsgspecError or UnicodeDecodeError."""
