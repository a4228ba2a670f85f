"""Notices when the table with the player's seat is open again."""

from collections.abc import Sequence

from driflamme_tui.seat.seat_keys import way_back
from driflamme_tui.wording.program.joining_words import back_open_sentence
from netcode.joining.discovery import FoundTable
from netcode.joining.invitation import pin_of_link


class HostWatch:
    """Compares each search of the network with the search before it."""

    def __init__(self) -> None:
        """Begin before the first search."""
        self._was_absent: bool | None = None
        """True if the table was not found; None before the first search has ended."""

    @property
    def has_begun(self) -> bool:
        """True once a search for the table with the player's seat has ended."""
        return self._was_absent is not None

    def update(self, found: Sequence[FoundTable]) -> str:
        """Return the sentence stating that the table with the player's seat is open again.

        The previous search must have missed the table, and this search must have found it.
        Otherwise, and for a player without a seat at another person's table, return "".
        """
        back = way_back()
        pin = None if back is None else pin_of_link(back.typed)
        if back is None or pin is None:
            return ""
        was_absent, is_there = self._was_absent, any(each.is_of(pin) for each in found)
        self._was_absent = not is_there
        return back_open_sentence(back.host) if was_absent and is_there else ""
