"""Rates players by games with several players, on openskill's scale."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

Player = TypeVar("Player")
"""The key of a player, such as a name."""


class Rating(NamedTuple, Generic[Player]):
    """A player's strength on openskill's scale, where a new player has 25."""

    player: Player
    games: int
    mu: float
    """The estimated strength."""
    sigma: float
    """The standard deviation of `mu`."""


def ratings_of(
    games: Iterable[tuple[Sequence[Player], Sequence[int]]], *, drift: float = 0.0
) -> list[Rating[Player]]:
    """Rate players by their places in each game; return the best first.

    Each game consists of the player in each seat and the place of each seat; the oldest game comes
    first. `drift` is the deviation by which a player's strength may change before each game
    (openskill's tau). A player with several seats is rated once for each seat, and gets the mean of
    these ratings.
    """
    # This import is slow, and no other function needs it.
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=drift)
    rated = defaultdict[Player, Any](model.rating)
    played = defaultdict[Player, int](int)
    for seats, places in games:
        before = [[rated[player]] for player in seats]
        after = model.rate(before, ranks=[float(place) for place in places])
        moved = defaultdict(list)
        for player, [rating] in zip(seats, after, strict=True):
            moved[player].append(rating)
        for player, ratings in moved.items():
            played[player] += 1
            mu = sum(rating.mu for rating in ratings) / len(ratings)
            sigma = sum(rating.sigma for rating in ratings) / len(ratings)
            rated[player] = model.rating(mu=mu, sigma=sigma)
    found = [Rating(player, played[player], each.mu, each.sigma) for player, each in rated.items()]
    return sorted(found, key=lambda rating: (-rating.mu, str(rating.player)))
