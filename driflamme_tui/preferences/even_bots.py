"""Bots as strong as this user by past games, who are asked for in the place of a bot's name."""

import asyncio
from collections.abc import Iterable, Sequence
from math import exp
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from netcode.table.finished_game import PastGame

EVEN: Final = "even"
"""The name that asks for them."""

LATEST: Final = 60
"""How many finished games count: the last ones."""

LADDER: Final = ("novice", "learner", "steady", "sharp", "master", "grandmaster")
"""The bots that one may meet so, each about as much stronger than the one before it."""

LEVELS: Final = {name: level for level, name in enumerate(("random", *LADDER), -1)}
"""How strong bots are, in steps of the ladder."""

BEGINS: Final = 1.0
"""The level of somebody of whom no game is known."""

STEP: Final = 0.7
"""What a step is worth: the logarithm of how much oftener the stronger of two wins."""

PACE: Final = 1.2
"""By how many steps a game moves a level, times the part of the victory that it was off by."""


async def seated(bots: Sequence[str]) -> tuple[str, ...]:
    """Return who sits down for these names: in the place of `EVEN` bots by past games."""
    number = bots.count(EVEN)
    if not number:
        return tuple(bots)
    # A screen does not stand still for the database, which another program may be writing.
    found = iter(await asyncio.to_thread(_even, number))
    return tuple(next(found) if bot == EVEN else bot for bot in bots)


def _even(number: int) -> tuple[str, ...]:
    """Return so many bots by past games."""
    # The first table would wait for the database.
    from netcode.storage.history import Filter, History
    from netcode.table.errors import StoreError

    try:
        with History.open(reading=True) as history:
            level = level_of(history.games(Filter(outcome="finished"), LATEST))
    except StoreError:
        level = BEGINS
    return even_bots(level, number)


def level_of(games: "Iterable[PastGame]") -> float:
    """Return how strong this user is, in steps of the ladder (Elo 1978, for several at a table).

    Other people are taken to be as strong as the user, and a table for two says nothing.
    """
    # Most starts of the program ask for no such bots.
    from netcode.storage.past_evenings import counts

    level = BEGINS
    for game in sorted(filter(counts, games), key=lambda game: game.ended or 0):
        if len(game.own) != 1:
            continue
        others = [each for seat, each in enumerate(game.players) if seat not in game.own]
        odds = sum(exp(STEP * (LEVELS.get(each.bot or "", level) - level)) for each in others)
        won = [seat for seat, each in enumerate(game.players) if each.place == 1]
        level += PACE * ((game.own[0] in won) / len(won) - 1 / (1 + odds))
        level = min(max(level, 0.0), len(LADDER) - 1.0)
    return level


def even_bots(level: float, number: int) -> tuple[str, ...]:
    """Return so many bots who are, taken together, of a level.

    >>> even_bots(1.5, 2), even_bots(9, 1)
    (('learner', 'steady'), ('grandmaster',))
    """
    levels = [int(level + (each + 0.5) / number) for each in range(number)]
    return tuple(LADDER[min(each, len(LADDER) - 1)] for each in levels)
