"""Estimates the likelihood of each card at a hidden place, from the public facts about that place.

A place has traits, such as the influence on it. For each trait, a conditional logit model of many
games between bots makes each of the ten cards more or less likely. `scripts/train` fits the
weights.
"""

from collections.abc import Mapping
from typing import Final

from engine.abilities import neighbours
from engine.cards import CARDS, Card, Seat
from engine.position import PLACE, Stack
from engine.views import View

Traits = Mapping[str, Mapping[Card, float]]
"""The log weight of each card, by trait."""

MOST_INFLUENCE: Final = 5
"""Influence on a card above which more influence changes no belief."""

ASIDE: Final[tuple[str, ...]] = ()
"""The traits of a card that was set aside. There are none, since only chance decides it."""


def in_hand(view: View, seat: Seat) -> tuple[str, ...]:
    """Return the traits of a card in a seat's hand."""
    return (f"hand {len(view.hands[seat])}",)


def in_queue(view: View, index: int, depth: int) -> tuple[str, ...]:
    """Return the traits of a face-down card below `depth` cards of the stack at `index`."""
    queue = view.queue
    seat = queue[index][0]
    stack: Stack | None = queue[index]
    for _ in range(depth):
        assert stack is not None
        stack = stack[4]
    assert stack is not None
    influence = min(stack[3], MOST_INFLUENCE)
    # A card before the resolving one has already had its chance to be revealed in this round.
    chances = view.round + (view.question != PLACE and index < view.at)
    if depth:
        return (f"covered {influence}", f"covered in {view.round}")
    beside = [queue[at] for at in neighbours(view, index)]
    found = [f"down {chances} {influence}"]
    later = "left" if influence else "new"
    at_end = index in (0, len(queue) - 1)
    if at_end:
        found.append(f"edge {later}")
    family = sum(other[0] == seat for other in beside)
    if family:
        found.append(f"family {family} {later}")
    if any(other[2] and other[1] == "S" and other[0] != seat for other in beside):
        found.append(f"soldier {later}")
    if any(other[2] and other[1] != "F" for other in beside):
        found.append(f"character {later}")
    for other in queue:
        if other[2]:
            if other[1] == "H":
                found.append(f"heir {later}")
            elif other[1] == "A" and other[0] != seat and at_end:
                found.append(f"archer {later}")
    if stack[4] is not None:
        found.append(f"on {'up' if stack[4][2] else 'down'} {later}")
    return tuple(dict.fromkeys(found))


def weights(beliefs: Traits, traits: tuple[str, ...]) -> dict[Card, float]:
    """Return the log weight of each card at a hidden place with these traits."""
    found = dict.fromkeys(CARDS, 0.0)
    for trait in traits:
        for card, weight in beliefs.get(trait, {}).items():
            found[card] += weight
    return found
