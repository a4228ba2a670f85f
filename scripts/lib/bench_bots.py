"""Measures the speed of decisions for each level of bots.

Times are measured on one core. A bot plays whole games against `steady`, and only its own decisions
are timed. It thinks for as many iterations as its level has. `driflamme arena` measures strength.
"""

from collections.abc import Iterator, Sequence
from random import Random
from time import process_time
from typing import Final

from engine.actions import Action
from engine.arena.contest import Series, play_game
from engine.bots import BOTS, DEFAULT_BOT, Bot, SearchingBot, bot_class, make_bot
from engine.events import Event
from engine.views import View
from scripts.lib.figures import Figure

FULL: Final = 4.0, None
"""Seconds of thinking after which a level begins no new game, and the maximum number of iterations.
None stands for the level's own number.
"""

SHORT: Final = 0.001, 3


def measure(short: bool) -> list[Figure]:
    """Return the speed of each level."""
    seconds, iterations = SHORT if short else FULL
    return [figure for name in BOTS for figure in time_level(name, seconds, iterations)]


class Timed(Bot):
    """A bot that counts and times the decisions and iterations of another bot."""

    def __init__(self, name: str, rng: Random, iterations: int | None) -> None:
        super().__init__(rng)
        kind = bot_class(name)
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

    def observe(self, events: Sequence[Event]) -> None:
        """Pass the events on to the bot."""
        self.bot.observe(events)

    def choose(self, view: View) -> Action:
        """Return the bot's answer, and measure its seconds and iterations."""
        self._made = 0
        begun = process_time()
        action = self.bot.choose(view)
        self.seconds += process_time() - begun
        self.iterations += self._made
        self.decisions += 1
        return action


def time_level(name: str, most_s: float, iterations: int | None) -> Iterator[Figure]:
    """Let a level play against `steady` for `most_s` seconds; yield the speed of its decisions.

    For a bot that searches, also yield its iterations per second.
    """
    timed: list[Timed] = []

    def make(seated: str, rng: Random) -> Bot:
        # Time only one bot of this name in each game: if the level is `steady`, so are the others.
        if seated != name or len(timed) > number:
            return make_bot(seated, rng)
        timed.append(Timed(name, rng, iterations))
        return timed[-1]

    number = 0
    while sum(bot.seconds for bot in timed) < most_s and number < 2000:
        bots = (name, *(DEFAULT_BOT,) * 3)
        play_game(Series(number + 1, 4, None, 0, bots), number, make=make)
        number += 1
    seconds = sum(bot.seconds for bot in timed)
    decisions = sum(bot.decisions for bot in timed)
    yield Figure(f"decision_of_{name}", round(seconds / decisions * 1000, 3), "ms")
    if timed[0].most is not None:
        made = sum(bot.iterations for bot in timed)
        yield Figure(f"search_of_{name}", round(made / seconds), "iterations/s")
