"""Who owns which seats, and who is ahead among owners.

The rules know seats only. Mostly every seat has an owner of its own; at a table for two, each of
the two owns two of four seats, which sit opposite, play separately and win by their sum.
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
"""The players of a game, by their first seats; each seat is in exactly one of them."""

TWO: Final = "two"
"""The name of the setting, at a table and in a record, that makes a table one for two."""

PLAYERS_OF_TWO: Final = 2
"""How many players sit at a table for two."""
SEATS_OF_TWO: Final = 4
"""How many seats a table for two has."""


def each_alone(seats: int) -> Owners:
    """Return the owners where every seat has one of its own."""
    return tuple((seat,) for seat in range(seats))


def owners(seats: int, *, two: bool) -> Owners:
    """Return who owns which of so many seats.

    At a table for two they have seats in turn, so that those of one sit opposite.

    >>> owners(3, two=False)
    ((0,), (1,), (2,))
    >>> owners(4, two=True)
    ((0, 2), (1, 3))
    """
    if not two:
        return each_alone(seats)
    return tuple(tuple(range(first, seats, PLAYERS_OF_TWO)) for first in range(PLAYERS_OF_TWO))


def owners_of(settings: Mapping[str, object], seats: int) -> Owners:
    """Return who owns the seats of a game of these settings, as a `Record` has them."""
    return owners(seats, two=settings.get(TWO) is True and seats == SEATS_OF_TWO)


def is_for_two(everybody: Owners | None) -> bool:
    """Return whether players own more than a seat each; None stands for each alone."""
    return everybody is not None and any(len(owner) > 1 for owner in everybody)


@cache
def sides(everybody: Owners) -> tuple[Seat, ...]:
    """Return by seat the first seat of its owner: equal for those who win together.

    >>> sides(owners(4, two=True))
    (0, 1, 0, 1)
    """
    return tuple(owner_of(everybody, seat)[0] for seat in range(sum(map(len, everybody))))


def owner_of(everybody: Owners, seat: Seat) -> Owner:
    """Return who owns a seat."""
    return next(owner for owner in everybody if seat in owner)


def total(position: Position, owner: Owner) -> int:
    """Return the influence in the pools of an owner's seats: what they win by."""
    return sum(position.pools[seat] for seat in owner)


def total_in_queue(position: Position, owner: Owner) -> int:
    """Return how many cards of an owner's seats are in the Queue: what decides between equals."""
    return sum(cards_in_queue(position, seat) for seat in owner)


def ranking_of_owners(position: Position, everybody: Owners) -> list[tuple[Owner, ...]]:
    """Return the owners from best to worst; those who share a place stand together.

    Most influence wins, all seats of an owner together; a tie goes to whoever has most cards in
    the Queue. Whoever has not shown all their cards at the end of a sealed game stands behind all
    who have.

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
    """Return the seats from best to worst, each for itself; those who share a place together.

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
    """Return the place of each seat's owner, from 1; those who share one have the same.

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
