"""The strongest bots: they have learned from many games what to believe and what to hope for."""

from collections.abc import Sequence
from math import exp
from typing import ClassVar, Final

from engine.actions import Action
from engine.bots.experience import Experience
from engine.bots.learned import LEARNED, TRAINED, Learned
from engine.bots.memory import Memory
from engine.bots.search import Judge, RacingBot
from engine.bots.win_expectation import expectation, outcome
from engine.bots.worlds import Worlds
from engine.events import Event
from engine.game import Game
from engine.position import PLACE
from engine.ranking import Owners, owners, sides
from engine.views import View

MIXED: Final = 0.03
"""How much less of the victory makes it e times rarer that a card is placed so in the first round,
half as much in the second, and so on: answers that are about as good are all given, so that nobody
can read a card from where it was put."""


class Master(RacingBot):
    """Tries its answers in likely worlds until the round ends, and judges what it finds there."""

    name = "master"
    iterations: ClassVar[int] = 400
    behind: ClassVar[float] = 2.0
    learned: Learned = LEARNED
    """What it has learned: of another file than ours, for who measures that."""
    learns_all: ClassVar[bool] = False
    """Whether a search learns how everybody decides, or when they reveal only."""

    def judge(self, view: View) -> Judge:
        """Return what plays on to the end of the round, and learns."""
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
        """Play an imagined game to the end of a round; return what each seat may expect then."""
        while world.legal and world.round == this_round:
            world.advance(experience.answer(world), events)
        if world.over:
            return outcome(world, everybody)
        return expectation(world, everybody, self.learned.win_expectation)

    def worlds(self, view: View) -> Worlds:
        """Return what deals likely worlds oftener."""
        return Worlds(view, self.rng, self.learned.beliefs)


class Grandmaster(Master):
    """Searches what everybody may do, remembers what they did, and cannot be read."""

    name = "grandmaster"
    iterations: ClassVar[int] = 3200
    learned: Learned = TRAINED
    learns_all: ClassVar[bool] = True
    first_check: ClassVar[int] = 8
    _memory: Memory | None = None

    def observe(self, events: Sequence[Event]) -> None:
        """Remember what has happened."""
        self._memory = self._memory or Memory()
        self._memory.observe(events)

    def choose(self, view: View) -> Action:
        """Return the answer that promises most, or where a card is placed one about as good."""
        weighed = self.weigh(view)
        if view.asked != PLACE:
            return weighed[0].action
        best = weighed[0]
        # Of those that left the race early, luck alone may say that they are as good.
        alike = [each for each in weighed if each.tried * 2 >= best.tried]
        odds = [exp(min(0.0, each.share - best.share) / MIXED * view.round) for each in alike]
        return self.rng.choices(alike, odds)[0].action

    def worlds(self, view: View) -> Worlds:
        """Return what deals them by what is remembered of each card, if that is known."""
        memory = self._memory
        if memory is None or not memory.fits(view):
            return super().worlds(view)
        return Worlds(view, self.rng, self.learned.history, memory)
