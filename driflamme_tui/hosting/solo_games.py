"""Continues the game against bots that was interrupted."""

import asyncio
import time
from collections.abc import Callable
from contextlib import ExitStack
from random import SystemRandom

from msgspec.structs import replace

from driflamme_tui.hosting.host_plans import SoloPlan
from driflamme_tui.hosting.hosted_table import HostedTable, alone_at, new_key
from driflamme_tui.hosting.solo_journal import SoloJournal
from driflamme_tui.preferences.matched_bots import EVEN_BOT
from engine.texts import ExplainedError
from netcode.server.table_registry import TableEntry
from netcode.storage.solo_store import SoloStore, has_unfinished_game, restored_table
from netcode.table.errors import StoreError


class NoContinuationError(ExplainedError):
    """Raised if an unfinished game cannot be continued.

    The error's sentence says how to begin another game.
    """


async def continue_alone(notify: Callable[[str], None]) -> HostedTable | None:
    """Open the latest unfinished game against bots where it stopped.

    Returns None if there is no unfinished game.

    Raises:
        NoContinuationError: The game cannot be continued.
    """
    owner_key = new_key()
    # Use a thread: another program may be writing to the database.
    found = await asyncio.to_thread(_unfinished, owner_key)
    if found is None:
        return None
    store, entry = found
    opened = alone_at(entry, owner_key, SoloJournal(entry.number, notify, store))
    assert entry.table is not None
    opened.host = next(seat.name for seat in entry.table.participants.seats if seat.bot is None)
    return opened


def is_same(opened: HostedTable, plan: SoloPlan) -> bool:
    """Return True if an open game has the bots and rules of a plan.

    Bots that are as strong as the player count as equal to any bots. The bots' pace and time do not
    count, since the player can change them during the game.
    """
    table = opened.entry.table
    assert table is not None
    settings, wanted = table.games.settings, plan.settings
    own = [seat.bot for seat in table.participants.seats if seat.bot is not None]
    bots = zip(sorted(own), sorted(plan.bots), strict=False)
    return (
        len(own) == len(plan.bots)
        and (EVEN_BOT in plan.bots or all(one == other for one, other in bots))
        and settings == replace(wanted, pace_ms=settings.pace_ms, think_ms=settings.think_ms)
    )


def _unfinished(owner_key: bytes) -> tuple[SoloStore, TableEntry] | None:
    """Return the open database and the table to continue; None if there is no unfinished game.

    Raises NoContinuationError if the stored game cannot be restored.
    """
    if not has_unfinished_game():
        return None
    try:
        with ExitStack() as undo:
            store = SoloStore.open()
            undo.callback(store.close)
            found = store.load_unfinished()
            if found is None:
                return None
            number, kept = found
            table = restored_table(kept, SystemRandom(), owner_key, time.time)
            undo.pop_all()
    except StoreError as error:
        raise NoContinuationError(
            "Your unfinished game cannot be resumed. {why} For another game, type driflamme play "
            "--restart.",
            why=error,
        ) from None
    return store, TableEntry(number, kept.table.opened, table)
