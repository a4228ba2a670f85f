"""A contest between bots: which games are played, and what is kept of each.

A contest is cut into deals. A deal is played once in each rotation of the seats, so that luck with
cards and seats is the same for everybody, and can be played by itself, at any time and anywhere. It
is what results hold and what intervals count; a worker is given one game of it at a time.
"""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple, Protocol, TypeVar

from engine.arena.budget import NO_LIMIT, Budget
from engine.bots import Bot, make_bot
from engine.ranking import each_alone, places
from engine.simulate import Series, play_game
from engine.words import ExplainedError

FEWEST_BOTS: Final = 2
"""The fewest kinds of bots in a contest: one against itself measures nothing."""


@dataclass(frozen=True, slots=True)
class Job:
    """One deal of a contest: all that somebody must be told to play it."""

    players: int
    edition: int
    bots: tuple[str, ...]
    """The line-up, as many names as players; the deal decides in which order they sit."""
    deal: int
    """The number of the deal, from 0; the same one means the same cards in every line-up."""
    seed: int = 0
    budget: Budget = NO_LIMIT

    @property
    def series(self) -> Series:
        """The series of which this deal is a part."""
        games = (self.deal + 1) * self.players
        return Series(games, self.players, self.edition, self.seed, self.bots, same_deals=True)


@dataclass(frozen=True, slots=True)
class Rotation:
    """One game of a deal: what a process is given to play."""

    job: Job
    number: int
    """How far the seats are turned, from 0."""

    def play(self) -> "tuple[Rotation, GameResult]":
        """Play the game; raises BotFailedError if a bot gives no legal answer."""

        def make(name: str, rng: Random) -> Bot:
            return make_bot(name, rng, self.job.budget.keep_going())

        job = self.job
        played = play_game(job.series, job.deal * job.players + self.number, make=make)
        found = places(played.end, each_alone(job.players))
        result = GameResult(played.bots, found, tuple(played.end.pools), len(played.actions))
        return self, result


@dataclass(frozen=True, slots=True)
class GameResult:
    """How one game ended."""

    seats: tuple[str, ...]
    """The bot in each seat."""
    places: tuple[int, ...]
    """By seat, the place, from 1; those who share one have the same."""
    influence: tuple[int, ...]
    """By seat, the influence at the end."""
    decisions: int
    """How many times a bot had two answers or more, all seats together."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


@dataclass(frozen=True, slots=True)
class DealResult:
    """A finished deal."""

    job: Job
    games: tuple[GameResult, ...]
    """The games of the deal, one for each rotation of the seats."""


@dataclass(frozen=True, slots=True)
class Contest:
    """What is to be measured."""

    bots: tuple[str, ...]
    games: int
    """How many games each line-up plays, rounded up to whole deals."""
    players: tuple[int, ...] = (4,)
    editions: tuple[int, ...] = (2,)
    seed: int = 0
    pairs: tuple[tuple[str, str], ...] = ()
    """Who sits alone, among bots of which other kind; none means that all bots meet."""
    budget: Budget = NO_LIMIT

    def __post_init__(self) -> None:
        """Raise ValueError for what cannot be a contest."""
        if len(set(self.bots)) < FEWEST_BOTS or len(set(self.bots)) < len(self.bots):
            raise ValueError(f"a contest is between two bots or more, each named once: {self.bots}")
        if any(bot == other or not {bot, other} <= set(self.bots) for bot, other in self.pairs):
            raise ValueError(f"a pair is of two of the contest's bots: {self.pairs}")
        # What tables there can be is for the series of its deals to judge.
        for players, edition in itertools.product(self.players, self.editions):
            Series(self.games, players, edition)

    def line_ups(self, players: int) -> list[tuple[str, ...]]:
        """Return who meets at tables of that size; with pairs, the one who is alone comes first.

        Otherwise all line-ups that there are if each bot has as many seats as any other, give or
        take one.
        """
        if self.pairs:
            return [(bot, *(other,) * (players - 1)) for bot, other in self.pairs]
        everybody, over = divmod(players, len(self.bots))
        extras = itertools.combinations(self.bots, over)
        return [tuple(sorted(self.bots * everybody + extra)) for extra in extras]

    def deals(self, players: int) -> int:
        """Return how many deals each line-up of that size plays."""
        return -(-self.games // players)

    def jobs(self) -> Iterator[Job]:
        """Yield everything to be played, so that all line-ups come forward together."""
        for deal in range(max(map(self.deals, self.players))):
            for players in self.players:
                if deal < self.deals(players):
                    for edition, bots in itertools.product(self.editions, self.line_ups(players)):
                        yield Job(players, edition, bots, deal, self.seed, self.budget)

    def missing(self, finished: Iterable[DealResult] = ()) -> list[Rotation]:
        """Return the games that are to be played once some deals are finished."""
        there = {result.job for result in finished}
        to_play = (job for job in self.jobs() if job not in there)
        return [Rotation(job, number) for job in to_play for number in range(job.players)]


Result_co = TypeVar("Result_co", covariant=True)


class Work(Protocol[Result_co]):
    """What a process can be given to do: a game of a contest, or one to learn from."""

    def play(self) -> Result_co:
        """Do it; raises ExplainedError."""


class Failure(NamedTuple):
    """What is sent of an ExplainedError from one process to another."""

    template: str
    values: dict[str, str | int | ExplainedError]


def whole_deals(played: Iterable[tuple[Rotation, GameResult]]) -> Iterator[DealResult | None]:
    """Yield after each game the deal that is finished with it, or None; they come in any order."""
    pending: dict[Job, dict[int, GameResult]] = {}
    for rotation, result in played:
        games = pending.setdefault(rotation.job, {})
        games[rotation.number] = result
        deal = DealResult(rotation.job, tuple(games[number] for number in sorted(games)))
        yield deal if len(games) == rotation.job.players else None


def attempt(work: Work[Result_co]) -> Result_co | Failure:
    """Do work for another process, which is told what went wrong rather than left alone."""
    try:
        return work.play()
    except ExplainedError as error:
        return Failure(error.template, error.values)
