"""Lets the history identify, verify and merge records of sealed games by their proofs."""

from typing import Final

from engine.record import Record
from netcode.table.finished_game import ProvenRecords
from netcode.wings.sealed.game.proven_record import (
    has_fork,
    merge_records,
    sealing_of,
    verify_record,
)


def _identity(record: Record) -> bytes:
    return sealing_of(record.seal or "").gid


def _is_forked(record: Record) -> bool:
    return has_fork(record.seal or "")


def _verify(line: str) -> None:
    verify_record(line)


SEAM: Final = ProvenRecords(_identity, _is_forked, merge_records, _verify)
