"""For how many stacks, and how high, the sizes of a phase are chosen: all that may still come."""

from msgspec import Struct

from driflamme_tui.drawing.layout import CHOICES, Layout, fit
from driflamme_tui.model.knowledge import Whereabouts, knowledge
from engine.cards import HAND, ROYAL_DECREE, UNKNOWN
from engine.position import PLACE, cards_in, height
from engine.view import View


class QueueRoom(Struct, frozen=True):
    """What a phase has needed so far, and may need."""

    stacks: int = 0
    """How many stacks have stood in the Queue, or are sure to: there are no fewer rows than these
    need."""
    possible: int = 0
    """How many stacks may stand there yet: cards are small enough for these, but not at the cost of
    a row."""
    tallest: int = 0
    hand: int = HAND
    """How many cards a hand has when the round begins."""

    def after(self, view: View) -> "QueueRoom":
        """Return the room for what there was and for what a view may still lead to."""
        tallest = max((height(stack) for stack in view.queue), default=1)
        stacks = possible = len(view.queue)
        if view.asked == PLACE:
            stacks += sum(len(hand) == HAND + 1 - view.round for hand in view.hands)
            possible = stacks
            tallest += 1
        elif tallest > 1 and decree_may_come(view):
            possible += 1
            if view.asked == ROYAL_DECREE:
                stacks = possible
        return QueueRoom(
            max(self.stacks, stacks),
            max(self.possible, possible),
            max(self.tallest, tallest),
            HAND + 1 - view.round,
        )

    def layout(
        self,
        width: int,
        height: int,
        *,
        chosen: str = CHOICES[0],
        watching: int = 0,
        kept: int = 0,
    ) -> Layout:
        """Return the layout for a screen of a size."""
        possible, sure = (
            fit(
                width,
                height,
                stacks,
                self.tallest,
                chosen=chosen,
                watching=watching,
                kept=kept,
                hand=self.hand,
            )
            for stacks in (self.possible, self.stacks)
        )
        return possible if possible.rows == sure.rows else sure


def decree_may_come(view: View) -> bool:
    """Whether a Royal Decree may yet be resolved this round, for all that the reader knows."""
    if view.asked == ROYAL_DECREE:
        return True
    ahead = view.queue[max(0, view.at) :]
    for seat in range(view.players):
        where = knowledge(view, seat)[ROYAL_DECREE]
        cards = [card for stack in ahead if stack[0] == seat for card, _up, _n in cards_in(stack)]
        if ROYAL_DECREE in cards or (where.place is Whereabouts.UNSEEN and UNKNOWN in cards):
            return True
    return False
