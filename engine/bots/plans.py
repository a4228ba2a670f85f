"""Compares two answers in the same worlds, and explains why one is better.

The plan names an event of the round that happens more often after one answer than after the other.
A condition explains the event if it separates the worlds with the event from the other worlds. Two
lines of moves, one for each answer, illustrate the event in the world where both results differ
most.
"""

from collections import Counter, defaultdict
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
    from engine.bots.master_bot import Master

Fact: TypeAlias = tuple[str, Card]
"""The name of an event in `COUNTS`, and the card of the event; "" if the card does not matter."""

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
"""Rough value of each event for the player; "" is no event.

Bad events: an own card is eliminated (`lost`), own influence is stolen (`robbed`), an opponent's
Ambush discards an own attacker (`trapped`). Good events: an own card eliminates an opponent's card
(`struck`), steals (`stole`) or gains by its ability (`gained`), an own Ambush pays (`sprung`).
"""

LEAST: Final = 0.1
"""Minimum difference in frequency for reporting an event as part of a plan."""

PLAIN: Final = 0.015
"""Minimum loss of an answer, as a share of the victory, that needs an explanation."""

MOVES: Final = (Revealed, Eliminated, AmbushSprung, Stole, Gained, Moved)
"""The kinds of events that a line shows."""

LONGEST: Final = 5
"""Maximum number of moves in a line."""

ENOUGH: Final = 30
"""A condition must hold in at least this many worlds, and be false in at least as many."""

SPLITS: Final = 0.25
"""Minimum difference in frequency of the event with and without a condition that explains it."""

Line: TypeAlias = tuple[tuple[str | int | bool, ...], ...]
"""Events as plain data: each has the name of its class, then its fields."""

State: TypeAlias = tuple[Literal["lies", "held", "revealed"], int, Card]
"""A state of a world: a hidden card in the Queue, a card in a hand, or a card that an opponent
reveals this round. The number is the position, the seat, or 0.
"""


class Condition(NamedTuple):
    """The state that best separates the worlds with an event from the others."""

    what: State
    with_it: float
    """Frequency of the event in worlds with the state."""
    without: float
    """Frequency of the event in worlds without the state."""


class Plan(NamedTuple):
    """The reason why one answer is better than another."""

    what: str
    """The event that becomes more or less frequent, a name in `COUNTS`."""
    card: Card
    """The letter of the card; "" for no card."""
    best: float
    """Frequency of the event after the better answer."""
    given: float
    """Frequency of the event after the given answer."""
    best_line: Line
    """The line after the better answer, in the world where both lines differ most."""
    given_line: Line
    """The line after the given answer in the same world."""
    condition: Condition | None = None
    """The state on which the event depends most; None if no state is clear. Only the worlds after
    the answer that makes the event more frequent count.
    """


class Comparison(NamedTuple):
    """The results of two answers in the same worlds."""

    worlds: int
    best: float
    """Expected share of the victory after the better answer."""
    given: float
    """Expected share of the victory after the given answer."""
    error: float
    """Standard error of the difference between both shares."""
    plan: Plan | None = None
    """The reason why the better answer is better; None for a small lead or an unclear reason."""


RACES: Final = 3
"""Number of searches for the best answer. One search alone may follow a chance discovery."""

BATCH: Final = 160
"""Number of worlds after which a comparison starts again without experience.

Early results shape a search, so only independent searches show the error of a result.
"""

FEWEST: Final = 3
"""Minimum number of batches of a comparison."""

FAR: Final = 0.1
"""The lead in a search, as a share of the victory, that needs no further comparison."""

UNKNOWN_ERROR: Final = 1.0
"""The standard error of a difference that has only one batch."""

EXACT: Final = 0.006
"""Standard error of the difference at which a comparison may end."""


class _World(NamedTuple):
    """The results of both answers in one world."""

    shares: list[float]
    """The player's shares of the victory, after each answer."""
    lines: list[list[Event]]
    facts: list[set[Fact]]
    states: set[State]


