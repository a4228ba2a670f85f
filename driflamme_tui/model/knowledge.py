"""Public memory: where each card of each family is, as far as the reader knows.

It gathers what the view says anyway, so that nobody has to count; it is not advice.
"""

from typing import Final

from engine.cards import AMBUSH, CARDS, UNKNOWN, Card, Seat
from engine.position import cards_in, unseen
from engine.views import View

COVERED: Final = "v"
"""What stands after the position of a covered card."""


def knowledge(view: View, seat: Seat) -> dict[Card, str]:
    """Return where each card of a seat's family is, as far as the view tells.

    It is nothing for a card that is unseen, `x` for one that is out of the game, `h` in hand, `a`
    set aside; in the Queue its position, with `?` if it is the reader's own and face down, or with
    `COVERED`.
    """
    known = dict.fromkeys(CARDS, "")
    for mark, cards in (("x", view.out[seat]), ("h", view.hands[seat]), ("a", view.aside[seat])):
        known |= dict.fromkeys(cards.replace(UNKNOWN, ""), mark)
    for position, stack in enumerate(view.queue, 1):
        for depth, (card, face_up, _influence) in enumerate(cards_in(stack)):
            if stack[0] == seat and card != UNKNOWN:
                known[card] = f"{position}{COVERED if depth else '?' * (not face_up)}"
    return known


def ambush_possible(view: View, seat: Seat) -> bool:
    """Return whether an unknown card of a seat may be its Ambush."""
    return AMBUSH in unseen(view, seat)
