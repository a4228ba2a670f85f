"""Checks, before the host's part makes a reported call, whether the call is still due."""

from netcode.server.table_registry import TableEntry
from netcode.wings.days.routes import note_of_entry
from netcode.wings.days.table_parts import CallReport


def is_still_due(entry: TableEntry, report: CallReport) -> bool:
    """Return True if the reported player still owes the answer to the same question, and is absent.

    A table whose state is not known counts as unchanged. For a player who has come and goes again
    without an answer, the table reports another call.
    """
    note, table = note_of_entry(entry), entry.table
    if note is None:
        return True
    seats = [] if table is None else table.participants.seats
    is_present = any(seat.name == report.name and seat.present for seat in seats)
    return not is_present and (note.whose, note.call_for) == (report.name, report.question_at)
