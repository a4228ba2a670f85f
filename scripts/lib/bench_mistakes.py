"""Measures the agreement of two reviews about the mistakes in a game.

A bot that stands for a person plays against other bots, at tables of three to five, in both
editions. Each game is judged, and then judged again with another seed and twice the time. A game
agrees if two of its three costliest decisions are the same in both.
"""

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import starmap
from time import process_time
from typing import Final, NamedTuple

from driflamme_tui.replay.judging import MISTAKES, Review, judge_all
from engine.arena.contest import Series, play_game
from engine.bots import TEACHER, bot_class
from engine.record import Record, RecordedPlayer
from engine.replaying import Replay
from netcode.workers.worker_pool import cores
from scripts.lib.figures import Figure, percentile

PERSONS: Final = ("learner", "steady", "novice", "sharp", "master")
"""The bots that stand for persons, one for each game in turn."""

OPPONENTS: Final = ("steady", "sharp")

GAMES: Final = 50

AGREEING: Final = 2
"""The number of a game whose reviews agree even after very few iterations."""

NICENESS: Final = 15


class Reviewed(NamedTuple):
    """The two reviews of a game."""

    person: str
    first: tuple[tuple[int, float], ...]
    """The costliest decisions of the first review, by step, each with its loss."""
    second: tuple[tuple[int, float], ...]
    accuracies: tuple[float, float]
    decisions: int
    seconds: float
    """Processor time of the first review."""

    @property
    def agreeing(self) -> int:
        """Number of decisions that both reviews name."""
        return len({step for step, _ in self.first} & {step for step, _ in self.second})

    @property
    def agrees(self) -> bool:
        """True if the reviews share two decisions, or all of the longer review if it has fewer."""
        return self.agreeing >= min(MISTAKES - 1, max(len(self.first), len(self.second)))


def measure(short: bool) -> list[Figure]:
    """Return the number of games that agree, and the time of a review.

    The environment variable `MISTAKES_GAMES` changes the number of games.
    """
    games = 1 if short else int(os.environ.get("MISTAKES_GAMES", GAMES))
    if short:
        reviewed = [review_twice(AGREEING, iterations=2)]
    else:
        with ProcessPoolExecutor(cores(), initializer=os.nice, initargs=(NICENESS,)) as pool:
            reviewed = list(pool.map(review_twice, range(games)))
    return list(starmap(Figure, _figures(reviewed)))


def _figures(reviewed: Sequence[Reviewed]) -> list[tuple[str, float, str]]:
    seconds = [each.seconds for each in reviewed]
    apart = [abs(one - two) for one, two in (each.accuracies for each in reviewed)]
    return [
        ("games", len(reviewed), ""),
        ("games_that_agree", sum(each.agrees for each in reviewed), ""),
        ("decisions_that_agree", sum(each.agreeing for each in reviewed) / len(reviewed), "of 3"),
        ("accuracy_apart", round(100 * sum(apart) / len(apart), 2), "points"),
        ("decisions", sum(each.decisions for each in reviewed) / len(reviewed), "per game"),
        ("review_p50", percentile(seconds, 50), "s"),
        ("review_p90", percentile(seconds, 90), "s"),
    ]


def review_twice(number: int, iterations: int | None = None) -> Reviewed:
    """Play a game, and judge the decisions of its person twice.

    `iterations` replaces the teacher's number of iterations, for the whole process.
    """
    if iterations is not None:
        bot_class(TEACHER).iterations = iterations  # type: ignore[attr-defined]
    person = PERSONS[number % len(PERSONS)]
    players = 3 + number % 3
    opponents = [OPPONENTS[(number + seat) % len(OPPONENTS)] for seat in range(players - 1)]
    series = Series(number + 1, players, 1 + number % 2, 7, (person, *opponents))
    played = play_game(series, number)
    seats = [
        RecordedPlayer(family, name, None if name == person else name)
        for family, name in zip(played.deal.families, played.bots, strict=True)
    ]
    record = Record(played.deal, tuple(map(str, played.actions)), players=tuple(seats))
    replay, seat = Replay.of(record), played.bots.index(person)
    begun = process_time()
    first = Review(replay, seat, {})
    judge_all(first)
    seconds = process_time() - begun
    second = Review(replay, seat, {}, seed=1, effort=2)
    judge_all(second)
    one, two = (tuple((e.step, round(e.lost, 4)) for e in r.costliest) for r in (first, second))
    accuracies = first.accuracy or 0.0, second.accuracy or 0.0
    return Reviewed(person, one, two, accuracies, len(first.steps), seconds)
