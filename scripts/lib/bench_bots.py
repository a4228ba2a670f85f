"""How quickly each level of bots decides, and how strong it is against the one below.

Times are those of one core: a bot plays whole games among `steady`, and only its own decisions
are timed. Each thinks for as many iterations as its level makes by itself. The strength is from a
small arena, on all cores; its intervals say how small.
The whole table of `engine/bots/README.md` is made by `driflamme arena`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from time import process_time
from typing import Final

from engine.actions import Action
from engine.arena.contest import Contest
from engine.arena.pool import play_in_pool
from engine.arena.summary import summarize
from engine.bots import BOTS, DEFAULT_BOT, Bot, SearchingBot, make_bot
from engine.simulate import Series, play_game
from engine.view import View
from netcode.workers.worker_pool import cores
from scripts.lib.figures import Figure


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is measured."""

    seconds: float
    """Of thinking after which a level begins no other game."""
    iterations: int | None
    """That a level makes at most; None for as many as it makes by itself."""
    pairs: tuple[tuple[str, str, int], ...]
    """Who is alone among whom, in how many games of four."""


FULL: Final = Extent(
    seconds=4.0,
    iterations=None,
    # What two cores play in a minute or so.
    pairs=(
        ("steady", "random", 200),
        ("sharp", "steady", 160),
        ("master", "steady", 80),
        ("master", "sharp", 60),
    ),
)
SHORT: Final = Extent(seconds=0.001, iterations=3, pairs=(("steady", "random", 4),))


def measure(short: bool) -> list[Figure]:
    """Return how quick and, roughly, how strong the levels are."""
    extent = SHORT if short else FULL
    figures = []
    for name in BOTS:
        level = time_level(name, extent)
        figures.append(Figure(f"decision_of_{name}", level.ms_per_decision, "ms"))
        if level.iterations_per_s is not None:
            figures.append(Figure(f"search_of_{name}", level.iterations_per_s, "iterations/s"))
    for bot, other, games in extent.pairs:
        figures += small_arena(bot, other, games)
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


def small_arena(bot: str, other: str, games: int) -> Iterator[Figure]:
    """Yield what a few games of a pair say."""
    contest = Contest((other, bot), games, pairs=((bot, other),))
    results = list(play_in_pool(list(contest.jobs()), cores()))
    for each in summarize(contest, results).strengths:
        wins = f"wins_of_{each.bot}_among_{each.against}"
        yield Figure(wins, round(100 * each.share, 1), "%")
        yield Figure(f"{wins}_from", round(100 * each.low, 1), "%")
        yield Figure(f"{wins}_to", round(100 * each.high, 1), "%")
