"""How fast the rules play: random 5-player games, copies and views.

Decisions count only where there are two legal answers or more, and all of them are listed each
time. Events are off. Every figure is the median of several repeats, on one core.
"""

import gc
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from statistics import median
from time import perf_counter
from typing import Final

from engine.cards import FAMILIES
from engine.game import Deal, Game
from engine.view import view
from scripts.lib.figures import Figure


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is measured."""

    repeats: int
    games: int
    """Played in each repeat."""
    calls: int
    """Of what takes microseconds, in each repeat."""


FULL: Final = Extent(repeats=9, games=1500, calls=20_000)
SHORT: Final = Extent(repeats=1, games=5, calls=50)

STACKS: Final = 12
"""In the Queue of the position that is copied and viewed."""


def measure(short: bool) -> list[Figure]:
    """Return decisions and games played in a second, microseconds for a copy and for a view."""
    extent = SHORT if short else FULL
    gc.disable()
    try:
        runs = [play_games(Random(repeat), extent.games) for repeat in range(extent.repeats)]
        position = crowded_position()
        copying = [time_calls(position.copy, extent.calls) for _ in range(extent.repeats)]
        viewing = [
            time_calls(lambda: view(position, 0), extent.calls) for _ in range(extent.repeats)
        ]
    finally:
        gc.enable()
    decisions_per_s = median(decisions / seconds for decisions, seconds in runs)
    games_per_s = median(extent.games / seconds for _, seconds in runs)
    return [
        Figure("decisions", round(decisions_per_s), "decisions/s"),
        Figure("games", round(games_per_s, 1), "games/s"),
        Figure("copy", round(median(copying) * 1e6, 3), "us"),
        Figure("view", round(median(viewing) * 1e6, 3), "us"),
    ]


def play_games(rng: Random, games: int) -> tuple[int, float]:
    """Play random games to the end; return how many decisions that took, and seconds."""
    deals = [Deal.shuffled(rng, FAMILIES) for _ in range(games)]
    random = rng.random
    decisions = 0
    start = perf_counter()
    for deal in deals:
        game = Game.start(deal)
        advance = game.advance
        while legal := game.legal:
            advance(legal[int(random() * len(legal))])
            decisions += 1
    return decisions, perf_counter() - start


def crowded_position() -> Game:
    """Return a position of a random 5-player game with `STACKS` stacks."""
    rng = Random(0)
    while True:
        game = Game.start(Deal.shuffled(rng, FAMILIES))
        while not game.over:
            if len(game.queue) == STACKS and game.round > 3:
                return game
            game.advance(rng.choice(game.legal))


def time_calls(call: Callable[[], object], calls: int) -> float:
    """Return the seconds that one call takes, of so many."""
    start = perf_counter()
    for _ in range(calls):
        call()
    return (perf_counter() - start) / calls
