"""The columns of the table's zones where a layout leaves them open."""

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
"""Columns of the known cards for a spectator, who has no hand."""


def known_width(layout: Layout) -> int:
    """Return the columns of the known cards, with or without their effects."""
    ten_cards = min(TEACHING_WIDTH, layout.width - TEACHING_BESIDE)
    return ten_cards if layout.teaches else KNOWN_WIDTH


def hand_width(state: TableState) -> int:
    """Return the columns of the hand, which has one card less in every round."""
    layout = state.layout
    if state.laid_open and 2 * layout.hand_height < state.view.players:
        # Then three families share a row.
        return layout.width
    if state.you is None:
        return WATCHING_WIDTH if layout.width >= COMFORTABLE_WIDTH else KNOWN_LEAST
    hand = layout.hand_card.across(HAND + 1 - state.view.round) + HAND_MARGIN
    return max(layout.hand_least, hand)
