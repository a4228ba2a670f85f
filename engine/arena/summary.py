"""Computes the summary of a contest: shares of victories with intervals, and ratings.

The same deals give the same summary in any order.
"""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any, Final

from engine.arena.contest import Contest, DealResult, PlayedGame
from engine.arena.rating import Rating, ratings_of
from engine.arena.results import describe, heading
from engine.cards import Seat

NORMAL_95: Final = 1.959963984540054
"""Number of standard deviations on each side of a normal mean that cover 95 %."""

SAME: Final = 1e-9
"""A sum of squared differences of wins counts as a rounding error if it is below this value times
the number of seats.
"""


@dataclass(frozen=True, slots=True)
class BotScore:
    """The score of one bot over all its seats."""

    bot: str
    seats: int
    """Number of seats that the bot had, over all games. Several seats in one game count
    separately.
    """
    wins: float
    """Sum of the bot's shares of victories."""
    par: float
    """The share of victories that each seat would have if all bots were equally strong."""
    worth: float
    """Number of independent seats that would give the same uncertainty (see
    `independent_seats`).
    """

    @property
    def share(self) -> float:
        """Victories divided by the number of seats."""
        return self.wins / self.seats

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share that the bot would have after endlessly many games."""
        return wilson_interval(self.share * self.worth, self.worth)


class BotTally:
    """Sums of games. All games of one deal count as one random draw."""

    def __init__(self) -> None:
        self.games = 0
        self.decisions = 0
        """Number of decisions with two or more legal answers, of all bots together."""
        self._deals = defaultdict[str, dict[Hashable, tuple[int, float]]](dict)
        """Seats and wins of each bot in each deal."""
        self._par = defaultdict[str, float](float)

    def add(self, played: PlayedGame) -> None:
        """Add a game that is the only game of its deal."""
        self.count(played.bots, played.winners, len(played.actions), played.number)

    def count(
        self, bots: Sequence[str], winners: Sequence[Seat], decisions: int, deal: Hashable
    ) -> None:
        """Add a game. `deal` is the key of its deal: games of one deal belong together."""
        self.games += 1
        self.decisions += decisions
        for seat, bot in enumerate(bots):
            won = 1 / len(winners) if seat in winners else 0.0
            seats, wins = self._deals[bot].get(deal, (0, 0.0))
            self._deals[bot][deal] = (seats + 1, wins + won)
            self._par[bot] += 1 / len(bots)

    def scores(self) -> list[BotScore]:
        """Return the score of each bot, best first."""
        found = []
        for bot, its_deals in self._deals.items():
            deals = list(its_deals.values())
            seats, wins = sum(seats for seats, _ in deals), sum(wins for _, wins in deals)
            par = self._par[bot] / seats
            found.append(BotScore(bot, seats, wins, par, independent_seats(deals)))
        return sorted(found, key=lambda score: (-score.share, score.bot))


def independent_seats(deals: Sequence[tuple[int, float]]) -> float:
    """Return the number of independent seats with the same uncertainty as these deals.

    A deal is a pair: the number of seats and the wins. It counts as one random draw. The variance
    of a ratio over such clusters (Cochran 1977, 6.3) measures how much the share of wins varies
    between deals. For few deals, Student's quantile replaces the normal one. If nothing varies, or
    if there is only one deal, a deal counts as one seat.
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
    """Return the bound of the middle 95 % of Student's distribution.

    The result is exact to 3 % from 2 degrees of freedom on. It consists of the first terms of the
    expansion about the normal distribution (Abramowitz and Stegun 1964, 26.7.5).
    """
    z = NORMAL_95
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / degrees + second / degrees**2 + third / degrees**3


def wilson_interval(wins: float, seats: float) -> tuple[float, float]:
    """Return the Wilson score interval, at 95 %, of a share of victories (Wilson 1927).

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
    """The measured strength of a bot at tables of one size with one edition."""

    bot: str
    against: str
    """The names of the bot's opponents, joined by commas."""
    players: int
    edition: int
    games: int
    share: float
    """Victories divided by the number of seats; a shared victory counts in parts."""
    low: float
    """The lower bound of the share's 95 % interval."""
    high: float
    """The upper bound of the share's 95 % interval."""
    par: float
    """The share if all bots were equally strong."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The results of all finished deals of a contest."""

    contest: Contest
    deals: int
    """Number of finished deals."""
    games: int
    decisions: int
    strengths: tuple[Strength, ...]
    """The strength of each bot: in the contest's order of pairs, or best first without pairs."""
    ratings: tuple[Rating[str], ...]
    """The ratings of the bots, best first."""

    @property
    def complete(self) -> bool:
        """True if every deal of the contest is finished."""
        return self.deals == sum(1 for _ in self.contest.jobs())

    def as_json(self) -> dict[str, Any]:
        """Return the summary as data for JSON, rounded to four decimals."""
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
    """Return the summary of finished deals of a contest; deals of other contests are ignored."""
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
    """Return the strength of each bot. Of a pair, return only the bot that had one seat."""
    tallies = defaultdict[tuple[int, int, tuple[str, ...]], BotTally](BotTally)
    for result in results:
        job = result.job
        tally = tallies[job.players, job.edition, job.bots if contest.pairs else contest.bots]
        for game in result.games:
            # Deals with equal numbers have equal cards in every line-up.
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
