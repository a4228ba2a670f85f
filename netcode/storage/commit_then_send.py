"""The journal: holds the effects of each table back until what they tell of is on disk.

A thread of its own commits entries; what comes from all tables during one commit is the next. It
decides nothing about any table, and knows nothing of sockets or of SQLite.
"""

import asyncio
import contextlib
import logging
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar, TypeVarTuple

from msgspec import Struct

from engine.words import N_
from netcode.storage.store_thread import StoreThread
from netcode.table.effects import Effect, Keep
from netcode.table.errors import StoreError, UnavailableError
from netcode.table.finished_game import PastGame
from netcode.table.journal_entries import Entry, Snapshot
from netcode.tracebacks import described

if TYPE_CHECKING:
    from netcode.storage.store import Store

RETRY_S: Final = 10.0
"""Seconds between two tries while the store cannot be used: little is at stake until then."""

MAXIMUM_ASIDE: Final = 100_000
"""Most entries that wait for the store to be of use again: some ten megabytes."""

LATENCIES: Final = 1_000
"""How many of the last commits the metrics are about."""

SWITCH_INTERVAL_S: Final = 0.0001
"""Seconds for which Python lets one thread go on while another waits: with the usual 5 ms a busy
event loop can keep the journal's thread waiting for seconds."""

CarryOut: TypeAlias = Callable[[list[Effect]], None]
"""Carries out the effects of a table."""

_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")

_log = logging.getLogger(__name__)


class JournalMetrics(Struct, frozen=True):
    """How many commits there were, and how long they took."""

    works: bool
    """False while nothing can be kept."""
    commits: int
    """How many commits there have been."""
    entries: int
    """How many entries have been kept."""
    p50_ms: float
    """Median time of the last commits, from the decision until their effects may go out."""
    p99_ms: float
    """Time within which 99 in 100 of the last commits were done."""


