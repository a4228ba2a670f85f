"""A bot that looks ahead without learned weights."""

from typing import ClassVar

from engine.bots.rollout import answer
from engine.bots.search import Judge, RacingBot
from engine.bots.win_expectation import outcome
from engine.bots.worlds import Worlds
from engine.game import Game
from engine.ranking import owners, sides
from engine.views import View


class Sharp(RacingBot):
    """Tries its answers in equally likely worlds, to the end of the game."""

    name = "sharp"
    iterations: ClassVar[int] = 60
    behind: ClassVar[float] = 1.5

    def worlds(self, view: View) -> Worlds:
        """Return a sampler of equally likely worlds."""
        return Worlds(view, self.rng)

    def judge(self, view: View) -> Judge:
        """Return a function that plays to the end of the game."""
        chance = self.rng.random
        me = view.turn
        everybody = owners(view.players, two=len(view.viewers) > 1)
        together = sides(everybody)

        def judge(world: Game, _: int) -> float:
            while world.legal:
                world.advance(answer(world, together, chance))
            return outcome(world, everybody)[me]

        return judge
