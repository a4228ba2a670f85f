"""Past games as the command line and the screens need them: added up, and as plain data.

Knows neither Textual nor the network; what it is given is an open `History`.
"""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct, field, to_builtins
from msgspec.structs import asdict

from engine.statistics import Statistics
from netcode.storage.history import Filter, History
from netcode.table.finished_game import EXITS, PastGame


class Wanted(Struct):
    """Which games one looks at: both screens have the same one, and change it."""

    games: Filter = field(default_factory=Filter)

    @property
    def all(self) -> bool:
        """Whether there is no game that is not wanted."""
        return self.games == Filter()


class OwnGames(Struct, frozen=True):
    """The games that this user has finished, in short."""

    finished: int = 0
    won: int = 0
    last: PastGame | None = None
    """The latest of them."""


def own_games(games: Iterable[PastGame]) -> OwnGames:
    """Count the games that this user finished and won; `games` begins with the latest."""
    finished = [game for game in games if game.own and game.outcome == "finished"]
    won = sum(any(game.players[seat].place == 1 for seat in game.own) for game in finished)
    return OwnGames(len(finished), won, finished[0] if finished else None)


def statistics_of(
    history: History, wanted: Filter, stopped: Callable[[], bool] = lambda: False
) -> Statistics:
    """Add up this user's games, from the first to the last; raises StoreError.

    Args:
        history: Where they are.
        wanted: Which of them. Games that were only watched count in no case.
        stopped: Asked before each game; once it says so, what has been added up is returned.
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
            # A RecordError or a StoreError, or the row says a seat that the record does not have.
            statistics.unreadable += 1
    return statistics


def fields_of(game: PastGame) -> dict[str, Any]:
    """Return what a list tells of a game as plain data, for JSON."""
    fields: dict[str, Any] = to_builtins(game)
    families = [player.family for player in game.players]
    fields["players"] = [
        asdict(player) | {"former": [asdict(holder) for holder in player.former]}
        for player in game.players
    ]
    return {"game": fields.pop("id"), **fields, "own": [families[seat] for seat in game.own]}
