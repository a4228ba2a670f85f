"""Computes evenings and ratings from past games."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.arena.rating import Rating, ratings_of
from netcode.protocol.evening import BestOf, Evening, SeatResult
from netcode.table.finished_game import PastGame, PastPlayer

PAUSE_S: Final = 4 * 3600
"""Maximum seconds between two games of an evening: from the end of one to the beginning of the
next.
"""

MOST_AT_ONCE: Final = 50
"""Number of latest evenings to which a game may be added."""

DRIFT: Final = 25 / 300
"""The deviation by which a person's strength may change before each game: openskill's default."""


class PastEvening(Struct, frozen=True):
    """Games that the same players played, one after another."""

    began: int
    """The Unix time at which the first game ended, since its beginning may be unknown."""
    ended: int
    games: tuple[int, ...]
    """The ids of the games in the history."""
    evening: Evening
    """The results of the games."""
    best_of: BestOf
    """The number of games that decide the evening, as set in its last game; 0 for no limit."""

    @property
    def is_decided(self) -> bool:
        """True if the leader can no longer be caught."""
        return self.evening.is_decided(self.best_of)


def evenings_of(games: Iterable[PastGame]) -> list[PastEvening]:
    """Return the evenings of games, latest first.

    A game joins an evening if the evening is not decided yet. The evening must have at least two of
    the game's players, one of them a person. The game must also begin at most `PAUSE_S` after the
    end of the evening's last game. Abandoned games, and games without date or names, belong to no
    evening.
    """
    found: list[PastEvening] = []
    for game in sorted(filter(counts, games), key=lambda game: game.ended or 0):
        results = results_of(game)
        players = {(each.name, each.is_bot) for each in results}
        persons = {each for each in players if not each[1]}
        at = game.ended or 0
        for index, last in enumerate(found[: -1 - MOST_AT_ONCE : -1], 1):
            there = {each.player for each in last.evening.standings}
            soon = (game.began or at) - last.ended <= PAUSE_S
            # Like a table, begin a new evening once the former one is decided.
            goes_on = not (last.is_decided or last.evening.is_decided(game.best_of))
            if soon and goes_on and len(there & players) > 1 and there & persons:
                numbers, evening = (*last.games, game.id), last.evening.after(results)
                found[-index] = PastEvening(last.began, at, numbers, evening, game.best_of)
                break
        else:
            evening = Evening().after(results)
            found.append(PastEvening(at, at, (game.id,), evening, game.best_of))
    return sorted(found, key=lambda each: -each.ended)


def results_of(game: PastGame) -> list[SeatResult]:
    """Return the results of a finished game by seat.

    As at a table, the last holder of a seat gets its whole result.
    """
    return [
        SeatResult(each.name, each.bot is not None, each.score, each.place or 0)
        for each in game.players
    ]


def history_ratings(games: Iterable[PastGame]) -> list[Rating[tuple[str, bool]]]:
    """Rate people by name, and bots by level, on one scale; the best comes first.

    The key of a person is the name with False, and the key of a bot is its level with True. A seat
    that changed hands counts for nobody, since several players share its result.
    """
    played = sorted(filter(counts, games), key=lambda game: game.ended or 0)
    kept = [replace(game, players=tuple(filter(_is_ones, game.players))) for game in played]
    rated = [game for game in kept if len(game.players) > 1]
    return ratings_of(map(seats_and_places, rated), drift=DRIFT)


def _is_ones(player: PastPlayer) -> bool:
    """Return True if this player had the seat for the whole game."""
    return not player.former


def seats_and_places(game: PastGame) -> tuple[list[tuple[str, bool]], list[int]]:
    """Return the players of a finished game by seat, as in `history_ratings`; then their places."""
    seats = [(player.bot or player.name, player.bot is not None) for player in game.players]
    return seats, [player.place or 0 for player in game.players]


def counts(game: PastGame) -> bool:
    """Return True if a game was finished and its time and players are known."""
    return (
        game.outcome == "finished"
        and bool(game.ended)
        and len(game.players) > 1
        and all(each.name and each.place for each in game.players)
    )
