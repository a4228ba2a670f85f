"""The strongest bot: it has learned from many games what to believe and what to hope for."""

from typing import ClassVar, Final

from engine.actions import LEAVE, REVEAL
from engine.bots.base import SearchingBot, Weighed
from engine.bots.experience import Experience
from engine.bots.learned import BELIEFS, WIN_EXPECTATION
from engine.bots.rollout import answer
from engine.bots.search import weigh
from engine.bots.win_expectation import expectation, outcome
from engine.bots.worlds import Worlds
from engine.game import Game
from engine.position import LEAVE_OR_REVEAL
from engine.ranking import owners
from engine.view import View

BEHIND: Final = 2.0
"""By how many standard errors an answer must trail to be out (see `weigh`)."""


class Master(SearchingBot):
    """Tries its answers in likely worlds until the round ends, and judges what it finds there."""

    name = "master"
    iterations: ClassVar[int] = 400

    def weigh(self, view: View) -> tuple[Weighed, ...]:
        """Return every legal answer with what it promises, the best first."""
        chance = self.rng.random
        me = view.turn
        this_round = view.round
        everybody = owners(view.players, two=len(view.viewers) > 1)
        experience = Experience(view.viewers, chance)

        def judge(world: Game, number: int) -> float:
            experience.begin(number)
            while world.legal and world.round == this_round:
                if world.asked == LEAVE_OR_REVEAL:
                    world.advance(REVEAL if experience.reveals(world) else LEAVE)
                else:
                    world.advance(answer(world, chance))
            if world.over:
                values = outcome(world, everybody)
            else:
                values = expectation(world, everybody, WIN_EXPECTATION)
            experience.learn(values)
            return values[me]

        worlds = Worlds(view, self.rng, BELIEFS)
        return weigh(view, self.rng, worlds.sample, judge, self.goes_on, BEHIND)
