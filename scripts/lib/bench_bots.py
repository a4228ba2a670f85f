"""How quickly each level of bots decides, and how strong it is against the one below.

Times are those of one core: a bot plays whole games among `steady`, and only its own decisions
are timed. Each thinks for as many iterations as its level makes by itself. The strength is from a
small arena, on all cores; its intervals say how small.

`--full` plays the table of `engine/bots/README.md` instead, and prints it: every level alone among
those of the level below, and the best among the usual opponent, at tables of every size, by the
rules of both editions. That takes hours; with `--resume` it can be stopped and gone on with.
"""

import argparse
import json as json_format
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, Final

import typer

from driflamme_tui.cli.commands.arena_command import meet
from engine.actions import Action
from engine.arena.contest import Contest, DealResult
from engine.arena.summary import Strength, Summary, summarize
from engine.bots import BOTS, DEFAULT_BOT, Bot, SearchingBot, make_bot
from engine.simulate import Series, play_game
from engine.view import View
from netcode.workers.worker_pool import cores
from scripts.lib.figures import Figure, print_figures


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

FULL_GAMES: Final = 400
"""Of each pair, at tables of each size, by the rules of each edition."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what only this benchmark can be told."""
    parser.add_argument("--full", action="store_true", help="make the whole table, in hours")
    parser.add_argument("--games", type=int, default=FULL_GAMES, help="of each pair, with --full")
    parser.add_argument("--workers", type=int, default=cores(), help="processes")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="keep what --full has finished")


def main(json: bool, short: bool, full: bool, games: int, workers: int, resume: Path | None) -> int:
    """Measure and print; with `json`, as one object."""
    if games < 1 or workers < 1:
        print("scripts/bench bots: --games and --workers are 1 or more.", file=sys.stderr)
        return 2
    try:
        if full:
            return print_full(json, games, workers, resume)
        print_figures("bots", measure(short, workers), json)
    except typer.Exit as refused:
        return refused.exit_code
    return 0


def measure(short: bool, workers: int) -> list[Figure]:
    """Return how quick and, roughly, how strong the levels are."""
    extent = SHORT if short else FULL
    figures = []
    for name in BOTS:
        level = time_level(name, extent)
        figures.append(Figure(f"decision_of_{name}", level.ms_per_decision, "ms"))
        if level.iterations_per_s is not None:
            figures.append(Figure(f"search_of_{name}", level.iterations_per_s, "iterations/s"))
    for bot, other, games in extent.pairs:
        for each in small_arena(bot, other, games, workers).strengths:
            wins = f"wins_of_{each.bot}_among_{each.against}"
            figures.append(Figure(wins, round(100 * each.share, 1), "%"))
            figures.append(Figure(f"{wins}_from", round(100 * each.low, 1), "%"))
            figures.append(Figure(f"{wins}_to", round(100 * each.high, 1), "%"))
    return figures


def print_full(json: bool, games: int, workers: int, resume: Path | None) -> int:
    """Print the table of the README, or as much of it as there is when it is stopped."""
    contest = full_contest(games)
    finished: list[DealResult] = []
    try:
        meet(contest, finished, workers, None, resume)
        stopped = False
    except KeyboardInterrupt:
        stopped = True
    summary = summarize(contest, finished)
    if json:
        print(json_format.dumps({"strength": as_figures(summary.strengths)}))
    else:
        print("\n".join(markdown(summary.strengths)))
    return 130 if stopped else 0


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


def small_arena(bot: str, other: str, games: int, workers: int) -> Summary:
    """Return what a few games of a pair say."""
    contest = Contest((other, bot), games, pairs=((bot, other),))
    finished: list[DealResult] = []
    meet(contest, finished, workers, None, None)
    return summarize(contest, finished)


def full_contest(games: int) -> Contest:
    """Return the contest behind the table of the README."""
    levels = list(BOTS)
    pairs = [(better, worse) for worse, better in pairwise(levels)]
    if (levels[-1], DEFAULT_BOT) not in pairs:
        pairs.append((levels[-1], DEFAULT_BOT))
    return Contest(tuple(levels), games, (3, 4, 5), (1, 2), pairs=tuple(pairs))


def as_figures(strengths: Sequence[Strength]) -> list[dict[str, Any]]:
    """Return strengths in JSON's types, to four places."""
    return [
        {name: round(value, 4) if isinstance(value, float) else value for name, value in each}
        for each in (asdict(strength).items() for strength in strengths)
    ]


def markdown(strengths: Sequence[Strength]) -> list[str]:
    """Return the lines of the table: a row for a pair at tables of one size."""
    lines = [
        "| alone | among | players | par | first edition | second edition | games each |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    rows: dict[tuple[str, str, int], dict[int, Strength]] = {}
    for each in strengths:
        rows.setdefault((each.bot, each.against, each.players), {})[each.edition] = each
    order = list(dict.fromkeys((bot, against) for bot, against, _ in rows))
    for (bot, against, players), found in sorted(
        rows.items(), key=lambda row: (order.index(row[0][:2]), row[0][2])
    ):
        shares = [in_words(found.get(edition)) for edition in (1, 2)]
        games = min(each.games for each in found.values())
        cells = [f"`{bot}`", f"`{against}`", str(players), f"{100 / players:.1f} %", *shares]
        lines.append(f"| {' | '.join([*cells, str(games)])} |")
    return lines


def in_words(strength: Strength | None) -> str:
    """Return a share with its interval; nothing for what was not played yet."""
    if strength is None:
        return ""
    return f"{strength.share:.1%} ({strength.low * 100:.1f} to {strength.high * 100:.1f})".replace(
        "%", " %"
    )
