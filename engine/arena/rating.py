"""Ratings of players who met in games of several, on openskill's scale."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

Player = TypeVar("Player")
"""What tells players apart, such as their names."""


class Rating(NamedTuple, Generic[Player]):
    """A player's place on a scale on which everybody begins with 25."""

    player: Player
    games: int
    mu: float
    """How strong the player seems to be."""
    sigma: float
    """The standard deviation of that."""


def ratings_of(
    games: Iterable[tuple[Sequence[Player], Sequence[int]]], *, drift: float = 0.0
) -> list[Rating[Player]]:
    """Rate players by who came in before whom, game by game; return the best first.

    Of each game, the oldest first, it is given who had which seat, and their places. By `drift` a
    player may change from one to the next (0 for who stays the same). Who has several seats in a
    game is rated there by each of them, and moves by their mean.
    """
    # Takes long to load, and nothing else needs it.
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
