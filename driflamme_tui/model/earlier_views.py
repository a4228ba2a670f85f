"""Rebuilds earlier views of a running game from its events, for a player who comes back to it."""

from collections.abc import Sequence

from driflamme_tui.model.motion_frames import following
from engine.cards import CARDS, HAND, UNKNOWN
from engine.events import Event, RoundBegan
from engine.game import STARTING_INFLUENCE
from engine.position import PLACE
from engine.views import View


def view_before(view: View, events: Sequence[Event], count: int) -> View | None:
    """Return the reader's view after the first `count` events.

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
    return earlier if is_present else None


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
