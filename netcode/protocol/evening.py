"""An evening: the games of a table one after the other, counted for everybody who played one."""

from collections.abc import Iterable
from typing import Annotated, Final, Literal, TypeAlias

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


class Standing(Strict, frozen=True):
    """What somebody has come to."""

    name: ShownName
    games: _Count = 0
    """How many they have played."""
    wins: _Count = 0
    """How many of them they won, alone or together with others."""
    influence: _Count = 0
    """The sum of their influence at the end of each."""
    places: _Count = 0
    """The sum of their places, the first being 1."""


class Evening(Strict, frozen=True):
    """The games that came to their end, and everybody's standing, the best first.

    >>> evening = Evening().after([("Rosalind", 12, 1), ("Blaise", 9, 2)])
    >>> evening = evening.after([("Blaise", 20, 1), ("Rosalind", 11, 2), ("Yvette", 3, 3)])
    >>> [(each.name, each.wins, each.influence) for each in evening.standings]
    [('Blaise', 1, 29), ('Rosalind', 1, 23), ('Yvette', 0, 3)]
    >>> evening.is_decided(3), evening.after([("Blaise", 20, 1)]).is_decided(3)
    (False, True)
    """

    games: _Count = 0
    standings: Annotated[tuple[Standing, ...], Meta(max_length=MAXIMUM_STANDINGS)] = ()

    def after(self, seats: Iterable[tuple[str, int, int]]) -> "Evening":
        """Return the evening with one more game: name, influence and place of who had each seat."""
        standings = {each.name: each for each in self.standings}
        results: dict[str, tuple[int, int]] = {}
        for name, influence, place in seats:
            results[name] = results.get(name, (0, 0))[0] + influence, place
        for name, (influence, place) in results.items():
            before = standings.get(name) or Standing(name)
            standings[name] = replace(
                before,
                games=min(_MOST, before.games + 1),
                wins=min(_MOST, before.wins + (place == 1)),
                influence=min(_MOST, before.influence + influence),
                places=min(_MOST, before.places + place),
            )
        best_first = sorted(standings.values(), key=_rank)
        return Evening(min(_MOST, self.games + 1), tuple(best_first[:MAXIMUM_STANDINGS]))

    def knows(self, name: str) -> bool:
        """Whether somebody of that name has a standing."""
        return name in [each.name for each in self.standings]

    def renamed(self, before: str, name: str) -> "Evening":
        """Return the evening with somebody's standing under another name, which nobody has."""
        standings = [
            replace(each, name=name) if each.name == before else each for each in self.standings
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
