"""The strongest bots, with beliefs and expectations learned from many games."""

from collections.abc import Sequence
from math import exp
from typing import ClassVar, Final

from engine.actions import Action
from engine.bots.experience import Experience
from engine.bots.learned_weights import GRANDMASTER_WEIGHTS, MASTER_WEIGHTS, Learned
from engine.bots.memory import Memory
from engine.bots.search import Judge, RacingBot
from engine.bots.win_expectation import expectation, outcome
from engine.bots.worlds import Worlds
from engine.events import Event
from engine.game import Game
from engine.position import PLACE
from engine.ranking import Owners, owners, sides
from engine.views import View

MIX_MARGIN: Final = 0.03
"""Among nearly equal placements the bot chooses at random, so that opponents cannot read a card
from its place. In the first round, a placement that loses this share of the victory is e times
rarer than the best. In later rounds it is rarer still.
"""


class Master(RacingBot):
    """Tries its answers in likely worlds to the end of the round, and judges the result."""

    name = "master"
    iterations: ClassVar[int] = 400
    behind: ClassVar[float] = 2.0
    learned: Learned = MASTER_WEIGHTS
    """The weights of this bot. Measurements may use the weights of another file instead."""
    learns_all: ClassVar[bool] = False
    """True if a search learns all decisions of all seats; False if it learns only decisions to
    reveal.
    """

    def judge(self, view: View) -> Judge:
        """Return a function that plays a world to the end of the round and learns from it."""
        me = view.turn
        this_round = view.round
        everybody = owners(view.players, two=len(view.viewers) > 1)
        experience = Experience(
            view.viewers, sides(everybody), self.rng.random, all_decisions=self.learns_all
        )

        def judge(world: Game, number: int) -> float:
            experience.begin(number)
            values = self.play_on(world, this_round, experience, everybody)
            experience.learn(values)
            return values[me]

        return judge

    def play_on(
        self,
        world: Game,
        this_round: int,
        experience: Experience,
        everybody: Owners,
        events: list[Event] | None = None,
    ) -> list[float]:
        """Play an imagined game to the end of `this_round`; return each seat's expected share.

        `events` receives the events of these decisions.
        """
        while world.legal and world.round == this_round:
            world.advance(experience.answer(world), events)
        if world.over:
            return outcome(world, everybody)
        return expectation(world, everybody, self.learned.win_expectation)

    def worlds(self, view: View) -> Worlds:
        """Return a sampler in which likely worlds are more frequent."""
        return Worlds(view, self.rng, self.learned.beliefs)


class Grandmaster(Master):
    """Searches all players' decisions, uses the history of each card, and hides its own plans."""

    name = "grandmaster"
    iterations: ClassVar[int] = 3200
    learned: Learned = GRANDMASTER_WEIGHTS
    learns_all: ClassVar[bool] = True
    first_check: ClassVar[int] = 8
    _memory: Memory | None = None

    def observe(self, events: Sequence[Event]) -> None:
        """Update the memory of the game."""
        self._memory = self._memory or Memory()
        self._memory.observe(events)

    def choose(self, view: View) -> Action:
        """Return the best answer, or a nearly equal one when placing a card."""
        weighed = self.weigh(view)
        if view.question != PLACE:
            return weighed[0].action
        best = weighed[0]
        # An answer that left the race early has few trials: its result may be luck.
        alike = [each for each in weighed if each.tried * 2 >= best.tried]
        odds = [exp(min(0.0, each.share - best.share) / MIX_MARGIN * view.round) for each in alike]
        return self.rng.choices(alike, odds)[0].action

    def worlds(self, view: View) -> Worlds:
        """Return a sampler that uses the history of each card.

        If the bot has not seen the whole game, return the sampler of `Master`.
        """
        memory = self._memory
        if memory is None or not memory.fits(view):
            return super().worlds(view)
        return Worlds(view, self.rng, self.learned.history, memory)
