"""Arranges the zones of a table in rows, and draws in them.

A kind of table with other or additional zones has a class of its own. The module needs no screen.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from textual.geometry import Size
from textual.widget import Widget

from driflamme_tui.drawing.layout import (
    CHOICES,
    COMFORTABLE_WIDTH,
    HAND_MARGIN,
    HEADER,
    NAMES,
    Layout,
    QueueSpace,
)
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.widgets.table.hand import Hand
from driflamme_tui.widgets.table.header import Header, TableBar
from driflamme_tui.widgets.table.info_panels import (
    KNOWN_LEAST,
    KNOWN_WIDTH,
    TEACHING_BESIDE,
    TEACHING_WIDTH,
    CardHelp,
    Events,
    KnownCards,
)
from driflamme_tui.widgets.table.prompt_bar import Prompt
from driflamme_tui.widgets.table.queue import Queue
from driflamme_tui.widgets.table.seats import Seats
from driflamme_tui.widgets.table.zone_layout import Part, Row, Zones
from engine.cards import HAND
from engine.views import View

WATCHING_WIDTH: Final = KNOWN_WIDTH + 5
"""Columns of the known cards for a spectator, who has no hand."""


class TableZones:
    """The widgets of a table in rows, and the space that its Queue needs."""

    def __init__(self, below_queue: Widget | None = None, others: Sequence[Widget] = ()) -> None:
        """Make the zones.

        Args:
            below_queue: The widget below the Queue, by default the prompt.
            others: The zones that this kind of table adds.
        """
        self.header, self.seats, self.queue = (
            Header(id="header"),
            Seats(id="seats"),
            Queue(id="queue"),
        )
        self.below_queue = below_queue or Prompt(id="prompt")
        self.hand, self.card_help = Hand(id="hand"), CardHelp(id="card-help")
        self.events, self.known = Events(id="events"), KnownCards(id="known")
        self.others = others
        self.arrangement = Zones()
        self.space = QueueSpace()
        """The stacks for which the sizes are chosen."""

    def __iter__(self) -> Iterator[Widget]:
        """Yield all zones."""
        yield from (self.header, self.seats, self.queue, self.below_queue, self.hand)
        yield from (self.card_help, self.events, self.known, *self.others)

    # Drawing

    def show(self, state: TableState) -> None:
        """Arrange the zones, and draw a moment of the table."""
        rows = self.rows(state)
        if rows != self.arrangement.rows:
            self.arrangement.rows = rows
            # Textual arranges a screen again if one of its widgets asks for a new layout.
            self.header.refresh(layout=True)
        for zone in self:
            if isinstance(zone, TableBar):
                zone.show(state)

    def show_times(self, state: TableState) -> None:
        """Draw a moment in the zones that show times."""
        for zone in (self.header, self.seats, self.below_queue):
            if isinstance(zone, TableBar):
                zone.show(state)

    # Sizes

    def kept_rows(self, height: int) -> int:
        """Return the number of rows reserved at the bottom of a screen with `height` rows.

        The default reserves no rows.
        """
        return 0

    def layout(self, view: View, size: Size, cards: str) -> Layout:
        """Return the layout of a screen. `cards` is the chosen size of the cards.

        The layout has space for the stacks that the round has needed so far, and may still need.
        """
        self.space = self.space.after(view)
        return self.space.layout(
            *size,
            chosen=cards,
            watching=0 if view.viewer is not None else view.players,
            kept=self.kept_rows(size.height),
        )

    def next_cards(self, view: View, size: Size, cards: str) -> str | None:
        """Return the next size of cards that changes the layout.

        `cards` is the present size. Returns None if all sizes lead to the same layout.
        """
        now, layout = CHOICES.index(cards), self.layout(view, size, cards)
        others = CHOICES[now + 1 :] + CHOICES[:now]
        return next((each for each in others if self.layout(view, size, each) != layout), None)

    # Rows

    def rows(self, state: TableState) -> list[Row]:
        """Return the rows of zones, from the top."""
        layout = state.layout
        return [
            (HEADER, [(self.header, None)]),
            (layout.seats + layout.air, [(self.seats, None)]),
            *self.middle(state),
            *self.bottom(state),
        ]

    def middle(self, state: TableState) -> list[Row]:
        """Return the Queue, the row below it, and the hand with its neighbours."""
        layout, beside = state.layout, self.beside_hand(state)
        queue: list[Row] = [
            (layout.queue_height + layout.air, [(self.queue, None)]),
            (layout.prompt, [(self.below_queue, None)]),
        ]
        height = layout.hand_height + layout.air
        if not layout.below:
            return [*queue, (height, [(self.hand, hand_width(state)), *beside])]
        cards = layout.hand_height - layout.below + NAMES
        return [*queue, (cards, [(self.hand, None)]), (height - cards, beside)]

    def beside_hand(self, state: TableState) -> list[Part]:
        """Return the parts beside the hand, or below it on an upright screen."""
        return [(self.card_help, None)]

    def bottom(self, state: TableState) -> list[Row]:
        """Return the rows below the hand; [] if the layout has no space for events."""
        if not state.layout.events_height:
            return []
        return [(None, [(self.events, None), *self.beside_events(state)])]

    def beside_events(self, state: TableState) -> list[Part]:
        """Return the parts beside the events: the known cards if they fit, otherwise []."""
        return [(self.known, known_width(state.layout))] if state.layout.knows else []


def known_width(layout: Layout) -> int:
    """Return the columns of the known cards, with or without their effects."""
    ten_cards = min(TEACHING_WIDTH, layout.width - TEACHING_BESIDE)
    return ten_cards if layout.teaches else KNOWN_WIDTH


def hand_width(state: TableState) -> int:
    """Return the columns of the hand, which has one card less in every round.

    For a spectator, return the columns of the known cards; for laid-open hands in few rows, return
    all columns.
    """
    layout = state.layout
    if state.laid_open and 2 * layout.hand_height < state.view.players:
        # Use the whole width, so that three families share a row.
        return layout.width
    if state.you is None:
        return WATCHING_WIDTH if layout.width >= COMFORTABLE_WIDTH else KNOWN_LEAST
    hand = layout.hand_card.across(HAND + 1 - state.view.round) + HAND_MARGIN
    return max(layout.hand_least, hand)
