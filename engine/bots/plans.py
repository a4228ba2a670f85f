"""Why one answer is better than another: what comes of both in the worlds of a search.

What happens to the player until the round ends oftener after the one than after the other is the
plan. What else is so in the worlds in which it happens explains it, and the two lines that differ
most show it.
"""

from collections import Counter
from collections.abc import Sequence
from math import sqrt
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from engine.actions import Action, Place
from engine.bots.base import Weighed
from engine.cards import AMBUSH, UNKNOWN, Card, Seat
from engine.events import (
    AmbushSprung,
    Copied,
    Eliminated,
    Event,
    Forced,
    Gained,
    Moved,
    Revealed,
    Stole,
)
from engine.game import Game
from engine.ranking import owners, sides
from engine.views import View

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

PLAIN: Final = 0.015
"""How much an answer must give away for something to speak against it plainly."""

MOVES: Final = (Revealed, Eliminated, AmbushSprung, Stole, Gained, Moved)
"""What happens that is a move of a line."""

LONGEST: Final = 5
"""Most moves of a line."""

ENOUGH: Final = 30
"""In how many worlds, at least, a condition must hold, and in how many not."""

SPLITS: Final = 0.25
"""By how much, at least, it must make something likelier or less likely to explain it."""

Line: TypeAlias = tuple[tuple[str | int | bool, ...], ...]
"""Events as plain data: of each the name of its kind, then its fields."""

State: TypeAlias = tuple[Literal["lies", "held", "revealed"], int, Card]
"""What is so in a world: that this card lies hidden at a position of the Queue, is held by a seat,
or is revealed by another player this round."""


class Condition(NamedTuple):
    """What splits the worlds in which something happens from the others best."""

    what: State
    with_it: float
    """In which part of the worlds it happens if this is so."""
    without: float
    """And in which part if not."""


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
    condition: Condition | None = None
    """On what it depends most whether it happens, after the answer after which it does oftener."""


class _World(NamedTuple):
    """What came of both answers in one world; `lead` is how much more the one promises."""

    lead: float
    lines: list[list[Event]]
    facts: list[set[Fact]]
    states: set[State]


def plan_against(
    bot: "Master", view: View, weighed: Sequence[Weighed], given: Action
) -> Plan | None:
    """Return what speaks for the best of the weighed answers, if the given one is plainly worse."""
    shares = {each.action: each.share for each in weighed if each.tried}
    best = weighed[0].action
    if best == given or given not in shares or shares[best] - shares[given] < PLAIN:
        return None
    return plan_of(bot, view, best, given)


def plan_of(bot: "Master", view: View, best: Action, given: Action) -> Plan | None:
    """Return what speaks for the one answer, or None if nothing does plainly.

    It is looked for as long as the bot may think.
    """
    # What asks for a plan is loaded by tables too, which ask for none.
    from engine.bots.experience import Experience

    own = view.viewers
    everybody = owners(view.players, two=len(own) > 1)
    experience = Experience(own, sides(everybody), bot.rng.random)
    sample = bot.worlds(view).sample
    counts = Counter[Fact](), Counter[Fact]()
    met: list[_World] = []
    while bot.goes_on(2 * len(met)):
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
        met.append(_World(lead, lines, facts, _dealt(view, world)))

    # That a card is not lost which stays in hand is no plan.
    held = ""
    if isinstance(best, Place) and isinstance(given, Place) and given.card != best.card:
        held = given.card

    def weight(fact: Fact) -> float:
        if fact == ("lost", held):
            return 0.0
        return COUNTS[fact[0]] * (counts[0][fact] - counts[1][fact])

    fact = max(sorted(counts[0] | counts[1]), key=weight, default=("", ""))
    if weight(fact) <= abs(COUNTS[fact[0]]) * LEAST * len(met):
        return None
    # Whether the worlds in which it happens are found after the other answer.
    other = COUNTS[fact[0]] < 0
    for each in met:
        each.states.update(
            ("revealed", 0, event.card)
            for event in each.lines[other]
            if isinstance(event, Revealed) and event.seat not in own
        )
    happens = [(fact in each.facts[other], each.states) for each in met]
    example = max((each for each in met if fact in each.facts[other]), key=lambda each: each.lead)
    best_line, given_line = (_line(events, own, fact) for events in example.lines)
    one, two = (count[fact] / len(met) for count in counts)
    return Plan(*fact, one, two, best_line, given_line, _condition(happens))


def _dealt(view: View, world: Game) -> set[State]:
    """Return what the cards are in a world that a view leaves open."""
    found: set[State] = set()
    for position, (seen, stack) in enumerate(zip(view.queue, world.queue, strict=True), 1):
        if seen[1] == UNKNOWN:
            found.add(("lies", position, stack[1]))
    for seat, hand in enumerate(view.hands):
        if UNKNOWN in hand:
            found |= {("held", seat, card) for card in world.hands[seat]}
    return found


def _condition(happens: Sequence[tuple[bool, set[State]]]) -> Condition | None:
    """Return what splits the worlds in which something happens from the others best, if plainly."""
    holds = Counter(state for _, states in happens for state in states)
    both = Counter(state for so, states in happens for state in states if so)
    worlds, happened = len(happens), sum(so for so, _ in happens)
    best, explained = None, 0.0
    for state, number in sorted(holds.items()):
        others = worlds - number
        if min(number, others) < ENOUGH:
            continue
        with_it, without = both[state] / number, (happened - both[state]) / others
        splits = abs(with_it - without)
        # How much of whether it happens a state explains (phi, but for what all have in common).
        explains = splits * sqrt(number * others)
        if splits >= SPLITS and explains > explained:
            best, explained = Condition(state, with_it, without), explains
    return best


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


def _line(events: Sequence[Event], own: Sequence[Seat], fact: Fact) -> Line:
    """Return the moves of the Queue that touch the player, as far as the one that is the fact."""
    told: list[Event] = []
    last = LONGEST - 1
    after: Event | None = None
    for event in reversed(events):
        if _touches(event, own) or (isinstance(event, Revealed) and told and after is told[-1]):
            told.append(event)
        if not isinstance(event, Forced | Copied):
            after = event
    told.reverse()
    for number, event in enumerate(told):
        if _fact(event, own) == fact:
            last = max(last, number)
            break
    shown = told[last + 1 - LONGEST : last + 1]
    if shown and isinstance(shown[-1], Revealed) and shown[-1].seat not in own:
        # What it was revealed for is not shown any more.
        shown.pop()
    return tuple((type(event).__name__, *event) for event in shown)


def _touches(event: Event, own: Sequence[Seat]) -> bool:
    """Return whether an event is a move of these seats', or is about a card or pool of theirs."""
    if not isinstance(event, MOVES) or (isinstance(event, Gained | Stole) and not event.influence):
        return False
    told = event._asdict()
    return any(told.get(seat) in own for seat in ("seat", "victim", "attacker", "owner"))
