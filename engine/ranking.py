"""Ranks the owners of seats.

The rules know only seats. At most tables each seat has its own owner. At a table for two, each
player owns two opposite seats of four. The seats play separately, and their influence is added.
"""

from collections.abc import Mapping
from functools import cache
from itertools import chain
from typing import Final, TypeAlias

from engine.cards import UNKNOWN, Seat
from engine.position import Position, cards_in_queue, cards_of

Owner: TypeAlias = tuple[Seat, ...]
"""The seats of one player, in seat order."""

Owners: TypeAlias = tuple[Owner, ...]
"""The owners in a game, ordered by their first seats. Each seat belongs to exactly one owner."""

TWO: Final = "two"
"""The name of the setting, of tables and records, that makes a table for two."""

PLAYERS_OF_TWO: Final = 2
"""Number of players at a table for two."""
SEATS_OF_TWO: Final = 4
"""Number of seats at a table for two."""


def each_alone(seats: int) -> Owners:
    """Return the owners of a table where each seat has its own owner."""
    return tuple((seat,) for seat in range(seats))


def owners(seats: int, *, two: bool) -> Owners:
    """Return the owners of `seats` seats.

    At a table for two the owners alternate, so that the seats of one owner are opposite.

    >>> owners(3, two=False)
    ((0,), (1,), (2,))
    >>> owners(4, two=True)
    ((0, 2), (1, 3))
    """
    if not two:
        return each_alone(seats)
    return tuple(tuple(range(first, seats, PLAYERS_OF_TWO)) for first in range(PLAYERS_OF_TWO))


def owners_of(settings: Mapping[str, object], seats: int) -> Owners:
    """Return the owners of a game's seats from the settings of its `Record`."""
    return owners(seats, two=settings.get(TWO) is True and seats == SEATS_OF_TWO)


def is_for_two(everybody: Owners | None) -> bool:
    """Return True if an owner has several seats. With None, each owner has one seat."""
    return everybody is not None and any(len(owner) > 1 for owner in everybody)


@cache
def sides(everybody: Owners) -> tuple[Seat, ...]:
    """Return, for each seat, the first seat of its owner. Seats with equal numbers win together.

    >>> sides(owners(4, two=True))
    (0, 1, 0, 1)
    """
    return tuple(owner_of(everybody, seat)[0] for seat in range(sum(map(len, everybody))))


def owner_of(everybody: Owners, seat: Seat) -> Owner:
    """Return the owner of a seat."""
    return next(owner for owner in everybody if seat in owner)


def total(position: Position, owner: Owner) -> int:
    """Return the influence in all pools of an owner, which decides the game."""
    return sum(position.pools[seat] for seat in owner)


def total_in_queue(position: Position, owner: Owner) -> int:
    """Return the number of an owner's cards in the Queue, which decides a tie."""
    return sum(cards_in_queue(position, seat) for seat in owner)


def ranking_of_owners(position: Position, everybody: Owners) -> list[tuple[Owner, ...]]:
    """Return groups of owners from best to worst; a group shares a place.

    The most influence wins, and a tie goes to the owner with most cards in the Queue. In a sealed
    game, owners who did not open all their cards at the end come after all owners who did.

    >>> from engine.notation import parse_position
    >>> game = parse_position(
    ...     "2 6 - rL,bL,gL *r3:A:SPH:FXDMC,b5:A:SPH:FXDMC,g4:A:SPH:FXDMC"
    ... )
    >>> ranking_of_owners(game, each_alone(3))
    [((1,),), ((2,),), ((0,),)]
    """
    standing = {
        owner: (
            not (position.over and any(UNKNOWN in cards_of(position, each) for each in owner)),
            total(position, owner),
            total_in_queue(position, owner),
        )
        for owner in everybody
    }
    return [
        tuple(owner for owner, value in standing.items() if value == place)
        for place in sorted(set(standing.values()), reverse=True)
    ]


def ranking(position: Position) -> list[tuple[Seat, ...]]:
    """Return groups of seats from best to worst, as if each seat had its own owner.

    >>> from engine.notation import parse_position
    >>> game = parse_position(
    ...     "2 4 rS2 gc2,rS,rm1,bL *r3:APH:LXD:FC,b2:ASP:HFX:DMC,g4:SPH:FLX:ADM"
    ... )
    >>> ranking(game)
    [(2,), (0,), (1,)]
    """
    alone = each_alone(position.players)
    return [tuple(chain(*place)) for place in ranking_of_owners(position, alone)]


def places(position: Position, everybody: Owners) -> tuple[int, ...]:
    """Return the place of each seat's owner, from 1. Owners may share a place.

    >>> from engine.notation import parse_position
    >>> game = parse_position(
    ...     "2 6 - rL,bL,gL *r3:A:SPH:FXDMC,b5:A:SPH:FXDMC,g5:A:SPH:FXDMC"
    ... )
    >>> places(game, each_alone(3))
    (3, 1, 1)
    """
    found, place = [0] * position.players, 1
    for owners_there in ranking_of_owners(position, everybody):
        for seat in chain(*owners_there):
            found[seat] = place
        place += len(owners_there)
    return tuple(found)
