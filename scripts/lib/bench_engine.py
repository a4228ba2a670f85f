"""Measures the rules: random 5-player games, copies, views, and a search of `master`.

Only decisions with two or more legal answers count, and all answers are listed each time. No events
are made. Every figure is the median of several repeats on one core. With mypyc and a C compiler,
everything is measured again with the compiled engine.
"""

import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Final

from engine.cards import FAMILIES
from engine.game import Deal, Game
from engine.views import view
from scripts.lib import bench_bots
from scripts.lib.figures import Figure, medians

ROOT: Final = Path(__file__).resolve().parents[2]


FULL: Final = 9, 1500, 20_000
"""Number of repeats, of games in each repeat, and of calls that take microseconds."""

SHORT: Final = 1, 5, 50

STACKS: Final = 12
"""Number of stacks in the Queue of the position that is copied and viewed."""

SEARCHER: Final = "master"
"""The level whose search is measured."""

AGAIN: Final = """
import json
from scripts.lib.bench_engine import measure_here
print(json.dumps(measure_here(False)))
"""
"""The program that measures an engine in another folder."""


def measure(short: bool) -> list[Figure]:
    """Return the figures of this engine and, unless short, of the compiled one."""
    plain = measure_here(short)
    compiled = [] if short else measure_compiled(ROOT / "build" / "compiled")
    figures = plain + [each._replace(name=f"{each.name}_compiled") for each in compiled]
    searched = [each.value for each in plain + compiled if each.name == f"search_of_{SEARCHER}"]
    if compiled:
        figures.append(Figure("search_ratio_compiled", round(searched[1] / searched[0], 2)))
    return figures


def measure_compiled(folder: Path) -> list[Figure]:
    """Return the figures of the engine compiled into a folder; [] if it cannot be compiled."""
    made = subprocess.run(
        [sys.executable, ROOT / "scripts" / "lib" / "compiled.py", folder], capture_output=True
    )
    if made.returncode:
        return []
    path = os.pathsep.join([str(folder), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-c", AGAIN],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        check=True,
        stdout=subprocess.PIPE,
    )
    return [Figure(*each) for each in json.loads(done.stdout)]


def measure_here(short: bool) -> list[Figure]:
    """Return decisions and games per second, and microseconds for a copy and for a view."""
    repeats, games, calls = SHORT if short else FULL
    position = crowded_position()

    def once(repeat: int) -> Iterator[Figure]:
        decisions, seconds = play_games(Random(repeat), games)
        yield Figure("decisions", decisions / seconds, "decisions/s")
        yield Figure("games", games / seconds, "games/s")
        yield Figure("copy", 1e6 * time_calls(position.copy, calls), "us")
        yield Figure("view", 1e6 * time_calls(lambda: view(position, 0), calls), "us")

    gc.disable()
    try:
        figures = medians(each for repeat in range(repeats) for each in once(repeat))
    finally:
        gc.enable()
    extent = bench_bots.SHORT if short else bench_bots.FULL
    return [*figures, *bench_bots.time_level(SEARCHER, *extent)]


def play_games(rng: Random, games: int) -> tuple[int, float]:
    """Play random games to the end; return the number of decisions, and seconds."""
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
    """Return the average seconds of one call over `calls` calls."""
    start = perf_counter()
    for _ in range(calls):
        call()
    return (perf_counter() - start) / calls
