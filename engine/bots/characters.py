"""Bots with a taste, and bots that err as people do: what a search has weighed, chosen otherwise.

Who has a character judges as `grandmaster` does and takes, of answers that are as good as the best
for all that the search can tell, the one that is most to their taste; the little that this costs
makes them as strong as `master`. Who is still learning judges as `master` does and takes any answer
that is not too far behind, a worse one less often.
"""

from collections.abc import Sequence
from random import Random
from typing import ClassVar, Final

from engine.actions import REVEAL, Action, Eliminate, Leave, Place, Reveal, Steal
from engine.bots.base import KeepGoing, Weighed
from engine.bots.master import Grandmaster, Master
from engine.bots.rules_of_thumb import RulesOfThumb, placed
from engine.bots.worth import BRINGS
from engine.cards import ARCHER, ASSASSINATION, SOLDIER, SPY, Seat
from engine.events import Eliminated, Event, Stole
from engine.view import View

ALIKE: Final = 0.015
"""How much less of the victory an answer may promise to be taken for as good as the best."""

AIMING: Final = frozenset({ARCHER, SOLDIER, SPY, ASSASSINATION})
"""The cards with which one does harm to others."""


class Learner(Master):
    """Sees what is good, and often does something else that is not much worse."""

    name = "learner"
    iterations: ClassVar[int] = 200
    slack: ClassVar[float] = 0.25
    """How much of the victory a decision may give away at most."""

    def choose(self, view: View) -> Action:
        """Return one of the answers that are not too bad, the better ones more often."""
        weighed = self.weigh(view)
        best = weighed[0].share
        near = [each for each in weighed if each.tried and best - each.share < self.slack]
        odds = [self.slack - max(0.0, best - each.share) for each in near]
        return self.rng.choices(near, odds)[0].action if near else weighed[0].action


class Novice(Learner):
    """Knows the rules, and hardly more."""

    name = "novice"
    slack: ClassVar[float] = 0.4


class Character(Grandmaster):
    """Takes what is most to its taste among answers that are equally good."""

    def choose(self, view: View) -> Action:
        """Return the answer that promises most, or one as good that it likes better."""
        weighed = self.weigh(view)
        best = weighed[0]
        alike = [each for each in weighed if self._is_as_good(each, best)]
        rules = RulesOfThumb(view)
        return max(alike, key=lambda each: (self.likes(rules, each.action), each.share)).action

    @staticmethod
    def _is_as_good(each: Weighed, best: Weighed) -> bool:
        """Return whether a search cannot tell an answer from the best: it was tried as long."""
        return each.tried * 2 >= best.tried and best.share - each.share <= ALIKE

    def likes(self, rules: RulesOfThumb, action: Action) -> float:
        """Return how much an answer is to its taste; who has none takes the best of them."""
        return 0.0


class Cautious(Character):
    """Keeps its cards out of reach, and has in its pool what it might lose."""

    name = "cautious"

    def likes(self, rules: RulesOfThumb, action: Action) -> float:
        """Return how safe its cards are afterwards."""
        view = rules.view
        if isinstance(action, Place):
            there, index = placed(view, action)
            return -RulesOfThumb(there).danger(index)
        if isinstance(action, Leave | Reveal):
            at_stake = rules.danger(view.at) * (view.queue[view.at][3] + 2)
            return at_stake - 1 if action == REVEAL else 0.0
        if isinstance(action, Eliminate):
            stack = view.queue[action.position - 1]
            threat = stack[0] not in rules.mine and stack[2] and stack[1] in AIMING
            return threat - rules.ambush_chance(stack)
        return 0.0


class Greedy(Character):
    """Takes what it can have at once."""

    name = "greedy"

    def likes(self, rules: RulesOfThumb, action: Action) -> float:
        """Return what it brings at a glance."""
        view = rules.view
        if isinstance(action, Place):
            return BRINGS[action.card]
        if isinstance(action, Leave):
            return 1.0
        if isinstance(action, Reveal):
            _, card, _, influence, _ = view.queue[view.at]
            return influence + rules.brings(card, view.at)
        return rules.choosing(action, view.at)


class Vengeful(Character):
    """Remembers who did it harm, and pays them back."""

    name = "vengeful"

    def __init__(self, rng: Random, keep_going: KeepGoing | None = None) -> None:
        super().__init__(rng, keep_going)
        self._harm: list[Eliminated | Stole] = []

    def observe(self, events: Sequence[Event]) -> None:
        """Remember who eliminated whose cards, and stole something from whom."""
        super().observe(events)
        for each in events:
            if isinstance(each, Eliminated) or (isinstance(each, Stole) and each.influence):
                self._harm.append(each)

    def grudge(self, rules: RulesOfThumb, seat: Seat) -> float:
        """Return how much it has against a seat; who leads is disliked a little anyway."""
        if seat in rules.mine:
            return -1.0
        done = sum(each.seat == seat and each.victim in rules.mine for each in self._harm)
        return done + rules.counts[seat]

    def likes(self, rules: RulesOfThumb, action: Action) -> float:
        """Return how much it does, or could do, to whom it has something against."""
        view = rules.view
        if isinstance(action, Eliminate):
            return self.grudge(rules, view.queue[action.position - 1][0])
        if isinstance(action, Steal):
            return self.grudge(rules, view.seat_of(action.family))
        if isinstance(action, Place):
            there, at = placed(view, action)
            card = action.card
        elif isinstance(action, Reveal):
            there, at, card = view, view.at, view.queue[view.at][1]
        else:
            return 0.0
        beside = [there.queue[each][0] for each in (at - 1, at + 1) if 0 <= each < len(there.queue)]
        return max([self.grudge(rules, seat) for seat in beside], default=0.0) * (card in AIMING)
