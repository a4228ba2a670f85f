"""Why one answer is better than another: what comes of both in the worlds of a search.

What happens to the player until the round ends oftener after the one than after the other is the
plan, and the two lines that differ most show it.
"""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from engine.actions import Action
from engine.cards import AMBUSH, Card, Seat
from engine.events import AmbushSprung, Eliminated, Event, Gained, Stole
from engine.ranking import owners
from engine.view import View

if TYPE_CHECKING:
    from engine.bots.master import Master

Fact: TypeAlias = tuple[str, Card]
"""What may happen, a name in `COUNTS`, and to which card; "" for none."""

COUNTS: Final = {
    "": 0.0,
    "lost": -2.0,
    "robbed": -1.0,
    "trapped": -3.0,
    "struck": 1.5,
    "stole": 1.0,
    "gained": 1.0,
    "sprung": 3.0,
}
"""What the player has of it, roughly: an own card eliminated, influence stolen from them, an Ambush
run into; another's card eliminated, influence stolen, gained by an ability, by an own Ambush."""

LEAST: Final = 0.1
"""By how much oftener, at least, something must happen to be a plan."""

LONGEST: Final = 3
"""Most events of a line."""

Line: TypeAlias = tuple[tuple[str | int | bool, ...], ...]
"""Events as plain data: of each the name of its kind, then its fields."""


class Plan(NamedTuple):
    """What speaks for an answer, and against another."""

    what: str
    """What happens oftener or less often after it, a name in `COUNTS`."""
    card: Card
    """The card that it happens to; "" where it happens to no card."""
    best: float
    """In which part of the imagined games it does, after the one answer."""
    given: float
    """And after the other."""
    best_line: Line
    """What happens after the one in the world in which they differ most."""
    given_line: Line
    """And after the other."""


def plan_of(bot: "Master", view: View, best: Action, given: Action) -> Plan | None:
    """Return what speaks for the one answer, or None if nothing does plainly.

    It is looked for as long as the bot may think.
    """
    # What asks for a plan is loaded by tables too, which ask for none.
    from engine.bots.experience import Experience

    own = view.viewers
    everybody = owners(view.players, two=len(own) > 1)
    experience = Experience(own, bot.rng.random)
    sample = bot.worlds(view).sample
    counts = Counter[Fact](), Counter[Fact]()
    leads: list[tuple[float, list[list[Event]], list[set[Fact]]]] = []
    while bot.goes_on(2 * len(leads)):
        world, lead, lines, facts = sample(), 0.0, [], []
        for number, answer in enumerate((best, given)):
            imagined, events = world.copy(), list[Event]()
            imagined.advance(answer, events)
            at_once = len(events)
            experience.begin(number)
            values = bot.play_on(imagined, view.round, experience, everybody, events)
            experience.learn(values)
            lead += -values[view.turn] if number else values[view.turn]
            lines.append(events)
            # The good that an answer does at once is no news.
            found = [_fact(event, own) for event in events]
            facts.append({*found[at_once:], *(f for f in found[:at_once] if COUNTS[f[0]] < 0)})
            counts[number].update(facts[-1])
        leads.append((lead, lines, facts))

    def weight(fact: Fact) -> float:
        return COUNTS[fact[0]] * (counts[0][fact] - counts[1][fact])

    fact = max(sorted(counts[0] | counts[1]), key=weight, default=("", ""))
    if weight(fact) <= abs(COUNTS[fact[0]]) * LEAST * len(leads):
        return None
    shows = [each for each in leads if fact in each[2][COUNTS[fact[0]] < 0]]
    _, (best_line, given_line), _ = max(shows, key=lambda each: each[0])
    oftener, other = (count[fact] / len(leads) for count in counts)
    return Plan(*fact, oftener, other, _line(best_line, own), _line(given_line, own))


def _fact(event: Event, own: Sequence[Seat]) -> Fact:
    """Return what an event is to the player of these seats; ("", "") if it is nothing."""
    match event:
        case Eliminated(seat=by, victim=of, victim_card=card) if (by in own) != (of in own):
            # What comes of an Ambush is an event of its own.
            return ("", "") if card == AMBUSH else ("struck" if by in own else "lost", card)
        case Stole(seat=by, victim=of, influence=n) if n and (by in own) != (of in own):
            return ("stole" if by in own else "robbed", "")
        case AmbushSprung(seat=by, attacker=of) if (by in own) != (of in own):
            return ("sprung" if by in own else "trapped", "")
        case Gained(seat=by, card=card, influence=n) if n and by in own:
            return ("gained", card)
    return ("", "")


def _line(events: Sequence[Event], own: Sequence[Seat]) -> Line:
    told = [event for event in events if _fact(event, own)[0]]
    return tuple((type(event).__name__, *event) for event in told[:LONGEST])
