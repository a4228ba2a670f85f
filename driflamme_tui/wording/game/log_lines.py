"""The lines of the event list: whose event it is, and its sentence."""

from collections.abc import Sequence

from driflamme_tui.wording.game.event_words import event_sentence, table_names
from engine.cards import Seat
from engine.events import Event
from engine.owners import Owners
from engine.view import View


def log_line(
    event: Event, view: View, names: Sequence[str], owners: Owners | None = None
) -> tuple[Seat | None, str]:
    """Return the seat whose event it is, or None for the table's own, and the sentence."""
    return getattr(event, "seat", None), event_sentence(event, table_names(view, names, owners))
