"""What a table tells of itself, in words, where it was found on the network or in a club."""

from typing import TYPE_CHECKING

from driflamme_tui.text.i18n import _
from engine.words import Text
from netcode.joining.discovery import FoundTable

if TYPE_CHECKING:
    from netcode.wings.clubs.messages import TableInfo


def seats_of(table: FoundTable) -> str:
    """Return how many seats are taken, and whether the table waits for more or plays, if told."""
    words: Text = "{taken} of {places}, waiting"
    if table.playing:
        words = "{taken} of {places}, playing"
    elif not table.is_free:
        words = "{taken} of {places}, full"
    return _(words, taken=table.taken, places=table.places) if table.places else ""


def state_words(table: "TableInfo") -> str:
    """Return how a table is doing."""
    if table.asleep:
        return _("asleep")
    return {
        "lobby": _("gathering"),
        "playing": _("playing"),
        "result": _("game over"),
    }[table.phase]
