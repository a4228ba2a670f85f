"""The lines of the event list: whose event it is, and its sentence."""

from collections.abc import Sequence

from driflamme_tui.wording.events import TableNames, event_sentence
from engine.cards import Seat
from engine.events import Event
from engine.view import View


def log_line(event: Event, view: View, names: Sequence[str]) -> tuple[Seat | None, str]:
    """Return the seat whose event it is, or None for the table's own, and the sentence."""
    table = TableNames(view.families, tuple(names), view.viewer)
    return getattr(event, "seat", None), event_sentence(event, table)
