"""The zones of a table, from the top to the bottom, as a game and its replay share them."""

from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widget import Widget

from driflamme_tui.drawing.layout import COMFORTABLE_WIDTH, HAND_MARGIN, NAMES
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.widgets.table.hand import Hand
from driflamme_tui.widgets.table.header import Header
from driflamme_tui.widgets.table.known_cards import KNOWN_LEAST, KNOWN_WIDTH
from driflamme_tui.widgets.table.queue import Queue
from driflamme_tui.widgets.table.seats import Seats
from driflamme_tui.widgets.table.side_panels import CardHelp, Events
from driflamme_tui.widgets.table.table_bar import TableBar
from engine.cards import HAND

TALK_WIDTH: Final = 32
"""Minimum width of the chat beside the events, in columns."""
TALK_NARROW: Final = 24
"""Minimum width of that chat on a narrow screen."""
TALK_PART: Final = 4
"""On a wide screen that chat has one of so many columns."""
WATCHING_WIDTH: Final = KNOWN_WIDTH + 5
"""Columns of what is known where a spectator has no hand."""


def table_zones(asked: Widget, *beside: Widget, below: tuple[Widget, ...] = ()) -> ComposeResult:
    """Lay the zones out from the top.

    Args:
        asked: What stands below the Queue.
        beside: What stands beside the hand and the panel about a card.
        below: What stands beside the events.
    """
    yield Header(id="header")
    yield Seats(id="seats")
    yield Queue(id="queue")
    yield asked
    with Horizontal(id="middle"):
        yield Hand(id="hand")
        yield CardHelp(id="card-help")
        yield from beside
    with Horizontal(id="bottom"):
        yield Events(id="events")
        yield from below


def show_zones(screen: Screen[None], state: TableState, asked: type[Widget], hand: int) -> None:
    """Give the zones their sizes, the hand so many columns, and draw a moment on them."""
    layout = state.layout
    screen.query_one(Seats).styles.height = layout.seats + layout.air
    screen.query_one(Queue).styles.height = layout.queue_height + layout.air
    screen.query_one("#middle").styles.height = layout.hand_height + layout.air
    screen.query_one(asked).styles.height = layout.prompt
    below, shown = layout.below, screen.query_one(Hand)
    screen.query_one("#middle").styles.layout = "vertical" if below else "horizontal"
    shown.styles.width = "100%" if below else hand
    shown.styles.height = layout.hand_height - below + NAMES if below else "100%"
    for zone in screen.query(TableBar):
        zone.show(state)


def hand_width(state: TableState) -> int:
    """Return the columns of the hand, which has a card less every round."""
    layout = state.layout
    if state.you is None:
        return WATCHING_WIDTH if layout.width >= COMFORTABLE_WIDTH else KNOWN_LEAST
    hand = layout.hand_card.across(HAND + 1 - state.view.round) + HAND_MARGIN
    return max(layout.hand_least, hand)


def talk_width(width: int) -> int:
    """Return the columns of the chat on a screen of so many."""
    least = TALK_WIDTH if width >= COMFORTABLE_WIDTH else TALK_NARROW
    return max(least, width // TALK_PART)
