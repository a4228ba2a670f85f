"""Computes public knowledge: where each family's cards are, as far as the reader knows.

This module collects information from the view, so that players need not remember it. It gives no
advice.
"""

from typing import Final

from engine.cards import AMBUSH, CARDS, UNKNOWN, Card, Seat
from engine.position import cards_in, unseen_cards
from engine.views import View

COVERED_SIGN: Final = "v"
"""The sign after the position of a covered card."""


def knowledge(view: View, seat: Seat) -> dict[Card, str]:
    """Return the place of each card of a seat's family, as far as the view shows it.

    The place is `x` for a card out of the game, `h` for a card in hand, and `a` for a card set
    aside. For a card in the Queue, the place is its position. `COVERED_SIGN` follows the position
    of a covered card, and `?` that of a face-down top card. For an unseen card, the place is "".
    """
    known = dict.fromkeys(CARDS, "")
    for mark, cards in (("x", view.out[seat]), ("h", view.hands[seat]), ("a", view.aside[seat])):
        known |= dict.fromkeys(cards.replace(UNKNOWN, ""), mark)
    for position, stack in enumerate(view.queue, 1):
        for depth, (card, face_up, _influence) in enumerate(cards_in(stack)):
            if stack[0] == seat and card != UNKNOWN:
                known[card] = f"{position}{COVERED_SIGN if depth else '?' * (not face_up)}"
    return known


def ambush_possible(view: View, seat: Seat) -> bool:
    """Return True if an unknown card of a seat may be its Ambush."""
    return AMBUSH in unseen_cards(view, seat)
