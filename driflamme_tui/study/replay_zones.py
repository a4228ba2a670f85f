"""Arranges the zones of a replay: the controls instead of the prompt, and the chart."""

from typing import Final

from driflamme_tui.drawing.layout import QueueSpace
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.replay.playback import Playback
from driflamme_tui.screens.table.table_zones import TableZones, hand_width
from driflamme_tui.study.replay_controls import ReplayControls
from driflamme_tui.widgets.table.progress_chart import ProgressChart
from driflamme_tui.widgets.table.zone_layout import Part, Row

CHART_ROWS: Final = 7
"""Minimum rows below the hand for a permanent chart."""
CHART_LEAST: Final = 40
"""Minimum columns of a permanent chart."""
CHART_PART: Final = 0.55
"""The fraction of the screen's columns that the chart gets on a wide screen."""


class ReplayZones(TableZones):
    """The zones of a table, with the controls and the chart."""

    def __init__(self, playback: Playback) -> None:
        self.transport, self.chart = ReplayControls(id="transport"), ProgressChart(id="course")
        self.transport.playback = self.chart.playback = playback
        super().__init__(self.transport, (self.chart,))
        self._playback = playback
        self.is_charted = False
        """True if the chart replaces the cards in hand."""

    def make_space(self) -> None:
        """Make space for the stacks of this round so far, and for stacks that may still come."""
        playback, space = self._playback, QueueSpace()
        begun = max((each for each in playback.replay.rounds if each <= playback.step), default=0)
        for step in range(begun, playback.step + 1):
            space = space.after(playback.replay.seen(step, playback.eyes))
        self.space = space

    def middle(self, state: TableState) -> list[Row]:
        """Return the rows of Queue, controls and hand.

        A chart replaces the hand, and also the Queue if it needs the rows.
        """
        queue, transport, *hand = super().middle(state)
        if not self.is_charted:
            return [queue, transport, *hand]
        layout = state.layout
        rows = layout.hand_height + layout.events_height + layout.air
        return [queue, transport] if rows >= CHART_ROWS else [transport]

    def beside_hand(self, state: TableState) -> list[Part]:
        """Return the card help if the hand leaves space for it."""
        is_whole = hand_width(state) >= state.layout.width
        return [] if is_whole else super().beside_hand(state)

    def bottom(self, state: TableState) -> list[Row]:
        """Return the events with the chart beside them, or the chart alone."""
        return [(None, [(self.chart, None)])] if self.is_charted else super().bottom(state)

    def beside_events(self, state: TableState) -> list[Part]:
        """Return the chart if it fits, otherwise []."""
        layout = state.layout
        if layout.events_height < CHART_ROWS or layout.width < 2 * CHART_LEAST:
            return []
        return [(self.chart, max(CHART_LEAST, int(layout.width * CHART_PART)))]