class _Batch:
    """What waits at one table for one commit."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.effects: list[tuple[list[Effect], CarryOut]] = []
        self.carried_out = asyncio.Event()

    def carry_out(self) -> None:
        """Carry the effects out, each once what came before it has been."""
        # Carrying out one may bring more for the end of the line.
        for effects, carry_out in self.effects:
            # A mistake in what is done for one must not hold the others up for good.
            _guarded(carry_out, effects)
        self.carried_out.set()


class Journal:
    """Commits entries and lets effects go, for each table in the order in which it gave them.

    A store that fails is no reason to end a game, so everything then goes on without waiting. If
    it is the machine's fault (a full disk, another program's lock), the entries wait instead, in
    their order, and are tried again together until they are kept or too many. What is on disk
    meanwhile is each table as it was when the trouble began. If it is one table's own fault, that
    table is kept no more, and stays on disk as it was; the others are not affected.
    """

    def __init__(
        self,
        store: "Store",
        failed: Callable[[int | None, StoreError], None] = lambda table, error: None,
        mended: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.time,
        thread: StoreThread | None = None,
    ) -> None:
        """Begin with a store, which is the journal's from now on.

        `failed` is told why nothing is kept for now, once each time it comes to that, or why the
        table whose number it is given is kept no more; `mended` is told when all is kept again. The
        clock returns the Unix time of each commit. The thread is made for the journal alone.
        """
        self._store = store
        self._failed = failed
        self._mended = mended
        self._clock = clock
        self._lines: dict[int, list[_Batch]] = {}
        """Of each table that has any, the batches that wait, the oldest first."""
        self._next: dict[int, _Batch] = {}
        """The last of them, where it waits for the next commit."""
        self._is_writing = False
        """Whether a commit is under way, or about to be."""
        self._thread = thread or StoreThread()
        self._trouble: StoreError | None = None
        """Why nothing can be kept for now."""
        self._mending: asyncio.Task[None] | None = None
        self._aside: dict[int, list[Entry]] = {}
        """What is to be kept once that is over."""
        self._given_up: dict[int, StoreError] = {}
        """Tables that are kept no more, and why."""
        self._closing = asyncio.Event()
        self._closed = False
        self._latencies: deque[float] = deque(maxlen=LATENCIES)
        self._commits = 0
        self._entries = 0

    def submit(self, table: int, effects: list[Effect], carry_out: CarryOut) -> None:
        """Carry a table's effects out as soon as what they have to keep is on disk."""
        entries = [effect.entry for effect in effects if isinstance(effect, Keep)]
        line = self._lines.get(table)
        if line and not entries:
            # Who has nothing to keep need not wait for the next commit.
            line[-1].effects.append((effects, carry_out))
        elif line or (entries and not (self._trouble or table in self._given_up or self._closed)):
            batch = self._waiting(table)
            batch.entries += entries
            batch.effects.append((effects, carry_out))
        else:
            self._set_aside(table, entries)
            carry_out(effects)

    def held(self, table: int) -> int:
        """Return how many submissions of a table wait for its last commit."""
        line = self._lines.get(table)
        return len(line[-1].effects) if line else 0

    async def settled(self, table: int | None = None) -> None:
        """Wait until all that was taken so far has been carried out: of a table, or of all."""
        lines = self._lines.values() if table is None else [self._lines.get(table, [])]
        for batch in [line[-1] for line in lines if line]:
            await batch.carried_out.wait()

    def keeps(self, table: int) -> bool:
        """Whether all that was taken from a table is on disk, or will be with the next commit."""
        return table not in self._aside and table not in self._given_up

    async def run(self, call: Callable[[], _T]) -> _T:
        """Do something with the store in the journal's thread, after what was begun before it."""
        return await self._thread.run(call)

    async def load(self, table: int) -> Snapshot:
        """Return what was kept of a table, which is this program's from now on; raises StoreError.

        Nothing may be taken from the table before it has been brought back.
        """
        await self.settled(table)
        if table in self._given_up:
            raise self._given_up[table]
        if table in self._aside and self._trouble is not None:
            raise self._trouble
        return await self.run(lambda: self._store.load(table))

    async def club_games(self, after: int) -> list[PastGame]:
        """Return some games of the club, as `Store.club_games` does; raises StoreError."""
        return await self.run(lambda: self._store.club_games(after))

    async def close(self) -> None:
        """Keep what is still to be kept, and close the store."""
        await self._drained()
        self._closing.set()
        if self._mending is not None:
            await asyncio.wait([self._mending])
            await self._drained()
        self._closed = True
        error = await self.run(lambda: _tried(self._store.close))
        if error is not None:
            _log.error("%s", error)
        self._thread.close()

    def metrics(self) -> JournalMetrics:
        """Return how many commits there were, and how long they took."""
        ordered = sorted(self._latencies) or [0.0]
        return JournalMetrics(
            works=self._trouble is None,
            commits=self._commits,
            entries=self._entries,
            p50_ms=ordered[len(ordered) // 2],
            p99_ms=ordered[len(ordered) * 99 // 100],
        )

    # Writing

    async def _drained(self) -> None:
        while self._lines:
            await self.settled()

    def _waiting(self, table: int) -> _Batch:
        """Return the batch of a table that waits for the next commit."""
        batch = self._next.get(table)
        if batch is None:
            batch = self._next[table] = _Batch()
            self._lines.setdefault(table, []).append(batch)
        if not self._is_writing:
            self._is_writing = True
            # What comes until then, from all tables, is one commit.
            asyncio.get_running_loop().call_soon(self._write, {})
        return batch

    def _write(self, kept: Mapping[int, _Batch]) -> None:
        """Begin the next commit, if anything is left, and carry out what needs to wait no more."""
        while True:
            # The disk may work on the next while the loop is busy with these.
            following, is_under_way = self._begin_next()
            self._carry_out(kept)
            if is_under_way:
                return
            if not (following or self._next):
                self._is_writing = False
                return
            kept = following

    def _committed(
        self,
        batches: Mapping[int, _Batch],
        entries: Mapping[int, Sequence[Entry]],
        began: float,
        outcome: dict[int, StoreError | None],
    ) -> None:
        """Go on after a commit: put what the machine has kept from the disk aside."""
        self._finish(entries, began, outcome)
        for number, error in outcome.items():
            if isinstance(error, UnavailableError):
                self._set_aside(number, entries[number])
                self._fail(error)
        self._write(batches)

    def _begin_next(self) -> tuple[dict[int, _Batch], bool]:
        """Take what waits, and begin its commit if there is anything to keep; return whether."""
        batches, self._next = self._next, {}
        entries = {
            number: batch.entries
            for number, batch in batches.items()
            if batch.entries and number not in self._given_up
        }
        if self._trouble is None:
            if entries:
                done = partial(self._committed, batches, entries, time.perf_counter())
                self._thread.submit(self._commit_of(entries), done)
            return batches, bool(entries)
        for number, own in entries.items():
            self._set_aside(number, own)
        return batches, False

    def _carry_out(self, batches: Mapping[int, _Batch]) -> None:
        for number, batch in batches.items():
            batch.carry_out()
            line = self._lines[number]
            line.remove(batch)
            if not line:
                del self._lines[number]

    def _commit_of(
        self, entries: Mapping[int, Sequence[Entry]]
    ) -> Callable[[], dict[int, StoreError | None]]:
        """Return what keeps entries as of now, and then says for each table what went wrong."""
        return partial(_commit, self._store, entries, int(self._clock()))

    def _finish(
        self,
        entries: Mapping[int, Sequence[Entry]],
        began: float,
        outcome: Mapping[int, StoreError | None],
    ) -> None:
        """Count a commit, and give up the tables that spoilt it."""
        # Not the loop's time: that may stand still while the loop is busy.
        self._latencies.append((time.perf_counter() - began) * 1000)
        self._commits += 1
        for number, error in outcome.items():
            if error is None:
                self._entries += len(entries[number])
            elif not isinstance(error, UnavailableError):
                self._give_up(number, error)

    # Troubles

    def _give_up(self, number: int, error: StoreError) -> None:
        """Keep nothing more of a table."""
        self._aside.pop(number, None)
        self._given_up[number] = error
        _log.error("%s A table goes on without a journal.", error)
        _guarded(self._failed, number, error)

    def _fail(self, error: StoreError) -> None:
        """Keep nothing until another try succeeds."""
        if self._trouble is None:
            self._trouble = error
            self._mending = asyncio.create_task(self._mend())
            _log.error("%s Play goes on without a journal for now.", error)
            _guarded(self._failed, None, error)

    def _set_aside(self, number: int, entries: Sequence[Entry]) -> None:
        """Keep entries later, unless there are too many."""
        if not entries or number in self._given_up or self._closed:
            return
        self._aside.setdefault(number, []).extend(entries)
        if sum(map(len, self._aside.values())) > MAXIMUM_ASIDE:
            too_many = StoreError(N_("The journal of tables has failed for too long."))
            for each in list(self._aside):
                self._give_up(each, too_many)

    async def _mend(self) -> None:
        """Try again and again to keep what was set aside."""
        while self._trouble is not None:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), RETRY_S)
            entries = {number: tuple(own) for number, own in self._aside.items()}
            began = time.perf_counter()
            outcome = await self.run(self._commit_of(entries))
            self._finish(entries, began, outcome)
            for number, error in outcome.items():
                if error is None:
                    # More may have come behind it, or too much.
                    del self._aside.get(number, [])[: len(entries[number])]
            if not any(isinstance(error, UnavailableError) for error in outcome.values()):
                self._go_on()
            elif self._closing.is_set():
                _log.error("What was not kept until now is lost with the end of the program.")
                return

    def _go_on(self) -> None:
        """Wait for commits again, first for what came during the try that succeeded."""
        self._trouble = None
        came, self._aside = self._aside, {}
        for number, entries in came.items():
            if entries:
                self._waiting(number).entries[:0] = entries
        _log.info("the journal works again")
        _guarded(self._mended)


