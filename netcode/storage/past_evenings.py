"""What past games say of those who played them together: evenings, ratings, who beat whom."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from engine.arena.rating import Rating, ratings_of
from netcode.protocol.evening import Evening
from netcode.table.finished_game import PastGame

PAUSE_S: Final = 4 * 3600
"""Longest time from the end of a game to the beginning of the next of the same evening."""

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


def evenings_of(games: Iterable[PastGame]) -> list[PastEvening]:
    """Return the evenings of games, the latest first.

    A game belongs to an evening of which it has at least two players, of whom one is a person, if
    it began soon enough after the game before. What was abandoned or has no date or no names does
    not count.
    """
    found: list[PastEvening] = []
    for game in sorted(filter(_counts, games), key=lambda game: game.ended or 0):
        results = results_of(game)
        names = {name for name, _influence, _place in results}
        persons = {player.name for player in game.players if player.bot is None}
        at = game.ended or 0
        for index, last in enumerate(found[::-1], 1):
            there = {each.name for each in last.evening.standings}
            soon = (game.began or at) - last.ended <= PAUSE_S
            if soon and len(there & names) > 1 and there & persons:
                evening = last.evening.after(results)
                found[-index] = PastEvening(last.began, at, (*last.games, game.id), evening)
                break
        else:
            found.append(PastEvening(at, at, (game.id,), Evening().after(results)))
    return sorted(found, key=lambda each: -each.ended)


def results_of(game: PastGame) -> list[tuple[str, int, int]]:
    """Return the name, the influence of all their seats, and the place of each player."""
    results: dict[str, tuple[str, int, int]] = {}
    for player in game.players:
        _name, before, _place = results.get(player.name, (player.name, 0, 0))
        results[player.name] = player.name, before + player.score, player.place or 0
    return list(results.values())


def history_ratings(games: Iterable[PastGame]) -> list[Rating[tuple[str, bool]]]:
    """Rate people by their names and bots by their level, together, the best first.

    Each player is such a name, and whether it is a bot's.
    """
    return ratings_of(_seats_and_places(games), drift=DRIFT)


def head_to_head(games: Iterable[PastGame]) -> dict[tuple[str, str], int]:
    """Return in how many games a person came in before another: by both names."""
    before: dict[tuple[str, str], int] = defaultdict(int)
    for game in filter(_counts, games):
        persons = {player.name: player.place or 0 for player in game.players if player.bot is None}
        for name, place in persons.items():
            for other, others in persons.items():
                before[name, other] += place < others
    return dict(before)


def _seats_and_places(
    games: Iterable[PastGame],
) -> Iterator[tuple[list[tuple[str, bool]], list[int]]]:
    for game in sorted(filter(_counts, games), key=lambda game: game.ended or 0):
        seats = [(player.bot or player.name, player.bot is not None) for player in game.players]
        yield seats, [player.place or 0 for player in game.players]


def _counts(game: PastGame) -> bool:
    return (
        game.outcome == "finished"
        and bool(game.ended)
        and len(game.players) > 1
        and all(each.name and each.place for each in game.players)
    )
