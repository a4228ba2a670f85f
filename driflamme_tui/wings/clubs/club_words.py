"""Builds sentences about the tables of a club."""

from driflamme_tui.text.i18n import _
from netcode.wings.clubs.messages import TableInfo


def state_words(table: TableInfo) -> str:
    """Return the words for a table's phase; "asleep" for an empty table that is stored on disk."""
    if table.asleep:
        return _("asleep")
    return {
        "lobby": _("gathering"),
        "playing": _("playing"),
        "result": _("game over"),
    }[table.phase]