def shorten_switch_interval() -> None:
    """Set the thread switch interval of this whole process to `SWITCH_INTERVAL_S`."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)


def _guarded(call: Callable[[*_Ts], None], *arguments: *_Ts) -> None:
    try:
        call(*arguments)
    except Exception as error:
        _log.error("what was to be done failed with %s", described(error))


def _commit(
    store: "Store", entries: Mapping[int, Sequence[Entry]], at: int
) -> dict[int, StoreError | None]:
    """Keep the entries of all tables at once; if one spoils that, those of each for itself."""
    error = _try(store, entries, at)
    if error is None or isinstance(error, UnavailableError) or len(entries) == 1:
        return dict.fromkeys(entries, error)
    outcome: dict[int, StoreError | None] = {}
    for number, own in entries.items():
        # Once that is so, it is so for all the others too, and each try may take seconds.
        if not isinstance(error, UnavailableError):
            error = _try(store, {number: own}, at)
        outcome[number] = error
    return outcome


def _try(store: "Store", entries: Mapping[int, Sequence[Entry]], at: int) -> StoreError | None:
    kept = [(number, entry) for number, own in entries.items() for entry in own]
    return _tried(lambda: store.commit(kept, at))


def _tried(call: Callable[[], None]) -> StoreError | None:
    """Do something with a store; return why it failed, if it did."""
    try:
        call()
    except StoreError as error:
        return error
    except Exception as error:
        _log.error("the store failed with %s", described(error))
        return StoreError(N_("The journal of tables does not work."))
    return None
