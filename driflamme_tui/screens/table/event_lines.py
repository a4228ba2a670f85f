"""Builds the lines of the event list. Only lines of new events are built."""

from collections.abc import Container, Sequence

from driflamme_tui.wording.game.event_words import Line, TableNames, log_lines
from engine.events import Event


class EventLines:
    """Builds and stores one line for each event so far."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._worded: tuple[list[Event], list[str]] = ([], [])
        """The first event and the players' names for which lines are stored.

        Other values mean another game, or other names.
        """

    def forget(self) -> None:
        """Discard all lines, for example after a change of language."""
        self._worded = ([], [])

    def update(
        self,
        happened: Sequence[Event],
        names: list[str],
        table: TableNames,
        overdue: Container[int] = (),
    ) -> list[Line]:
        """Return the lines of all events; `table` has the names of the players.

        `overdue` has the indexes of events whose decision a bot made because the time was up.
        """
        known = len(self.lines)
        if known > len(happened) or self._worded != (happened[:1], names):
            self.lines, known = [], 0
        self._worded = (list(happened[:1]), names)
        self.lines += log_lines(happened, table, known, overdue)
        return list(self.lines)
