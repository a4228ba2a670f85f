"""Finds the best answer by a race: each answer is played out in many possible worlds.

In each sampled world, the bot plays every answer in the race, and a `Judge` plays each game on
(Maron, Moore 1994). An answer leaves the race when it is further behind the leader than chance
explains. The remaining answers share the rest of the time.
"""

from abc import abstractmethod
from collections.abc import Callable
from math import sqrt
from random import Random
from typing import ClassVar, Final, TypeAlias

from engine.actions import Action
from engine.bots.base import SearchingBot, Weighed
from engine.bots.influence_estimates import RulesOfThumb
from engine.bots.worlds import Worlds
from engine.game import Game
from engine.position import PLACE
from engine.views import View

Judge: TypeAlias = Callable[[Game, int], float]
"""A function that plays a game on in place, and returns the searching player's expected share of
the victory. Its second argument is the number of the first answer, which is the same in all worlds.
"""

STARTERS: Final = 24
"""Maximum number of answers in a race: the most promising ones. Only a Royal Decree has many more
answers, and most of those answers change little.
"""

CHECKS: Final = 4
"""After a check, the next one comes when the number of worlds has grown by 1/CHECKS."""


class RacingBot(SearchingBot):
    """A bot that lets answers race. Subclasses define `worlds` and `judge`."""

    behind: ClassVar[float]
    """An answer leaves the race if it is more than this number of standard errors behind the
    leader.
    """
    first_check: ClassVar[int] = 4
    """Number of worlds before the first check."""

    @abstractmethod
    def worlds(self, view: View) -> Worlds:
        """Return the sampler of worlds for a view."""

    @abstractmethod
    def judge(self, view: View) -> Judge:
        """Return the function that judges a position after an answer."""

    def weigh(self, view: View) -> tuple[Weighed, ...]:
        """Return every legal answer with its expected result, best first.

        The race ends early when only one answer is left. Answers that were not tried come last.
        """
        judge = self.judge(view)
        sample = self.worlds(view).sample
        answers = _starters(view, self.rng, self.given)
        values: list[list[float]] = [[] for _ in answers]
        running = list(range(len(answers)))
        made = 0
        worlds = 0
        check = self.first_check
        while len(running) > 1:
            world = sample()
            for each in running:
                if not self.goes_on(made):
                    return _ranked(view, answers, values, worlds)
                imagined = world.copy()
                imagined.advance(answers[each])
                values[each].append(judge(imagined, each))
                made += 1
            worlds += 1
            if worlds == check:
                check += max(1, worlds // CHECKS)
                running = _still_running(running, values, worlds, self.behind)
        return _ranked(view, answers, values, worlds)


def _starters(view: View, rng: Random, also: Action | None) -> list[Action]:
    """Return the answers of the race, with `also` among them.

    If there are too many legal answers, only the most promising ones take part.
    """
    answers = list(view.legal)
    rng.shuffle(answers)
    if view.question != PLACE and len(answers) > STARTERS:
        estimates = RulesOfThumb(view)
        answers.sort(key=lambda answer: -estimates.choosing(answer, view.at))
        answers[STARTERS:] = [each for each in answers[STARTERS:] if each == also]
    return answers


def _still_running(
    running: list[int], values: list[list[float]], worlds: int, behind: float
) -> list[int]:
    """Return the numbers of the answers that are not too far behind the leader."""
    leader = max(running, key=lambda each: sum(values[each]))
    best = values[leader]
    kept = []
    for each in running:
        leads = [more - less for more, less in zip(best, values[each], strict=True)]
        lead = sum(leads) / worlds
        variance = sum((one - lead) ** 2 for one in leads) / (worlds - 1)
        if each == leader or lead <= behind * sqrt(variance / worlds):
            kept.append(each)
    return kept


def _ranked(
    view: View, answers: list[Action], values: list[list[float]], worlds: int
) -> tuple[Weighed, ...]:
    """Return the results, best first: answers that stayed longer in the race come first.

    An answer that left early is compared with the leader over the worlds that both have played.
    """
    found = []
    longest = max(values, key=lambda each: (len(each[:worlds]), sum(each[:worlds])))[:worlds]
    for answer, all_values in zip(answers, values, strict=True):
        counted = all_values[:worlds] or all_values
        share = sum(counted) / len(counted) if counted else 0.0
        if len(counted) < len(longest):
            met = longest[: len(counted)]
            share += sum(longest) / len(longest) - sum(met) / len(met)
            share = min(max(share, 0.0), 1.0)
        found.append((Weighed(answer, share, len(all_values)), len(counted)))
    found.sort(key=lambda each: (-each[1], -each[0].share))
    tried = set(answers)
    untried = [Weighed(answer, 0.0, 0) for answer in view.legal if answer not in tried]
    return (*(each for each, _ in found), *untried)
