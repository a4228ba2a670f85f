"""Why one answer is better than another: what comes of it in the worlds of a search.

Both are tried in the same likely worlds, as a search does, to the end of the round. What happens to
the player oftener after the one than after the other is the plan, and the two lines that differ
most show it.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.actions import Action
from engine.bots.experience import Experience
from engine.bots.master import Master
from engine.cards import AMBUSH, Card, Seat
from engine.events import AmbushSprung, Eliminated, Event, Gained, Stole
from engine.ranking import owners
from engine.view import View

Fact = tuple[str, Card]
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

NOTHING: Final[Fact] = ("", "")
"""Nothing of all that."""

Line = tuple[tuple[str | int | bool, ...], ...]
"""Events as plain data: of each the name of its kind, then its fields."""


class Plan(NamedTuple):
    """What speaks for an answer."""

    what: str
    """What happens oftener or less often after it, a name in `COUNTS`."""
    card: Card
    """The card that it happens to; "" where it happens to no card."""
    best: float
    """In which part of the imagined games it does after that answer."""
    given: float
    """And after the other."""
    best_line: Line
    """What happens after that answer in the world in which they differ most."""
    given_line: Line
    """And after the other."""


def plan_of(bot: Master, view: View, best: Action, given: Action) -> Plan | None:
    """Return what speaks for the one answer, or None if nothing does plainly.

    It is tried as long as the bot may think.
    """
    answers = best, given
    own = view.viewers
    everybody = owners(view.players, two=len(own) > 1)
    experience = Experience(own, bot.rng.random)
    sample = bot.worlds(view).sample
    counts: tuple[Counter[Fact], Counter[Fact]] = Counter(), Counter()
    pairs: list[tuple[float, list[set[Fact]], list[list[Event]]]] = []
    while bot.goes_on(2 * len(pairs)):
        world = sample()
        values, facts, lines = [], [], []
        for number, answer in enumerate(answers):
            imagined, events = world.copy(), list[Event]()
            imagined.advance(answer, events)
            at_once = len(events)
            experience.begin(number)
            found = bot.play_on(imagined, view.round, experience, everybody, events)
            experience.learn(found)
            values.append(found[view.turn])
            facts.append(_facts(events, at_once, own))
            counts[number].update(facts[-1])
            lines.append(events)
        pairs.append((values[0] - values[1], facts, lines))

    def weight(fact: Fact) -> float:
        return COUNTS[fact[0]] * (counts[0][fact] - counts[1][fact])

    fact = max(sorted(counts[0] | counts[1]), key=weight, default=None)
    if fact is None or weight(fact) < abs(COUNTS[fact[0]]) * LEAST * len(pairs):
        return None
    speaks = [pair for pair in pairs if (fact in pair[1][COUNTS[fact[0]] < 0])]
    _, _, (best_line, given_line) = max(speaks, key=lambda pair: pair[0])
    oftener, other = (count[fact] / len(pairs) for count in counts)
    return Plan(*fact, oftener, other, _line(best_line, own), _line(given_line, own))


def _facts(events: Sequence[Event], at_once: int, own: Sequence[Seat]) -> set[Fact]:
    """Return what happened to the player; the good that an answer does at once is no news."""
    found = {_fact(event, own) for event in events[at_once:]}
    found |= {
        fact for fact in (_fact(event, own) for event in events[:at_once]) if COUNTS[fact[0]] < 0
    }
    return found - {NOTHING}


def _fact(event: Event, own: Sequence[Seat]) -> Fact:
    """Return what an event is to the player of these seats."""
    match event:
        case Eliminated(victim_card=card) if card == AMBUSH:
            # What comes of it is an event of its own.
            return NOTHING
        case Eliminated(seat=seat, victim=victim) if (seat in own) != (victim in own):
            return ("struck" if seat in own else "lost", event.victim_card)
        case Stole(seat=seat, victim=victim, influence=n) if n and (seat in own) != (victim in own):
            return ("stole" if seat in own else "robbed", "")
        case AmbushSprung(seat=seat, attacker=other) if (seat in own) != (other in own):
            return ("sprung" if seat in own else "trapped", "")
        case Gained(seat=seat, influence=n) if n and seat in own:
            return ("gained", event.card)
    return NOTHING


def _line(events: Sequence[Event], own: Sequence[Seat]) -> Line:
    told = [event for event in events if _fact(event, own) != NOTHING]
    return tuple((type(event).__name__, *event) for event in told[:LONGEST])
