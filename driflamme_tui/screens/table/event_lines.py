"""The lines of the event list, of which only those for new events are worded."""

from collections.abc import Sequence

from driflamme_tui.wording.game.event_words import Line, TableNames, log_lines
from engine.events import Event


class EventLines:
    """A line for each event that has happened."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._worded: tuple[list[Event], list[str]] = ([], [])
        """The first event, and the names of the players, of the game that is worded."""

    def forget(self) -> None:
        """Word all events anew, as in another language."""
        self._worded = ([], [])

    def update(self, happened: Sequence[Event], names: list[str], table: TableNames) -> list[Line]:
        """Return the lines of all events; `table` says what they call everybody."""
        known = len(self.lines)
        if known > len(happened) or self._worded != (happened[:1], names):
            self.lines, known = [], 0
        self._worded = (list(happened[:1]), names)
        self.lines += log_lines(happened, table, known)
        return list(self.lines)