def compare(bot: "Master", view: View, best: Action, given: Action) -> Comparison:
    """Return the results of two answers in the same worlds.

    From `FEWEST` batches on, the comparison ends when the difference is exact, or when the given
    answer is hardly worse. It ends at any time when the bot's `goes_on` returns False. An
    unfinished batch then counts only if it is the first. If the comparison ends before the first
    world, both shares are 0.
    """
    met: list[_World] = []
    leads: list[float] = []
    while True:
        batch = _worlds(bot, view, best, given, len(met))
        if not batch or (met and len(batch) < BATCH):
            break
        met += batch
        leads.append(sum(one - other for one, other in (each.shares for each in batch)))
        lead, error = _lead(leads, len(met))
        if len(leads) >= FEWEST and (error <= EXACT or lead + 2 * error < PLAIN):
            break
    if not met:
        return Comparison(0, 0.0, 0.0, UNKNOWN_ERROR)
    share, given_share = (sum(each.shares[n] for each in met) / len(met) for n in (0, 1))
    plan = _plan(view, met, best, given) if lead >= PLAIN else None
    return Comparison(len(met), share, given_share, error, plan)


def _worlds(
    bot: "Master", view: View, best: Action, given: Action, before: int = 0
) -> list[_World]:
    """Return the worlds of a batch, in each of which both answers were played on.

    The batch is shorter if the bot's `goes_on` ends it.
    """
    # Tables load this module too and need no plan, so import the search here.
    from engine.bots.experience import Experience

    own = view.viewers
    everybody = owners(view.players, two=len(own) > 1)
    experience = Experience(own, sides(everybody), bot.rng.random)
    sample = bot.worlds(view).sample
    met: list[_World] = []
    while len(met) < BATCH and bot.goes_on(2 * (before + len(met))):
        world = sample()
        shares: list[float] = []
        lines: list[list[Event]] = []
        facts: list[set[Fact]] = []
        for number, answer in enumerate((best, given)):
            imagined, events = world.copy(), list[Event]()
            imagined.advance(answer, events)
            at_once = len(events)
            experience.begin(number)
            values = bot.play_on(imagined, view.round, experience, everybody, events)
            experience.learn(values)
            shares.append(values[view.turn])
            lines.append(events)
            # The direct effect of an answer needs no explanation, unless it harms the player.
            found = [_fact(event, own) for event in events]
            facts.append({*found[at_once:], *(f for f in found[:at_once] if COUNTS[f[0]] < 0)})
        met.append(_World(shares, lines, facts, _dealt(view, world)))
    return met


def _lead(leads: Sequence[float], worlds: int) -> tuple[float, float]:
    """Return the mean difference of both answers' shares, and its standard error.

    `leads` are the summed differences of batches of equal size.
    """
    batches = len(leads)
    size, mean = worlds / batches, sum(leads) / worlds
    if batches == 1:
        return mean, UNKNOWN_ERROR
    variance = sum((lead / size - mean) ** 2 for lead in leads) / (batches - 1)
    return mean, sqrt(variance / batches)


def best_other(races: Sequence[Sequence[Weighed]], given: Action) -> Action | None:
    """Return the most promising other answer of several searches; None if all are far behind.

    Also returns None if the searches tried no other answer.

    If an answer left the race early, its result is inexact. So an answer that has won a search
    comes first, then an answer that was the best except `given`.
    """
    wins = Counter[Action]()
    leads = defaultdict[Action, float](float)
    for weighed in races:
        shares = {each.action: each.share for each in weighed if each.tried}
        others = [each.action for each in weighed if each.tried and each.action != given]
        if not others:
            continue
        other = others[0]
        wins[other] += len(races) + 1 if weighed[0].action == other else 1
        leads[other] += shares[other] - shares.get(given, 0.0)
    best = max(wins, key=lambda each: (wins[each], leads[each]), default=None)
    if best is None or (wins[best] <= len(races) and leads[best] < -FAR * wins[best]):
        return None
    return best


