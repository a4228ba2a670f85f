"""A bot that looks ahead with common sense alone: nothing about it is learned."""

from typing import ClassVar, Final

from engine.bots.base import SearchingBot, Weighed
from engine.bots.rollout import answer
from engine.bots.search import weigh
from engine.bots.win_expectation import outcome
from engine.bots.worlds import Worlds
from engine.game import Game
from engine.ranking import owners, sides
from engine.view import View

BEHIND: Final = 1.5
"""By how many standard errors an answer must trail to be out (see `weigh`)."""


class Sharp(SearchingBot):
    """Tries its answers in worlds, each as likely as the next, to the end of the game."""

    name = "sharp"
    iterations: ClassVar[int] = 60

    def weigh(self, view: View) -> tuple[Weighed, ...]:
        """Return every legal answer with what it promises, the best first."""
        chance = self.rng.random
        me = view.turn
        everybody = owners(view.players, two=len(view.viewers) > 1)
        together = sides(everybody)

        def judge(world: Game, number: int) -> float:
            while world.legal:
                world.advance(answer(world, together, chance))
            return outcome(world, everybody)[me]

        worlds = Worlds(view, self.rng)
        return weigh(view, self.rng, worlds.sample, judge, self.goes_on, BEHIND, also=self.given)
