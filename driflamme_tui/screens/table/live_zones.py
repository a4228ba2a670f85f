"""Arranges the zones of a table with others, with the chat beside the events or the hand."""

from collections.abc import Callable
from typing import Final

from driflamme_tui.drawing.layout import COMFORTABLE_WIDTH, Layout
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.screens.table.table_zones import TableZones
from driflamme_tui.widgets.table.chat_panel import TalkPanel
from driflamme_tui.widgets.table.zone_layout import Part

TALK_WIDTH: Final = 32
"""Minimum columns of the chat beside the events."""
TALK_NARROW: Final = 24
"""Minimum columns of the chat beside the events on a narrow screen."""
TALK_PART: Final = 4
"""Columns of a wide screen for each column of the chat."""
TALK_WIDE: Final = 100
"""Minimum columns of the screen for a permanent chat. On a narrower screen, the events need all
columns.
"""
TALK_ROWS: Final = 3
"""Minimum rows below the hand for the chat. If there are fewer rows, the events need all rows."""


class LiveZones(TableZones):
    """The zones of a table, and the chat."""

    def __init__(self, has_talk: Callable[[], bool], is_writing: Callable[[], bool]) -> None:
        """Make the zones.

        Args:
            has_talk: Returns True if the chat has any lines.
            is_writing: Returns True while the reader writes.
        """
        super().__init__()
        self.talk = TalkPanel()
        # Draw a rule between the chat and its left neighbour.
        self.talk.divided = True
        self._has_talk, self._is_writing = has_talk, is_writing

    def fits_chat(self, layout: Layout) -> bool:
        """Return True if the chat has a place now."""
        return self._is_writing() or self._is_below(layout) or self._is_beside(layout)

    def _is_below(self, layout: Layout) -> bool:
        """Return True if the chat stands below the hand, beside the events."""
        if layout.events_height < TALK_ROWS or layout.teaches:
            return False
        # If the chat would cut sentences of the events, show the chat only while the reader writes.
        return self._is_writing() or (layout.width >= TALK_WIDE and self._has_talk())

    def _is_beside(self, layout: Layout) -> bool:
        """Return True if the chat stands beside the hand, since the known cards need the rows."""
        return layout.teaches and self._has_talk()

    def beside_hand(self, state: TableState) -> list[Part]:
        """Return the parts beside the hand: the card help, the chat, or both."""
        layout, beside = state.layout, super().beside_hand(state)
        if self._is_below(layout) or not (self._is_writing() or self._is_beside(layout)):
            return beside
        wide = [*beside, (self.talk, layout.width // TALK_PART)]
        return wide if layout.teaches else [(self.talk, None)]

    def beside_events(self, state: TableState) -> list[Part]:
        """Return the known cards if they fit, and the chat if it stands below the hand."""
        layout, beside = state.layout, super().beside_events(state)
        if not self._is_below(layout):
            return beside
        least = TALK_WIDTH if layout.width >= COMFORTABLE_WIDTH else TALK_NARROW
        return [*beside, (self.talk, max(least, layout.width // TALK_PART))]
