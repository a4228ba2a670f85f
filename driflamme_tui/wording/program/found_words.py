"""What a table that was found on the network tells of itself, in words."""

from driflamme_tui.text.i18n import _
from netcode.joining.discovery import FoundTable


def seats_of(table: FoundTable) -> str:
    """Return how many seats are taken, and whether the table waits for more or plays, if told."""
    words = _("{taken} of {places}, waiting")
    if table.playing:
        words = _("{taken} of {places}, playing")
    elif not table.is_free:
        words = _("{taken} of {places}, full")
    return words.format(taken=table.taken, places=table.places) if table.places else ""
