"""What a contest has shown: shares of wins with their intervals, and ratings.

The same deals give the same summary, in whatever order they were finished.
"""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any, Final

from engine.arena.contest import Contest, DealResult, Played
from engine.arena.rating import Rating, ratings_of
from engine.arena.results import describe, heading
from engine.cards import Seat

NORMAL_95: Final = 1.959963984540054
"""How many standard deviations either side of a normal mean 95 % lie within."""

SAME: Final = 1e-9
"""The squared difference of wins, for each seat, below which it comes from rounding."""


@dataclass(frozen=True, slots=True)
class BotScore:
    """How one bot did in a series, all its seats taken together."""

    bot: str
    seats: int
    """How many times it sat down; more than once in a game if it was named so often."""
    wins: float
    """A victory shared by so many seats counts as that part of one for each of them."""
    par: float
    """The share of wins that falls to each seat if all play equally well."""
    worth: float
    """How many seats, if each had won or lost alone, would leave as much to chance."""

    @property
    def share(self) -> float:
        """Wins for each time that it sat down."""
        return self.wins / self.seats

    @property
    def interval(self) -> tuple[float, float]:
        """The share between which bounds the bot's true strength lies, 95 times in 100."""
        return wilson_interval(self.share * self.worth, self.worth)


class BotTally:
    """Adds up games as they are finished; what was played with one deal belongs together."""

    def __init__(self) -> None:
        self.games = 0
        self.decisions = 0
        """How many times a bot had two answers or more."""
        self._deals = defaultdict[str, dict[Hashable, tuple[int, float]]](dict)
        """By bot and deal, its seats and its wins."""
        self._par = defaultdict[str, float](float)

    def add(self, played: Played) -> None:
        """Count one more game, the only one of its deal."""
        self.count(played.bots, played.winners, len(played.actions), played.number)

    def count(
        self, bots: Sequence[str], winners: Sequence[Seat], decisions: int, deal: Hashable
    ) -> None:
        """Count one more game, by who sat where, the seats that won, and what says its deal."""
        self.games += 1
        self.decisions += decisions
        for seat, bot in enumerate(bots):
            won = 1 / len(winners) if seat in winners else 0.0
            seats, wins = self._deals[bot].get(deal, (0, 0.0))
            self._deals[bot][deal] = (seats + 1, wins + won)
            self._par[bot] += 1 / len(bots)

    def scores(self) -> list[BotScore]:
        """Return how each bot did, the best first."""
        found = []
        for bot, its_deals in self._deals.items():
            deals = list(its_deals.values())
            seats, wins = sum(seats for seats, _ in deals), sum(wins for _, wins in deals)
            par = self._par[bot] / seats
            found.append(BotScore(bot, seats, wins, par, independent_seats(deals)))
        return sorted(found, key=lambda score: (-score.share, score.bot))


def independent_seats(deals: Sequence[tuple[int, float]]) -> float:
    """Return how many seats that win or lose alone would leave as much to chance as these deals.

    A deal is its seats and its wins, and counts as one draw: the variance of a ratio over such
    clusters (Cochran 1977, 6.3) says how much the share of wins moves from deal to deal, and for
    few deals Student's quantile stands for the normal one. Where nothing moves, a deal is worth one
    seat.
    """
    count = len(deals)
    seats = sum(seats for seats, _ in deals)
    share = sum(wins for _, wins in deals) / seats
    squares = sum((wins - share * seats) ** 2 for seats, wins in deals)
    if count < 2 or squares < SAME * seats:
        return count
    variance = squares * count / (count - 1) / seats**2
    return share * (1 - share) / variance * (NORMAL_95 / student_95(count - 1)) ** 2


def student_95(degrees: int) -> float:
    """Return the bound of the middle 95 % of Student's distribution; from 2 degrees on to 3 %.

    The first terms of its expansion about the normal one (Abramowitz and Stegun 1964, 26.7.5).
    """
    z = NORMAL_95
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / degrees + second / degrees**2 + third / degrees**3


def wilson_interval(wins: float, seats: float) -> tuple[float, float]:
    """Return the Wilson score interval, at 95 %, of a share of wins (Wilson 1927).

    >>> [round(bound, 3) for bound in wilson_interval(wins=19, seats=20)]
    [0.764, 0.991]
    """
    share = wins / seats
    squared = NORMAL_95**2 / seats
    middle = (share + squared / 2) / (1 + squared)
    reach = sqrt(share * (1 - share) * squared + squared**2 / 4) / (1 + squared)
    return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True, slots=True)
class Strength:
    """How a bot did at tables of one size, by the rules of one edition."""

    bot: str
    against: str
    """The names of those who else sat there, joined by commas."""
    players: int
    edition: int
    games: int
    share: float
    """Wins for each time that it sat down; a shared victory counts in parts."""
    low: float
    """The lower bound of the share's 95 % interval."""
    high: float
    """The upper bound of the share's 95 % interval."""
    par: float
    """The share if all played equally well."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Everything that the finished deals of a contest say."""

    contest: Contest
    deals: int
    """How many deals are finished."""
    games: int
    decisions: int
    strengths: tuple[Strength, ...]
    """How strong each bot is, pair by pair as the contest has them; if all met, the best first."""
    ratings: tuple[Rating[str], ...]
    """The ratings of the bots, the best first."""

    @property
    def complete(self) -> bool:
        """Whether every deal of the contest is finished."""
        return self.deals == sum(1 for _ in self.contest.jobs())

    def as_json(self) -> dict[str, Any]:
        """Return it in JSON's types, with figures to four places."""
        return {
            **heading(describe(self.contest)),
            "games": self.games,
            "deals": self.deals,
            "decisions": self.decisions,
            "complete": self.complete,
            "strength": [_rounded(asdict(strength)) for strength in self.strengths],
            "ratings": [
                _rounded({"bot": each.player, "mu": each.mu, "sigma": each.sigma})
                for each in self.ratings
            ],
        }


def summarize(contest: Contest, finished: Sequence[DealResult]) -> Summary:
    """Return what finished deals of a contest say."""
    by_job = {result.job: result for result in finished}
    results = [by_job[job] for job in contest.jobs() if job in by_job]
    games = [game for result in results for game in result.games]
    return Summary(
        contest,
        len(results),
        len(games),
        sum(game.decisions for game in games),
        tuple(_strengths(contest, results)),
        tuple(ratings_of((game.seats, game.places) for game in games)),
    )


def _strengths(contest: Contest, results: Sequence[DealResult]) -> list[Strength]:
    """Return how each bot did; of a pair, only how the one who was alone did."""
    tallies = defaultdict[tuple[int, int, tuple[str, ...]], BotTally](BotTally)
    for result in results:
        job = result.job
        tally = tallies[job.players, job.edition, job.bots if contest.pairs else contest.bots]
        for game in result.games:
            # A deal of one number has the same cards in every line-up.
            tally.count(game.seats, game.winners, game.decisions, job.deal)
    found = []
    for (players, edition, bots), tally in tallies.items():
        for score in tally.scores():
            if not contest.pairs or score.bot == bots[0]:
                others = ",".join(bot for bot in dict.fromkeys(bots) if bot != score.bot)
                kind = score.bot, others, players, edition, tally.games
                found.append(Strength(*kind, score.share, *score.interval, score.par))
    return found


def _rounded(value: dict[str, Any]) -> dict[str, Any]:
    return {name: round(v, 4) if isinstance(v, float) else v for name, v in value.items()}
