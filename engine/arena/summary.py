"""What a contest has shown: shares of wins with their intervals, and ratings.

The same deals give the same summary, in whatever order they were finished.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from engine.arena.contest import Contest, DealResult
from engine.arena.rating import Rating, ratings_of
from engine.arena.results import describe
from engine.simulate import BotTally


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
            **describe(self.contest),
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
    tallies: dict[tuple[int, int, tuple[str, ...]], BotTally] = {}
    for players in contest.players:
        for edition in contest.editions:
            for bots in contest.line_ups(players):
                tallies[players, edition, bots if contest.pairs else contest.bots] = BotTally()
    for result in results:
        job = result.job
        tally = tallies[job.players, job.edition, job.bots if contest.pairs else contest.bots]
        for game in result.games:
            # A deal of one number has the same cards in every line-up.
            tally.count(game.seats, game.winners, game.decisions, job.deal)
    found = []
    for (players, edition, bots), tally in tallies.items():
        for standing in tally.standings():
            if not contest.pairs or standing.bot == bots[0]:
                others = ",".join(bot for bot in dict.fromkeys(bots) if bot != standing.bot)
                kind = standing.bot, others, players, edition, tally.games
                found.append(Strength(*kind, standing.share, *standing.interval, standing.par))
    return found


def _rounded(value: dict[str, Any]) -> dict[str, Any]:
    return {name: round(v, 4) if isinstance(v, float) else v for name, v in value.items()}
