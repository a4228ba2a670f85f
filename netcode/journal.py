"""The journal at work: nothing goes out before what it tells of is on disk.

It holds the effects of a table back until a thread of its own has committed their entries. It
decides nothing about the table, and knows nothing of sockets or of SQLite.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from engine.words import N_
from netcode.effects import Effect, Keep
from netcode.keeping import Entry, StoreError

_log = logging.getLogger(__name__)


class Keeping(Protocol):
    """Where entries are kept: a `store.Store`, or what a test has in its place."""

    def commit(self, entries: Sequence[Entry]) -> None:
        """Keep all of the entries or none, for good; raises StoreError."""

    def close(self) -> None:
        """Keep nothing more."""


class Journal:
    """Commits entries and lets effects go, in the order in which the table gave them.

    When committing fails, that is said once, and everything goes on without a journal: a full
    disk is no reason to end a game.
    """

    def __init__(
        self, store: Keeping, failed: Callable[[StoreError], None] = lambda error: None
    ) -> None:
        """Begin with a store, which is the journal's from now on.

        Args:
            store: Where entries are kept.
            failed: Told why nothing is kept any more, once, if it comes to that.
        """
        self._store = store
        self._failed = failed
        self._works = True
        self._held: list[tuple[list[Effect], Callable[[list[Effect]], None]]] = []
        """Effects that wait for a commit, or for others that do, and who carries them out."""
        self._writing: asyncio.Task[None] | None = None
        self._writer = ThreadPoolExecutor(1, "journal")

    def take(self, effects: list[Effect], carry_out: Callable[[list[Effect]], None]) -> None:
        """Have effects carried out as soon as what is to be kept has been, and not before."""
        if self._writing is not None:
            self._held.append((effects, carry_out))
        elif self._works and any(isinstance(effect, Keep) for effect in effects):
            self._held.append((effects, carry_out))
            self._writing = asyncio.create_task(self._write())
        else:
            carry_out(effects)

    async def settled(self) -> None:
        """Wait until nothing is held back any more."""
        if self._writing is not None:
            await asyncio.wait([self._writing])

    async def close(self) -> None:
        """Keep what is still to be kept, and close the store."""
        await self.settled()
        self._works = False
        try:
            await asyncio.get_running_loop().run_in_executor(self._writer, self._store.close)
        except StoreError as error:
            _log.error("%s", error)
        self._writer.shutdown()

    async def _write(self) -> None:
        """Commit and let go until nothing is left; what comes meanwhile is one batch."""
        while self._held:
            batch, self._held = self._held, []
            entries = [
                effect.entry
                for effects, _ in batch
                for effect in effects
                if isinstance(effect, Keep)
            ]
            if entries and self._works:
                await self._commit(entries)
            for effects, carry_out in batch:
                try:
                    carry_out(effects)
                except Exception as error:
                    # A mistake in what is done for one must not hold the others up for good.
                    _log.error("what was held back failed with %s", type(error).__name__)
        self._writing = None

    async def _commit(self, entries: list[Entry]) -> None:
        loop = asyncio.get_running_loop()
        try:
            await loop.run_in_executor(self._writer, self._store.commit, entries)
        except Exception as error:
            self._works = False
            if not isinstance(error, StoreError):
                _log.error("the store failed with %s", type(error).__name__)
                error = StoreError(N_("The journal of tables does not work."))
            _log.error("%s Play goes on without a journal.", error)
            self._failed(error)
