"""Stores the records that wings add to a table, by name of the wing.

No other module reads the content of a record.
"""

from collections.abc import Mapping
from types import MappingProxyType

from netcode.protocol.fields import checked_struct
from netcode.table.snapshot import MOST_WING_BYTES, WingRecord


class WingRecords:
    """The records of the wings at one table.

    They are saved in the same transaction as the table.
    """

    def __init__(self) -> None:
        self.all: Mapping[str, WingRecord] = MappingProxyType({})
        """The records by wing. A change replaces the mapping and leaves the old one unchanged."""

    def get(self, wing: str) -> WingRecord | None:
        """Return the record of a wing; None if the wing has stored no record."""
        return self.all.get(wing)

    def store(self, wing: str, version: int, data: bytes) -> None:
        """Store the record of a wing; it replaces the earlier one.

        Raises ValueError if the record is too long.
        """
        if len(data) > MOST_WING_BYTES:
            raise ValueError(f"the record of {wing} has more than {MOST_WING_BYTES} bytes")
        record = checked_struct((version, data), WingRecord)
        if self.all.get(wing) != record:
            self.all = MappingProxyType({**self.all, wing: record})

    def restore(self, records: Mapping[str, WingRecord]) -> None:
        """Replace all records by stored ones."""
        self.all = MappingProxyType({**records})
