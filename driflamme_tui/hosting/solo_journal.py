"""Stores a game against bots, beginning when the player has seen the cards.

The first table is drawn without waiting for a database. The first answer opens the journal at the
latest. From then on, the host sends messages only after the journal has stored their state.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sized
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from driflamme_tui.text.i18n import _
from netcode.table.effects import Effect, Keep
from netcode.table.errors import StoreError

if TYPE_CHECKING:
    from netcode.storage.journal import Execute, Journal
    from netcode.storage.solo_store import SoloStore

DRAWN_S: Final = 1.0
"""Seconds for a terminal to draw the first table, after the program has sent its screen."""


class SoloJournal:
    """The journal of a table for one person and bots, which may open later than the table."""

    def __init__(
        self,
        number: int,
        notify: Callable[[str], None],
        store: "SoloStore | None" = None,
        wait_s: float = DRAWN_S,
    ) -> None:
        """Begin without a database, or with the database from which the table was restored.

        Args:
            number: The number of the table.
            notify: Called with a sentence when the game cannot be stored.
            store: The open database, in which the table is claimed; None to open it later.
            wait_s: Seconds between `open_soon` and the opening.
        """
        self._number, self._notify, self._wait_s = number, notify, wait_s
        self._journal: Journal | None = None if store is None else self._journal_of(store)
        self._waiting: list[tuple[list[Effect], Execute]] = []
        self._unstored: list[Effect] = []
        """The latest effect with a state that was executed before the journal was open.

        Empty before the first such effect.
        """
        self._opening: asyncio.Task[None] | None = None
        self._is_urgent = asyncio.Event()
        """Set when the journal must open without further delay."""
        self._has_failed = False

    @property
    def waiting(self) -> Mapping[int, Sized]:
        """The effects that wait to be stored, by table; empty before the database is open."""
        return {} if self._journal is None else self._journal.waiting

    def open_soon(self) -> None:
        """Open the database after `wait_s` seconds, so that the first table is drawn before.

        Does nothing if the database is open, or if its opening is scheduled.
        """
        if self._journal is None and self._opening is None:
            self._opening = asyncio.create_task(self._open())

    def submit(self, table: int, effects: list[Effect], execute: "Execute") -> None:
        """Execute a table's effects once the state in them is stored.

        While the database is not open, effects before the first answer are executed at once. If the
        database cannot be opened, all effects are.
        """
        keep = effects[0] if effects else None
        is_answer = isinstance(keep, Keep) and bool(keep.moves)
        if self._journal is not None:
            self._journal.submit(table, effects, execute)
        elif self._has_failed or not (self._waiting or is_answer):
            if isinstance(keep, Keep):
                self._unstored = [keep]
            execute(effects)
        else:
            self._waiting.append((effects, execute))
            self._is_urgent.set()
            self.open_soon()

    async def settled(self, table: int | None = None) -> None:
        """Wait until all submitted effects of a table, or of all tables, were executed."""
        await self._opened()
        if self._journal is not None:
            await self._journal.settled(table)

    def keeps(self, table: int) -> bool:
        """Return True if the table is stored, or will be with the next commit.

        While the database is not open, return False.
        """
        return self._journal is not None and self._journal.keeps(table)

    async def close(self) -> None:
        """Store everything that is not stored yet, and close the database."""
        await self._opened()
        if self._journal is not None:
            await self._journal.close()

    async def _opened(self) -> None:
        """Wait until the database is open, if it is being opened."""
        self._is_urgent.set()
        if self._opening is not None:
            await self._opening

    async def _open(self) -> None:
        """Open the database in a thread, then submit the effects that waited for it."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._is_urgent.wait(), self._wait_s)
        try:
            self._journal = self._journal_of(await asyncio.to_thread(_open_store, self._number))
        except StoreError as error:
            self._has_failed = True
            self._warn(error)
        else:
            self._journal.submit(self._number, self._unstored, lambda _effects: None)
        waiting, self._waiting = self._waiting, []
        for effects, execute in waiting:
            self.submit(self._number, effects, execute)

    def _journal_of(self, store: "SoloStore") -> "Journal":
        from netcode.storage.journal import Journal

        return Journal(
            store,
            lambda _table, error: self._warn(error),
            lambda: self._notify(_("Games at this table are being saved again.")),
        )

    def _warn(self, error: StoreError) -> None:
        sentence = _("{why} The game continues, but it could not be resumed after a crash.")
        self._notify(sentence.format(why=error.sentence(_)))


def _open_store(number: int) -> "SoloStore":
    """Return the database with a new table claimed; raises StoreError."""
    from netcode.storage.solo_store import SoloStore

    store = SoloStore.open()
    try:
        store.prepare(int(time.time()))
        store.claim(number)
    except BaseException:
        store.close()
        raise
    return store
