"""An evening: the games of a table one after the other, counted for everybody who played one."""

from collections.abc import Iterable
from typing import Annotated, Final, Literal, NamedTuple, TypeAlias

from msgspec import Meta
from msgspec.structs import replace

from netcode.protocol.fields import ShownName, Strict

BestOf: TypeAlias = Literal[0, 3, 5, 7]
"""How many games decide an evening; 0 for as many as one likes."""

LENGTHS: Final[tuple[BestOf, ...]] = (3, 5, 7)
"""The numbers of games that decide an evening."""

MAXIMUM_STANDINGS: Final = 20
"""Most names that an evening keeps: as many as sit and watch at a table, and then some."""

_MOST: Final = 1_000_000
"""What no count of an evening goes beyond."""

_Count = Annotated[int, Meta(ge=0, le=_MOST)]


class SeatResult(NamedTuple):
    """The result of one seat in one game, for the player who held it at the end."""

    name: str
    is_bot: bool
    influence: int
    place: int
    """From 1; players who share a place have the same."""


class Standing(Strict, frozen=True):
    """The sum of a player's results. A name and `is_bot` together belong to one player only.

    When a person takes another name, their standing does too. A table gives no two bots of an
    evening the same name.
    """

    name: ShownName
    games: _Count = 0
    """How many they have played."""
    wins: _Count = 0
    """How many of them they won, alone or together with others."""
    influence: _Count = 0
    """The sum of their influence at the end of each."""
    places: _Count = 0
    """The sum of their places, the first being 1."""
    is_bot: bool = False

    @property
    def player(self) -> tuple[str, bool]:
        """The name and `is_bot`, by which the player is known."""
        return self.name, self.is_bot


class Evening(Strict, frozen=True):
    """The games that came to their end, and everybody's standing, the best first.

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
        """Return the evening with one more game; a player may have two of its seats."""
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
        """Return whether a person of this name has a standing."""
        return (name, False) in [each.player for each in self.standings]

    @property
    def bot_names(self) -> frozenset[str]:
        """The names of all bots that have a standing."""
        return frozenset(each.name for each in self.standings if each.is_bot)

    def renamed(self, before: str, name: str) -> "Evening":
        """Return the evening with a person's standing under a name that no other person has."""
        standings = [
            replace(each, name=name) if each.player == (before, False) else each
            for each in self.standings
        ]
        return replace(self, standings=tuple(standings))

    def is_decided(self, best_of: BestOf) -> bool:
        """Whether nobody can win as many of `best_of` games any more as who has won most."""
        if not best_of or not self.standings:
            return False
        first, second = (*(each.wins for each in self.standings), 0)[:2]
        return self.games >= best_of or first > second + best_of - self.games

    @property
    def leaders(self) -> tuple[Standing, ...]:
        """Those who stand best: several if neither wins, nor influence, nor places part them."""
        return tuple(each for each in self.standings if _rank(each) == _rank(self.standings[0]))


def _rank(standing: Standing) -> tuple[int, int, float]:
    return -standing.wins, -standing.influence, standing.places / max(1, standing.games)
