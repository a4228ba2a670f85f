"""Public memory: where each card of each family is, as far as the reader knows.

It gathers what the view says anyway, so that nobody has to count; it is not advice.
"""

from enum import Enum, auto

from msgspec import Struct

from engine.cards import AMBUSH, CARDS, UNKNOWN, Card, Seat
from engine.position import cards_in, unseen
from engine.view import View


class Whereabouts(Enum):
    """Where a card is known to be."""

    UNSEEN = auto()
    FACE_UP = auto()
    OWN_FACE_DOWN = auto()
    """On top of a stack, face down, and the reader's own."""
    COVERED = auto()
    OUT = auto()
    HAND = auto()
    ASIDE = auto()


class Known(Struct, frozen=True):
    """Where one card is."""

    place: Whereabouts
    position: int = 0
    """The position in the Queue, or 0."""


def knowledge(view: View, seat: Seat) -> dict[Card, Known]:
    """Return where each card of a seat's family is, as far as the view tells."""
    known = dict.fromkeys(CARDS, Known(Whereabouts.UNSEEN))
    for card in view.out[seat].replace(UNKNOWN, ""):
        known[card] = Known(Whereabouts.OUT)
    for card in view.hands[seat].replace(UNKNOWN, ""):
        known[card] = Known(Whereabouts.HAND)
    for card in view.aside[seat].replace(UNKNOWN, ""):
        known[card] = Known(Whereabouts.ASIDE)
    for position, stack in enumerate(view.queue, 1):
        if stack[0] != seat:
            continue
        for depth, (card, face_up, _influence) in enumerate(cards_in(stack)):
            if card == UNKNOWN:
                continue
            place = Whereabouts.FACE_UP if face_up else Whereabouts.OWN_FACE_DOWN
            known[card] = Known(Whereabouts.COVERED if depth else place, position)
    return known


def ambush_possible(view: View, seat: Seat) -> bool:
    """Return whether an unknown card of a seat may be its Ambush."""
    return AMBUSH in unseen(view, seat)
