"""Adds up past games for the command line and the screens: totals, and plain data for JSON.

This module uses neither Textual nor the network, and receives an open `History`.
"""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct, field, to_builtins
from msgspec.structs import asdict

from engine.statistics import Statistics
from netcode.storage.history import Filter, History
from netcode.table.finished_game import EXITS, PastGame


class GameFilter(Struct):
    """The filter of past games that history and statistics share."""

    games: Filter = field(default_factory=Filter)

    @property
    def all(self) -> bool:
        """True if no game is filtered out."""
        return self.games == Filter()


class PlayerGames(Struct, frozen=True):
    """Totals of the stored games, and of the games that this user has finished."""

    stored: int = 0
    """Number of all stored games, as the list counts them."""
    won: int = 0
    last: PastGame | None = None
    """The latest finished game; None before the first."""


def games_of_player(games: Iterable[PastGame]) -> PlayerGames:
    """Return the totals of all games, and of the games that this user won.

    `games` begins with the latest.
    """
    games = list(games)
    finished = [game for game in games if game.own and game.outcome == "finished"]
    won = sum(any(game.players[seat].place == 1 for seat in game.own) for game in finished)
    return PlayerGames(len(games), won, finished[0] if finished else None)


def statistics_of(
    history: History, wanted: Filter, stopped: Callable[[], bool] = lambda: False
) -> Statistics:
    """Return this user's statistics.

    Args:
        history: The history of the games.
        wanted: A filter of the games. Watched games never count.
        stopped: Called before each game; once it returns True, the totals so far are returned.

    Raises:
        StoreError: The history cannot be read.
    """
    statistics = Statistics()
    for game in reversed(history.games(wanted)):
        if stopped():
            break
        if not game.own:
            continue
        if game.outcome in EXITS:
            statistics.unfinished += 1
            continue
        try:
            statistics.add(history.record(game.id), game.own, game.id)
        except ValueError:
            # The record is unreadable, or the row names a seat that the record does not have.
            statistics.unreadable += 1
    return statistics


def fields_of(game: PastGame) -> dict[str, Any]:
    """Return the fields of a listed game as plain data for JSON."""
    fields: dict[str, Any] = to_builtins(game)
    families = [player.family for player in game.players]
    fields["players"] = [
        asdict(player) | {"former": [asdict(holder) for holder in player.former]}
        for player in game.players
    ]
    return {"game": fields.pop("id"), **fields, "own": [families[seat] for seat in game.own]}
