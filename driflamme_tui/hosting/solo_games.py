"""Continues the game against bots that was interrupted."""

import asyncio
import time
from collections.abc import Callable
from contextlib import ExitStack
from random import SystemRandom

from driflamme_tui.hosting.hosted_table import HostedTable, alone_at, new_key
from driflamme_tui.hosting.solo_journal import SoloJournal
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
