"""Weighing answers by playing on from them, in worlds that could be the real one.

A race (Maron, Moore 1994): in each world that is dealt, every answer still in the race is given and
the game goes on from there. An answer leaves the race when it has fallen behind the leader by more
than chance explains; what is left of the time goes to the others.
"""

from abc import abstractmethod
from collections.abc import Callable
from math import sqrt
from random import Random
from typing import ClassVar, Final, TypeAlias

from engine.actions import Action
from engine.bots.base import SearchingBot, Weighed
from engine.bots.rules_of_thumb import RulesOfThumb
from engine.bots.worlds import Worlds
from engine.game import Game
from engine.position import PLACE
from engine.views import View

Judge: TypeAlias = Callable[[Game, int], float]
"""Plays on in place, and returns what part of the victory is to be expected. The number is that of
the answer that was given, the same in all worlds."""

STARTERS: Final = 24
"""How many answers run at most; the others promise less at a glance. Only a Royal Decree has more
than a few dozen, and most of them change little."""

CHECKS: Final = 4
"""How many times fewer new worlds than old ones there are when that is seen again."""


class RacingBot(SearchingBot):
    """A bot that lets its answers race, in worlds and by a judgement of its own."""

    behind: ClassVar[float]
    """By how many standard errors an answer must trail to be out."""
    first_check: ClassVar[int] = 4
    """After how many worlds it is first seen which answers have fallen behind."""

    @abstractmethod
    def worlds(self, view: View) -> Worlds:
        """Return what deals games that the view could be a view of."""

    @abstractmethod
    def judge(self, view: View) -> Judge:
        """Return what says what comes of an answer."""

    def weigh(self, view: View) -> tuple[Weighed, ...]:
        """Return every legal answer with what it promises, the best first.

        Fewer iterations are made than may be when all but one answer have left the race.
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
    """Return the answers to be tried, in any order but for those that promise most coming first."""
    answers = list(view.legal)
    rng.shuffle(answers)
    if view.asked != PLACE and len(answers) > STARTERS:
        estimates = RulesOfThumb(view)
        answers.sort(key=lambda answer: -estimates.choosing(answer, view.at))
        answers[STARTERS:] = [each for each in answers[STARTERS:] if each == also]
    return answers


def _still_running(
    running: list[int], values: list[list[float]], worlds: int, behind: float
) -> list[int]:
    """Return those that have not fallen behind the leader."""
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
    """Return what was found out: first who ran longest, of equals who promises most.

    Who left the race early is compared with the leader in the worlds that both have met.
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
