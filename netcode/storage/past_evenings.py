"""What past games say of those who played them together: evenings and ratings."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from engine.arena.rating import Rating, ratings_of
from netcode.protocol.evening import BestOf, Evening, SeatResult
from netcode.table.finished_game import PastGame

PAUSE_S: Final = 4 * 3600
"""Longest time from the end of a game to the beginning of the next of the same evening."""

MOST_AT_ONCE: Final = 50
"""Most evenings that go on at once: a game belongs to none that began before so many others."""

DRIFT: Final = 25 / 300
"""How much people may change from game to game: openskill's own default."""


class PastEvening(Struct, frozen=True):
    """Games that the same company played one after the other."""

    began: int
    """When the first of them ended, in Unix seconds, and so the last of them."""
    ended: int
    games: tuple[int, ...]
    """Their numbers in the history."""
    evening: Evening
    """What they brought everybody."""
    best_of: BestOf
    """How many games were to decide it, as the last of them says; 0 for as many as one liked."""

    @property
    def is_decided(self) -> bool:
        """Whether who leads has won."""
        return self.evening.is_decided(self.best_of)


def evenings_of(games: Iterable[PastGame]) -> list[PastEvening]:
    """Return the evenings of games, the latest first.

    A game belongs to an evening of which it has at least two players, of whom one is a person, if
    it began soon enough after the game before, and that did not decide a best of 3, 5 or 7. What
    was abandoned or has no date or no names does not count.
    """
    found: list[PastEvening] = []
    for game in sorted(filter(counts, games), key=lambda game: game.ended or 0):
        results = [
            SeatResult(each.name, each.bot is not None, each.score, each.place or 0)
            for each in game.players
        ]
        players = {(each.name, each.is_bot) for each in results}
        persons = {each for each in players if not each[1]}
        at = game.ended or 0
        for index, last in enumerate(found[: -1 - MOST_AT_ONCE : -1], 1):
            there = {each.player for each in last.evening.standings}
            soon = (game.began or at) - last.ended <= PAUSE_S
            # As at the table itself.
            goes_on = not (last.is_decided or last.evening.is_decided(game.best_of))
            if soon and goes_on and len(there & players) > 1 and there & persons:
                numbers, evening = (*last.games, game.id), last.evening.after(results)
                found[-index] = PastEvening(last.began, at, numbers, evening, game.best_of)
                break
        else:
            evening = Evening().after(results)
            found.append(PastEvening(at, at, (game.id,), evening, game.best_of))
    return sorted(found, key=lambda each: -each.ended)


def history_ratings(games: Iterable[PastGame]) -> list[Rating[tuple[str, bool]]]:
    """Rate people by their names and bots by their level, together, the best first.

    Each player is such a name, and whether it is a bot's.
    """
    played = sorted(filter(counts, games), key=lambda game: game.ended or 0)
    return ratings_of(map(seats_and_places, played), drift=DRIFT)


def seats_and_places(game: PastGame) -> tuple[list[tuple[str, bool]], list[int]]:
    """Return who had which seat of a finished game, as `history_ratings` has it, and the places."""
    seats = [(player.bot or player.name, player.bot is not None) for player in game.players]
    return seats, [player.place or 0 for player in game.players]


def counts(game: PastGame) -> bool:
    """Whether a game came to its end, and it is known when, and who played."""
    return (
        game.outcome == "finished"
        and bool(game.ended)
        and len(game.players) > 1
        and all(each.name and each.place for each in game.players)
    )
