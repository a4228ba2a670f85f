"""Rebuilds earlier views of a running game from its events, for a player who comes back to it."""

from collections.abc import Sequence

from driflamme_tui.model.motion_frames import following
from engine.cards import CARDS, HAND, ROYAL_DECREE, SHAPESHIFTER, UNKNOWN
from engine.events import (
    Copied,
    Eliminated,
    Event,
    Left,
    Moved,
    Placed,
    Revealed,
    RoundBegan,
    Stole,
)
from engine.game import STARTING_INFLUENCE
from engine.position import LEAVE_OR_REVEAL, PLACE
from engine.views import View


def view_before(view: View, events: Sequence[Event], count: int) -> View | None:
    """Return the reader's view after the first `count` events, with the question then.

    Returns None if the game is over, if there are fewer events, or if the events do not lead to the
    present view.

    Args:
        view: The reader's present view of a running game.
        events: All events of the game, as the reader may know them.
        count: The number of events before the earlier view. For 0 there is no view.
    """
    if view.over or not 0 < count <= len(events) or not isinstance(events[0], RoundBegan):
        return None
    earlier, seen = None, _first_view(view, events[0])
    try:
        for number, event in enumerate(events, 1):
            seen = following(seen, event)
            if number == count:
                earlier = seen
    except IndexError:
        return None
    # Events that do not lead to the present view are incomplete, or of another game.
    is_present = (seen.queue, seen.hands, seen.out, seen.pools) == (
        view.queue,
        view.hands,
        view.out,
        view.pools,
    )
    if earlier is None or not is_present:
        return None
    if count == len(events):
        earlier.turn, earlier.question, earlier.at = view.turn, view.question, view.at
    else:
        _ask(earlier, events[count - 1], events[count])
    return earlier


def _ask(view: View, before: Event, answer: Event) -> None:
    """Give a view the question that an event answers, if the event is an answer.

    `before` is the event before that: a Shapeshifter's copy is followed by the copied ability.
    """
    match answer:
        case Placed(seat=seat):
            view.turn, view.question, view.at = seat, PLACE, -1
        case Left(seat=seat, position=position) | Revealed(seat=seat, position=position):
            view.turn, view.question, view.at = seat, LEAVE_OR_REVEAL, position - 1
        case Copied(seat=seat, position=position):
            view.turn, view.question, view.at = seat, SHAPESHIFTER, position - 1
        case Eliminated() | Stole() | Moved():
            # Of a `Moved`, `card` is the moved card: only a Royal Decree moves cards.
            ability = ROYAL_DECREE if isinstance(answer, Moved) else answer.card
            if ability == SHAPESHIFTER and isinstance(before, Copied):
                ability = before.ability
            view.turn, view.question, view.at = answer.seat, ability, answer.position - 1


def _first_view(view: View, began: RoundBegan) -> View:
    """Return the reader's view before the first round."""
    first = view.copy()
    first.round, first.first, first.turn = began.round, began.first, began.first
    first.question, first.at, first.queue = PLACE, -1, []
    first.hands = [
        "".join(card for card in CARDS if card not in view.aside[seat])
        if seat in view.viewers
        else UNKNOWN * HAND
        for seat in range(view.players)
    ]
    first.out = [""] * view.players
    first.pools = [STARTING_INFLUENCE] * view.players
    return first
