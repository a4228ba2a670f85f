"""The table between two views: what stood there after each event on the way.

For eyes only. A host tells the position and, beside it, what happened; from the view before and
the events the positions in between follow, as far as the reader may know them. The rules are not
asked: who is to answer, and what, is only right again in the view that ends the way.
"""

from copy import copy

from engine import events
from engine.actions import END, START
from engine.cards import UNKNOWN, Card, Seat
from engine.events import Event
from engine.position import LEAVE_OR_REVEAL, PLACE, move_top
from engine.view import View


def following(view: View, event: Event) -> View:
    """Return what stands on the table after an event; the view itself stays as it is.

    Raises IndexError if the event cannot have happened there.
    """
    then = copy(view)
    then.queue, then.hands = view.queue.copy(), view.hands.copy()
    then.out, then.pools = view.out.copy(), view.pools.copy()
    pay(event, then.pools)
    match event:
        case events.RoundBegan(round=number, first=first):
            then.round, then.first = number, first
            then.at, then.turn, then.asked = -1, first, PLACE
        case events.Placed(seat=seat, card=card, spot=spot, position=position):
            _place(then, seat, card, spot, position - 1)
        case events.ResolutionBegan():
            then.at, then.asked = 0, LEAVE_OR_REVEAL
        case events.Left(seat=seat, position=position, influence=influence):
            owner, card, face_up, _, covered = then.queue[position - 1]
            then.queue[position - 1] = owner, card, face_up, influence, covered
            _resolving(then, seat, position)
        case events.Revealed(seat=seat, position=position, card=card):
            then.queue[position - 1] = seat, card, True, 0, then.queue[position - 1][4]
            _resolving(then, seat, position)
        case (
            events.Gained()
            | events.Stole()
            | events.Forced()
            | events.NoEffect()
            | events.Copied()
            | events.Uncovered()
        ):
            _resolving(then, event.seat, event.position)
        case events.Eliminated(seat=seat, position=position, target=target, victim_card=card):
            _resolving(then, seat, position)
            if _remove(then, target - 1, card) and target < position:
                then.at -= 1
        case events.Discarded(seat=seat, position=position, card=card):
            _resolving(then, seat, position)
            _remove(then, position - 1, card)
        case events.Moved(seat=seat, position=position, target=target, destination=destination):
            _resolving(then, seat, position)
            then.at = move_top(then.queue, then.at, target - 1, destination - 1)
        case events.GameEnded():
            then.at = -1
    return then


def pay(event: Event, pools: list[int]) -> bool:
    """Do to the pools what an event did; return whether it moved anything."""
    match event:
        case events.Revealed():
            pools[event.seat] += event.taken
            return event.taken > 0
        case events.Gained() | events.AmbushSprung():
            pools[event.seat] += event.influence
            return event.influence > 0
        case events.Eliminated():
            pools[event.seat] += 1
            return True
        case events.Stole():
            pools[event.seat] += event.influence
            pools[event.victim] -= event.influence
            return event.influence > 0
    return False


def _resolving(view: View, seat: Seat, position: int) -> None:
    view.at, view.turn, view.asked = position - 1, seat, LEAVE_OR_REVEAL


def _place(view: View, seat: Seat, card: Card, spot: str, index: int) -> None:
    hand = view.hands[seat]
    view.hands[seat] = hand[1:] if card == UNKNOWN else hand.replace(card, "")
    if spot in (START, END):
        view.queue.insert(index, (seat, card, False, 0, None))
    else:
        view.queue[index] = (seat, card, False, 0, view.queue[index])
    view.turn, view.asked = seat, PLACE


def _remove(view: View, index: int, card: Card) -> bool:
    """Take a top card out of the Queue; True when its whole stack has gone with it."""
    seat, _, _, _, covered = view.queue[index]
    view.out[seat] += card
    if covered is None:
        del view.queue[index]
        return True
    view.queue[index] = covered
    return False
