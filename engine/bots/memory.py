"""Remembers the history of the cards in the Queue: placements and later events.

A memory uses only the events of its seat, so the same events always give the same memory.
"""

from collections.abc import Iterable
from typing import Final

from engine.actions import ON, START
from engine.cards import ARCHER, HEIR, SOLDIER, UNKNOWN, Card, Seat
from engine.events import (
    Discarded,
    Eliminated,
    Event,
    Left,
    Moved,
    Placed,
    Revealed,
    RoundBegan,
)
from engine.views import View

MAXIMUM_COUNT: Final = 3
"""Maximum count of one kind of event in a card's history; higher counts are equal to it."""

RICH: Final = 2
"""Minimum influence on a card that attackers rarely spare. Higher influence counts as this."""


class _Card:
    """A card in the Queue, with its history."""

    __slots__ = ("card", "influence", "put", "seat", "times")

    def __init__(self, seat: Seat, put: str) -> None:
        self.seat = seat
        self.put = put
        """A trait: the round and the spot of its placement."""
        self.card: Card = UNKNOWN
        """The card, or `UNKNOWN` until it is revealed."""
        self.influence = 0
        self.times: dict[str, int] = {}
        """Number of times that each event happened, or could have happened, to the card."""

    def note(self, what: str) -> None:
        self.times[what] = self.times.get(what, 0) + 1


class Memory:
    """The stacks of the Queue, with the history of each card.

    >>> from engine.events import Left, Placed, ResolutionBegan, RoundBegan
    >>> memory = Memory()
    >>> memory.observe([RoundBegan(1, 0), Placed(0, "?", ">", 1, 1), ResolutionBegan()])
    >>> memory.observe([Left(0, 1, "?", 1), RoundBegan(2, 1)])
    >>> memory.traits(0, 0)
    ('put 1 first', 'left 1')
    """

    def __init__(self) -> None:
        self._round = 0
        self._queue: list[list[_Card]] = []
        """The stacks, each from bottom to top."""

    def observe(self, events: Iterable[Event]) -> None:
        """Update the history by the events since the last call."""
        queue = self._queue
        for event in events:
            if isinstance(event, Placed):
                self._place(event)
            elif isinstance(event, Left):
                self._leave(event.position - 1, event.seat)
            elif isinstance(event, Revealed):
                card = queue[event.position - 1][-1]
                card.card, card.influence = event.card, 0
            elif isinstance(event, Eliminated):
                self._take(event.target - 1)
            elif isinstance(event, Discarded):
                self._take(event.position - 1)
            elif isinstance(event, Moved):
                stacks = len(queue)
                card = self._take(event.target - 1)
                # A card that stood alone before the Royal Decree leaves a gap, so the Decree moves
                # one position towards the start. `destination` counts positions after that.
                closed = len(queue) < stacks and event.target < event.position
                whose = "own" if event.seat == event.owner else "other"
                again = "again" if event.destination > event.position - closed else "back"
                card.note(f"moved {whose} {again}")
                queue.insert(event.destination - 1, [card])
            elif isinstance(event, RoundBegan):
                self._round = event.round

    def traits(self, index: int, depth: int) -> tuple[str, ...]:
        """Return the traits of the card below `depth` cards of the stack at `index`."""
        card = self._queue[index][-1 - depth]
        return (
            card.put,
            *(f"{what} {min(times, MAXIMUM_COUNT)}" for what, times in card.times.items()),
        )

    def fits(self, view: View) -> bool:
        """Return True if the top cards of this memory and of a view have the same owners."""
        return [stack[-1].seat for stack in self._queue] == [stack[0] for stack in view.queue]

    def _place(self, event: Placed) -> None:
        index = event.position - 1
        spot = {START: "start", ON: "on"}.get(event.spot, "end")
        if not self._queue:
            spot = "first"
        card = _Card(event.seat, f"put {self._round} {spot}")
        if event.spot == ON:
            under = self._queue[index][-1]
            card.put += f" {under.card if under.card != UNKNOWN else min(under.influence, RICH)}"
            self._queue[index].append(card)
        else:
            self._queue.insert(index, [card])
        for what in self._about(index):
            card.note(f"put {what}")

    def _leave(self, index: int, seat: Seat) -> None:
        card = self._queue[index][-1]
        card.note("left")
        card.influence += 1
        for what in self._about(index):
            card.note(f"left {what}")

    def _about(self, index: int) -> list[str]:
        """Return the facts about other cards that matter for an event at this index."""
        queue = self._queue
        me = queue[index][-1].seat
        beside = [queue[at][-1] for at in (index - 1, index + 1) if 0 <= at < len(queue)]
        tops = [stack[-1] for stack in queue]
        found = [f"by {other.card}" for other in beside if other.card != UNKNOWN]
        found += ["by own" for other in beside if other.seat == me]
        found += ["by prey" for other in beside if other.seat != me and other.influence >= RICH]
        if any(other.card == SOLDIER and other.seat != me for other in beside):
            found.append("hunted")
        archers = any(other.card == ARCHER and other.seat != me for other in tops)
        if archers and index in (0, len(queue) - 1):
            found.append("shot at")
        found += ["heir" for other in tops if other.card == HEIR][:1]
        return found

    def _take(self, index: int) -> _Card:
        stack = self._queue[index]
        card = stack.pop()
        if not stack:
            del self._queue[index]
        return card
