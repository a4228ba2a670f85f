"""Where the zones of a table stand: rows of widgets, whose sizes the layout gives."""

from collections.abc import Sequence
from typing import Final

from textual.app import ComposeResult
from textual.layout import Layout
from textual.widget import Widget

from driflamme_tui.drawing.layout import COMFORTABLE_WIDTH, HAND_MARGIN, HEADER, NAMES, QueueRoom
from driflamme_tui.drawing.layout import Layout as TableLayout
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.screens.session_screen import SessionScreen
from driflamme_tui.widgets.table.hand import Hand
from driflamme_tui.widgets.table.header import Header, TableBar
from driflamme_tui.widgets.table.prompt_bar import Prompt
from driflamme_tui.widgets.table.queue import Queue
from driflamme_tui.widgets.table.seats import Seats
from driflamme_tui.widgets.table.side_panels import (
    KNOWN_LEAST,
    KNOWN_WIDTH,
    TEACHING_BESIDE,
    TEACHING_WIDTH,
    CardHelp,
    Events,
    KnownCards,
)
from driflamme_tui.widgets.table.zones import Part, Row, Zones
from engine.cards import HAND
from engine.views import View

WATCHING_WIDTH: Final = KNOWN_WIDTH + 5
"""Columns of what is known where a spectator has no hand."""


class ArrangedScreen(SessionScreen):
    """The zones of a table, and the rows in which they stand."""

    def __init__(self) -> None:
        """Make the zones."""
        super().__init__()
        self._zones = Zones()
        self.header, self.seats = Header(id="header"), Seats(id="seats")
        self.queue = Queue(id="queue")
        self.below_queue: Widget = Prompt(id="prompt")
        """What stands below the Queue."""
        self.hand = Hand(id="hand")
        self.card_help = CardHelp(id="card-help")
        self.events, self.known = Events(id="events"), KnownCards(id="known")
        self.others: Sequence[Widget] = ()
        """What such a table has besides."""
        self.queue_room = QueueRoom()
        """For how many stacks the sizes have been chosen."""

    @property
    def layout(self) -> Layout:
        """Where everything stands."""
        return self._zones

    def parts(self) -> ComposeResult:
        """Lay the zones out from the top."""
        yield from (
            self.header,
            self.seats,
            self.queue,
            self.below_queue,
            self.hand,
            self.card_help,
        )
        yield from (self.events, self.known, *self.others)

    def kept_rows(self) -> int:
        """Return the rows at the bottom that are for something else than the table's own."""
        return 0

    def show_zones(self, state: TableState) -> None:
        """Give the zones their places, and draw a moment on them."""
        rows = self.rows(state)
        if rows != self._zones.rows:
            self._zones.rows = rows
            # Textual arranges a screen anew when a widget on it asks for that.
            self.header.refresh(layout=True)
        for zone in self.query(TableBar):
            zone.show(state)

    def rows(self, state: TableState) -> list[Row]:
        """Return what stands where, from the top."""
        layout = state.layout
        return [
            (HEADER, [(self.header, None)]),
            (layout.seats + layout.air, [(self.seats, None)]),
            *self.middle(state),
            *self.bottom(state),
        ]

    def middle(self, state: TableState) -> list[Row]:
        """Return the Queue, what stands below it, and the hand with what is beside it."""
        layout, beside = state.layout, self.beside_hand(state)
        queue: list[Row] = [
            (layout.queue_height + layout.air, [(self.queue, None)]),
            (layout.prompt, [(self.below_queue, None)]),
        ]
        height = layout.hand_height + layout.air
        if not layout.below:
            return [*queue, (height, [(self.hand, self.hand_width(state)), *beside])]
        cards = layout.hand_height - layout.below + NAMES
        return [*queue, (cards, [(self.hand, None)]), (height - cards, beside)]

    def beside_hand(self, state: TableState) -> list[Part]:
        """Return what stands beside the hand, or on an upright screen below it."""
        return [(self.card_help, None)]

    def bottom(self, state: TableState) -> list[Row]:
        """Return what stands below the hand."""
        if not state.layout.events_height:
            return []
        return [(None, [(self.events, None), *self.beside_events(state)])]

    def beside_events(self, state: TableState) -> list[Part]:
        """Return what stands beside the events."""
        layout = state.layout
        if not layout.knows:
            return []
        ten_cards = min(TEACHING_WIDTH, layout.width - TEACHING_BESIDE)
        return [(self.known, ten_cards if layout.teaches else KNOWN_WIDTH)]

    def hand_width(self, state: TableState) -> int:
        """Return the columns of the hand, which has a card less every round."""
        layout = state.layout
        if state.laid_open and 2 * layout.hand_height < state.view.players:
            # Three families share a row then.
            return layout.width
        if state.you is None:
            return WATCHING_WIDTH if layout.width >= COMFORTABLE_WIDTH else KNOWN_LEAST
        hand = layout.hand_card.across(HAND + 1 - state.view.round) + HAND_MARGIN
        return max(layout.hand_least, hand)

    def layout_for(self, view: View, cards: str = "") -> TableLayout:
        """Return the layout, with cards of a size or else of the one that the player has chosen.

        There is room for what the round has needed so far and may need.
        """
        self.queue_room = self.queue_room.after(view)
        return self.queue_room.layout(
            *self.app.size,
            chosen=cards or self.terminal.settings.cards,
            watching=0 if view.viewer is not None else view.players,
            kept=self.kept_rows(),
        )
