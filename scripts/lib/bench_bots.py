"""How quickly each level of bots decides.

Times are those of one core: a bot plays whole games among `steady`, and only its own decisions
are timed. Each thinks for as many iterations as its level makes by itself. How strong they are is
for `driflamme arena` to say.
"""

from dataclasses import dataclass
from random import Random
from time import process_time
from typing import Final

from engine.actions import Action
from engine.bots import BOTS, DEFAULT_BOT, Bot, SearchingBot, make_bot
from engine.simulate import Series, play_game
from engine.view import View
from scripts.lib.figures import Figure


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is measured."""

    seconds: float
    """Of thinking after which a level begins no other game."""
    iterations: int | None
    """That a level makes at most; None for as many as it makes by itself."""


FULL: Final = Extent(seconds=4.0, iterations=None)
SHORT: Final = Extent(seconds=0.001, iterations=3)


def measure(short: bool) -> list[Figure]:
    """Return how quick the levels are."""
    extent = SHORT if short else FULL
    figures = []
    for name in BOTS:
        level = time_level(name, extent)
        figures.append(Figure(f"decision_of_{name}", level.ms_per_decision, "ms"))
        if level.iterations_per_s is not None:
            figures.append(Figure(f"search_of_{name}", level.iterations_per_s, "iterations/s"))
    return figures


@dataclass(frozen=True, slots=True)
class Level:
    """How quickly a level decides."""

    ms_per_decision: float
    iterations_per_s: float | None
    """None for a level that does not search."""


class Timed(Bot):
    """A bot whose decisions and iterations are counted, and timed."""

    def __init__(self, name: str, rng: Random, iterations: int | None) -> None:
        super().__init__(rng)
        kind = BOTS[name]
        self.most = (iterations or kind.iterations) if issubclass(kind, SearchingBot) else None
        self.bot = make_bot(name, rng, self._count if self.most is not None else None)
        self.decisions = 0
        self.iterations = 0
        self.seconds = 0.0
        self._made = 0

    def _count(self, made: int) -> bool:
        self._made = made
        assert self.most is not None
        return made < self.most

    def choose(self, view: View) -> Action:
        """Return the bot's answer."""
        self._made = 0
        begun = process_time()
        action = self.bot.choose(view)
        self.seconds += process_time() - begun
        self.iterations += self._made
        self.decisions += 1
        return action


def time_level(name: str, extent: Extent) -> Level:
    """Let a level play among `steady` for a while; return how quickly it decided."""
    timed: list[Timed] = []

    def make(seated: str, rng: Random) -> Bot:
        # The one who is timed is the first of its game to be made, in whichever seat.
        if seated != name or len(timed) > number:
            return make_bot(seated, rng)
        timed.append(Timed(name, rng, extent.iterations))
        return timed[-1]

    number = 0
    while sum(bot.seconds for bot in timed) < extent.seconds and number < 2000:
        bots = (name, *(DEFAULT_BOT,) * 3)
        play_game(Series(number + 1, 4, None, 0, bots), number, make=make)
        number += 1
    seconds = sum(bot.seconds for bot in timed)
    decisions = sum(bot.decisions for bot in timed)
    iterations = sum(bot.iterations for bot in timed)
    return Level(
        round(seconds / decisions * 1000, 3),
        round(iterations / seconds) if timed[0].most is not None else None,
    )
