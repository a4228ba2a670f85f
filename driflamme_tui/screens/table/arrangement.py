"""How many columns the zones of a table have, where a layout leaves that open."""

from typing import Final

from driflamme_tui.drawing.layout import COMFORTABLE_WIDTH, HAND_MARGIN, Layout
from driflamme_tui.drawing.table_state import TableState
from driflamme_tui.widgets.table.side_panels import (
    KNOWN_LEAST,
    KNOWN_WIDTH,
    TEACHING_BESIDE,
    TEACHING_WIDTH,
)
from engine.cards import HAND

WATCHING_WIDTH: Final = KNOWN_WIDTH + 5
"""Columns of what is known where a spectator has no hand."""


def known_width(layout: Layout) -> int:
    """Return the columns of what is known of all cards, with or without what they do."""
    ten_cards = min(TEACHING_WIDTH, layout.width - TEACHING_BESIDE)
    return ten_cards if layout.teaches else KNOWN_WIDTH


def hand_width(state: TableState) -> int:
    """Return the columns of the hand, which has a card less every round."""
    layout = state.layout
    if state.laid_open and 2 * layout.hand_height < state.view.players:
        # Three families share a row then.
        return layout.width
    if state.you is None:
        return WATCHING_WIDTH if layout.width >= COMFORTABLE_WIDTH else KNOWN_LEAST
    hand = layout.hand_card.across(HAND + 1 - state.view.round) + HAND_MARGIN
    return max(layout.hand_least, hand)
