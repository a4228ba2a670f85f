"""How fast the rules play: random 5-player games, copies and views.

Decisions count only where there are two legal answers or more, and all of them are listed each
time. Events are off. Every figure is the median of several repeats, on one core.
"""

import gc
import json as json_format
from collections.abc import Callable
from random import Random
from statistics import median
from time import perf_counter

from engine.cards import FAMILIES
from engine.game import Deal, Game
from engine.view import view

REPEATS = 9
GAMES = 1500
"""Played in each repeat."""

CALLS = 20_000
"""Of what takes microseconds, in each repeat."""

STACKS = 12
"""In the Queue of the position that is copied and viewed."""


def main(json: bool) -> int:
    """Measure and print; with `json`, as one object."""
    figures = measure()
    if json:
        print(json_format.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:16} {value:>12,.3f}" if value < 1000 else f"{name:16} {value:>12,.0f}")
    return 0


def measure() -> dict[str, float]:
    """Return decisions and games played in a second, microseconds for a copy and for a view."""
    gc.disable()
    try:
        runs = [play_games(Random(repeat)) for repeat in range(REPEATS)]
        position = crowded_position()
        copy_seconds = median(time_calls(position.copy) for _ in range(REPEATS))
        view_seconds = median(time_calls(lambda: view(position, 0)) for _ in range(REPEATS))
    finally:
        gc.enable()
    return {
        "decisions_per_s": round(median(decisions / seconds for decisions, seconds in runs)),
        "games_per_s": round(median(GAMES / seconds for _, seconds in runs), 1),
        "copy_us": round(copy_seconds * 1e6, 3),
        "view_us": round(view_seconds * 1e6, 3),
    }


def play_games(rng: Random) -> tuple[int, float]:
    """Play random games to the end; return how many decisions that took, and seconds."""
    deals = [Deal.shuffled(rng, FAMILIES) for _ in range(GAMES)]
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


def time_calls(call: Callable[[], object]) -> float:
    """Return the seconds that one call takes."""
    start = perf_counter()
    for _ in range(CALLS):
        call()
    return (perf_counter() - start) / CALLS
