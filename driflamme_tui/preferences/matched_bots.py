"""Chooses bots that are as strong as this user, by past games.

The name `even` stands for such a bot.
"""

import asyncio
from collections.abc import Iterable, Sequence
from math import exp
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from netcode.table.finished_game import PastGame

EVEN_BOT: Final = "even"
"""The name that stands for a bot as strong as this user."""

LATEST: Final = 60
"""Number of latest finished games that count."""

LADDER: Final = ("novice", "learner", "steady", "sharp", "master", "grandmaster")
"""The bots that may be chosen. Each is about one step stronger than the one before."""

LEVELS: Final = {name: level for level, name in enumerate(("random", *LADDER), -1)}
"""The strength of each bot, in steps of the ladder."""

BEGINS: Final = 1.0
"""The level of a user without past games."""

STEP: Final = 0.7
"""The difference in strength that makes one step: log odds that the stronger of two players
wins.
"""

PACE: Final = 1.2
"""Steps by which one game changes a level, if the expected share of the victory was wrong
by 1.
"""


async def seat_bots(bots: Sequence[str]) -> tuple[str, ...]:
    """Return the bots for these names; each `EVEN_BOT` becomes a bot chosen by past games."""
    number = bots.count(EVEN_BOT)
    if not number:
        return tuple(bots)
    # Use a thread: another program may be writing to the database.
    found = iter(await asyncio.to_thread(_even, number))
    return tuple(next(found) if bot == EVEN_BOT else bot for bot in bots)


def _even(number: int) -> tuple[str, ...]:
    """Return `number` bots by past games."""
    # Import here: the first table should not wait for the database module.
    from netcode.storage.history import Filter, History
    from netcode.table.errors import StoreError

    try:
        with History.open(reading=True) as history:
            level = level_of(history.games(Filter(outcome="finished"), LATEST))
    except StoreError:
        level = BEGINS
    return matched_bots(level, number)


def level_of(games: "Iterable[PastGame]") -> float:
    """Return the strength of this user, in steps of the ladder (Elo 1978, for several players).

    Other people count as equally strong as the user. A game does not count if `counts` rejects it,
    or if the user played two families or took over the seat of another player.
    """
    # Import here: few starts of the program need such bots.
    from netcode.storage.past_evenings import counts

    level = BEGINS
    for game in sorted(filter(counts, games), key=lambda game: game.ended or 0):
        if len(game.own) != 1 or game.players[game.own[0]].former:
            continue
        others = [each for seat, each in enumerate(game.players) if seat not in game.own]
        odds = sum(exp(STEP * (LEVELS.get(each.bot or "", level) - level)) for each in others)
        won = [seat for seat, each in enumerate(game.players) if each.place == 1]
        level += PACE * ((game.own[0] in won) / len(won) - 1 / (1 + odds))
        level = min(max(level, 0.0), len(LADDER) - 1.0)
    return level


def matched_bots(level: float, number: int) -> tuple[str, ...]:
    """Return `number` bots whose average level is `level`, as near as the ladder allows.

    >>> matched_bots(1.5, 2), matched_bots(9, 1)
    (('learner', 'steady'), ('grandmaster',))
    """
    levels = [int(level + (each + 0.5) / number) for each in range(number)]
    return tuple(LADDER[min(each, len(LADDER) - 1)] for each in levels)
