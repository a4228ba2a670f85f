"""Defines an evening: the results of all games at a table, added up for each player."""

from collections.abc import Iterable
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from netcode.protocol.fields import ShownName, Strict

BestOf: TypeAlias = Literal[0, 3, 5, 7]
"""Number of games that decide an evening; 0 if it has no limit."""

LENGTHS: Final[tuple[BestOf, ...]] = (3, 5, 7)
"""The possible numbers of games that decide an evening."""

MAXIMUM_STANDINGS: Final = 20
"""Maximum number of names in an evening: more than a table has players and spectators."""

_MOST: Final = 1_000_000
"""Maximum of every count."""

_Count = Annotated[int, Meta(ge=0, le=_MOST)]


class SeatResult(NamedTuple):
    """The result of one seat in one game, for the last holder of the seat."""

    name: str
    is_bot: bool
    influence: int
    place: int
    """The place, from 1. Players may share a place."""


class Standing(Strict, frozen=True):
    """The sum of a player's results. `name` and `is_bot` together identify the player.

    A person who takes another name keeps the standing. A table gives no two bots of an evening the
    same name.
    """

    name: ShownName
    games: _Count = 0
    wins: _Count = 0
    """Number of victories, alone or shared."""
    influence: _Count = 0
    """Sum of influence at the end of each game."""
    places: _Count = 0
    """Sum of the places in each game, from 1."""
    is_bot: bool = False

    @property
    def player(self) -> tuple[str, bool]:
        """The name and `is_bot`, which identify the player."""
        return self.name, self.is_bot


class Evening(Strict, frozen=True):
    """The number of finished games, and all standings, best first.

    >>> first = [("Rosalind", 12, 1), ("Blaise", 9, 2)]
    >>> second = [("Blaise", 20, 1), ("Rosalind", 11, 2), ("Yvette", 3, 3)]
    >>> evening = Evening()
    >>> for game in (first, second):
    ...     evening = evening.after(SeatResult(name, False, *rest) for name, *rest in game)
    ...
    >>> [(each.name, each.wins, each.influence) for each in evening.standings]
    [('Blaise', 1, 29), ('Rosalind', 1, 23), ('Yvette', 0, 3)]
    >>> evening.is_decided(3), evening.after([SeatResult("Blaise", False, 20, 1)]).is_decided(3)
    (False, True)
    """

    games: _Count = 0
    standings: Annotated[tuple[Standing, ...], Meta(max_length=MAXIMUM_STANDINGS)] = ()

    def after(self, seats: Iterable[SeatResult]) -> "Evening":
        """Return the evening after one more game, in which a player may have two seats.

        Beyond `MAXIMUM_STANDINGS` names, the lowest standings are dropped.
        """
        standings = {each.player: each for each in self.standings}
        results: dict[tuple[str, bool], tuple[int, int]] = {}
        for name, is_bot, influence, place in seats:
            player = name, is_bot
            results[player] = results.get(player, (0, 0))[0] + influence, place
        for player, (influence, place) in results.items():
            name, is_bot = player
            before = standings.get(player) or Standing(name, is_bot=is_bot)
            standings[player] = replace(
                before,
                games=min(_MOST, before.games + 1),
                wins=min(_MOST, before.wins + (place == 1)),
                influence=min(_MOST, before.influence + influence),
                places=min(_MOST, before.places + place),
            )
        best_first = sorted(standings.values(), key=_rank)
        return Evening(min(_MOST, self.games + 1), tuple(best_first[:MAXIMUM_STANDINGS]))

    def has_person(self, name: str) -> bool:
        """Return True if a person of this name has a standing."""
        return (name, False) in [each.player for each in self.standings]

    @property
    def bot_names(self) -> frozenset[str]:
        """The names of all bots with a standing."""
        return frozenset(each.name for each in self.standings if each.is_bot)

    def renamed(self, before: str, name: str) -> "Evening":
        """Return the evening with a person's standing under another name, which must be unused."""
        standings = [
            replace(each, name=name) if each.player == (before, False) else each
            for each in self.standings
        ]
        return replace(self, standings=tuple(standings))

    def is_decided(self, best_of: BestOf) -> bool:
        """Return True if no player can catch up with the leader in the rest of `best_of` games.

        After `best_of` games it is always True. Without a limit or a standing it is False.
        """
        if not best_of or not self.standings:
            return False
        first, second = (*(each.wins for each in self.standings), 0)[:2]
        return self.games >= best_of or first > second + best_of - self.games

    @property
    def leaders(self) -> tuple[Standing, ...]:
        """The best standings; () if there are none.

        There are several if wins, influence and average places are equal.
        """
        return tuple(each for each in self.standings if _rank(each) == _rank(self.standings[0]))


def _rank(standing: Standing) -> tuple[int, int, float]:
    return -standing.wins, -standing.influence, standing.places / max(1, standing.games)
