"""What a table tells of itself, in words, where it was found on the network or in a club."""

from driflamme_tui.text.i18n import _
from netcode.joining.discovery import FoundTable
from netcode.protocol.messages import TableInfo


def seats_of(table: FoundTable) -> str:
    """Return how many seats are taken, and whether the table waits for more or plays, if told."""
    words = _("{taken} of {places}, waiting")
    if table.playing:
        words = _("{taken} of {places}, playing")
    elif not table.is_free:
        words = _("{taken} of {places}, full")
    return words.format(taken=table.taken, places=table.places) if table.places else ""


def state_words(table: TableInfo) -> str:
    """Return how a table is doing."""
    if table.asleep:
        return _("asleep")
    return {
        "lobby": _("gathering"),
        "playing": _("playing"),
        "result": _("game over"),
    }[table.phase]
