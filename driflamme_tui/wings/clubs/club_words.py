"""The tables of a club in words."""

from driflamme_tui.text.i18n import _
from netcode.wings.clubs.messages import TableInfo


def state_words(table: TableInfo) -> str:
    """Return how a table is doing."""
    if table.asleep:
        return _("asleep")
    return {
        "lobby": _("gathering"),
        "playing": _("playing"),
        "result": _("game over"),
    }[table.phase]
