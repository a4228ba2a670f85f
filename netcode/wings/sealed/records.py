"""The records of sealed games: what the history needs of the proof that each carries."""

from typing import Final

from engine.record import Record
from netcode.sealed.proof_file import has_fork, merged, sealing_of, verified
from netcode.table.finished_game import ProvenRecords


def _identity(record: Record) -> bytes:
    return sealing_of(record.seal or "").gid


def _is_forked(record: Record) -> bool:
    return has_fork(record.seal or "")


def _verify(line: str) -> None:
    verified(line)


SEAM: Final = ProvenRecords(_identity, _is_forked, merged, _verify)
