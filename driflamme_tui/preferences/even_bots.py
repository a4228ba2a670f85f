"""Bots that are as strong as this user, who are asked for in the place of a bot's name."""

import asyncio
from collections.abc import Sequence
from typing import Final

EVEN: Final = "even"
"""The name that asks for them."""

LATEST: Final = 60
"""How many finished games count: the last ones."""


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
    from netcode.storage.even_games import BEGINS, even_bots, level_of
    from netcode.storage.history import Filter, History
    from netcode.table.errors import StoreError

    try:
        with History.open(reading=True) as history:
            level = level_of(history.games(Filter(outcome="finished"), LATEST))
    except StoreError:
        level = BEGINS
    return even_bots(level, number)