def _plan(view: View, met: Sequence[_World], best: Action, given: Action) -> Plan | None:
    """Return the reason why one answer is better, from a comparison's worlds; None if unclear."""
    own = view.viewers
    counts = [Counter(fact for each in met for fact in each.facts[number]) for number in (0, 1)]

    # If the better answer places another card, the given card stays in hand. The loss of that card
    # then does not count, so `weight` ignores it.
    kept = ""
    if isinstance(best, Place) and isinstance(given, Place) and given.card != best.card:
        kept = given.card

    def weight(fact: Fact) -> float:
        if fact == ("lost", kept):
            return 0.0
        return COUNTS[fact[0]] * (counts[0][fact] - counts[1][fact])

    fact = max(sorted(counts[0] | counts[1]), key=weight, default=("", ""))
    if weight(fact) <= abs(COUNTS[fact[0]]) * LEAST * len(met):
        return None
    # A bad event is more frequent after the given answer, so look at the worlds of that answer.
    other = COUNTS[fact[0]] < 0
    for each in met:
        each.states.update(
            ("revealed", 0, event.card)
            for event in each.lines[other]
            if isinstance(event, Revealed) and event.seat not in own
        )
    happens = [(fact in each.facts[other], each.states) for each in met]
    example = max(
        (each for each in met if fact in each.facts[other]),
        key=lambda each: each.shares[0] - each.shares[1],
    )
    best_line, given_line = (_line(events, own, fact) for events in example.lines)
    one, two = (count[fact] / len(met) for count in counts)
    return Plan(*fact, one, two, best_line, given_line, _condition(happens))


def _dealt(view: View, world: Game) -> set[State]:
    """Return the states of a world that the view hides: top cards in the Queue, cards in hands."""
    found: set[State] = set()
    for position, (seen, stack) in enumerate(zip(view.queue, world.queue, strict=True), 1):
        if seen[1] == UNKNOWN:
            found.add(("lies", position, stack[1]))
    for seat, hand in enumerate(view.hands):
        if UNKNOWN in hand:
            found |= {("held", seat, card) for card in world.hands[seat]}
    return found


def _condition(happens: Sequence[tuple[bool, set[State]]]) -> Condition | None:
    """Return the state that best separates the worlds with an event; None if no state is clear."""
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
        # The share of the event's variation that the state explains (phi), up to a constant factor.
        explains = splits * sqrt(number * others)
        if splits >= SPLITS and explains > explained:
            best, explained = Condition(state, with_it, without), explains
    return best


def _fact(event: Event, own: Sequence[Seat]) -> Fact:
    """Return the fact of an event for the player of these seats; ("", "") for none."""
    match event:
        case Eliminated(seat=by, victim=of, victim_card=card) if (by in own) != (of in own):
            # Eliminating an Ambush is counted by its own event, `AmbushSprung`.
            return ("", "") if card == AMBUSH else ("struck" if by in own else "lost", card)
        case Stole(seat=by, victim=of, influence=n) if n and (by in own) != (of in own):
            return ("stole" if by in own else "robbed", "")
        case AmbushSprung(seat=by, attacker=of) if (by in own) != (of in own):
            return ("sprung" if by in own else "trapped", "")
        case Gained(seat=by, card=card, influence=n) if n and by in own:
            return ("gained", card)
    return ("", "")


def _line(events: Sequence[Event], own: Sequence[Seat], fact: Fact) -> Line:
    """Return at most `LONGEST` moves of the Queue that touch the player.

    They are the first moves, or the last ones up to the move with the fact if it comes later. An
    opponent's revealing that leads directly to such a move also counts.
    """
    moves: list[Event] = []
    last = LONGEST - 1
    after: Event | None = None
    for event in reversed(events):
        if _touches(event, own) or (isinstance(event, Revealed) and moves and after is moves[-1]):
            moves.append(event)
        if not isinstance(event, Forced | Copied):
            after = event
    moves.reverse()
    for number, event in enumerate(moves):
        if _fact(event, own) == fact:
            last = max(last, number)
            break
    shown = moves[last + 1 - LONGEST : last + 1]
    if shown and isinstance(shown[-1], Revealed) and shown[-1].seat not in own:
        # Drop a final reveal by an opponent: the line does not show its effect.
        shown.pop()
    return tuple((type(event).__name__, *event) for event in shown)


def _touches(event: Event, own: Sequence[Seat]) -> bool:
    """Return True if an event is a move of these seats, or touches their cards or pools."""
    if not isinstance(event, MOVES) or (isinstance(event, Gained | Stole) and not event.influence):
        return False
    values = event._asdict()
    return any(values.get(seat) in own for seat in ("seat", "victim", "attacker", "owner"))
