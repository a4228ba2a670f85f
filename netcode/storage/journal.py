"""Holds the effects of each table back until what they tell of is on disk.

It has the newest state of each table that is not on disk yet. A thread of its own commits them all;
what comes meanwhile is the next commit. It decides nothing about any table, and knows nothing of
sockets or of SQLite.
"""

import asyncio
import contextlib
import logging
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar, TypeVarTuple

from netcode.table.effects import Effect, Keep
from netcode.table.errors import StoreError, UnavailableError
from netcode.table.snapshot import Snapshot
from netcode.tracebacks import described

if TYPE_CHECKING:
    from netcode.storage.store import Store

_T = TypeVar("_T")


class StoreThread:
    """Does what it is given in a thread, one after the other, and has the event loop told."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, "journal")

    def submit(self, call: Callable[[], _T], done: Callable[[_T], object]) -> None:
        """Do something that raises nothing; what it returns is handed to `done` in the loop.

        A future of the loop, which `run` has, is two for each call, of which a task is woken.
        """
        loop = asyncio.get_running_loop()

        def work() -> None:
            result = call()
            # A loop that has been closed meanwhile needs to hear of nothing.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(done, result)

        self._executor.submit(work)

    async def run(self, call: Callable[[], _T]) -> _T:
        """Do something, and return what it returns or raise what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, call)

    def close(self) -> None:
        """Wait until all has been done, and do nothing more."""
        self._executor.shutdown()


RETRY_S: Final = 10.0
"""Seconds between two tries while the store cannot be used: little is at stake until then."""

MAXIMUM_ENDED: Final = 100
"""Most games of one table that wait for the history: of longer troubles the first are lost."""

LATENCIES: Final = 1_000
"""How many of the last commits the status is about."""

SWITCH_INTERVAL_S: Final = 0.0001
"""Seconds for which Python lets one thread go on while another waits: with the usual 5 ms a busy
event loop can keep the journal's thread waiting for seconds."""

CarryOut: TypeAlias = Callable[[list[Effect]], None]
"""Carries out the effects of a table."""

_Ts = TypeVarTuple("_Ts")

_log = logging.getLogger(__name__)


class _Waiting(NamedTuple):
    """Effects that wait for a commit, which is known by its number."""

    commit: int
    effects: list[Effect]
    carry_out: CarryOut


class Journal:
    """Commits the newest state of each table, and lets what waits for that go, in its order.

    A store that fails is no reason to end a game, so everything then goes on without waiting. If
    it is the machine's fault (a full disk, another program's lock), the newest states wait, and are
    tried again together until they are kept. What is on disk meanwhile is each table as it was when
    the trouble began. If it is one table's own fault, that table is kept no more, and stays on disk
    as it was; the others are not affected.
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
        self._newest: dict[int, Keep] = {}
        """By table, what is not known to be on disk."""
        self.held: dict[int, deque[_Waiting]] = {}
        """By table, what waits, in its order; tables of which nothing does are not there."""
        self._is_writing = False
        """Whether a commit is under way."""
        self._thread = thread or StoreThread()
        self._trouble: StoreError | None = None
        """Why nothing can be kept for now."""
        self._retry: asyncio.Handle | None = None
        self._given_up: dict[int, StoreError] = {}
        """Tables that are kept no more, and why."""
        self._is_closing = False
        self._is_closed = False
        self._latencies: deque[float] = deque(maxlen=LATENCIES)
        self._commits = 0
        """How many commits have begun; the last has this number."""

    def submit(self, table: int, effects: list[Effect], carry_out: CarryOut) -> None:
        """Carry a table's effects out as soon as what is to be kept of it is on disk."""
        keep = effects[0] if effects else None
        held = self.held.get(table)
        # Who has nothing to keep waits only for what is before it.
        commit = held[-1].commit if held else 0
        if isinstance(keep, Keep) and not (table in self._given_up or self._is_closed):
            older = self._newest.get(table)
            self._newest[table] = _newer(older, keep) if older and older.ended else keep
            if self._trouble is None:
                commit = self._commits + 1
                if not self._is_writing:
                    self._begin()
        if commit:
            self.held.setdefault(table, deque()).append(_Waiting(commit, effects, carry_out))
        else:
            carry_out(effects)

    async def settled(self, table: int | None = None) -> None:
        """Wait until all that was taken so far has been carried out: of a table, or of all."""
        for number in [*self.held] if table is None else [table]:
            if number in self.held:
                carried_out = asyncio.Event()
                self.submit(number, [], lambda _, event=carried_out: event.set())  # type: ignore[misc]
                await carried_out.wait()

    def keeps(self, table: int) -> bool:
        """Whether all that was taken from a table is on disk, or will be with the next commit."""
        is_kept = self._trouble is None or table not in self._newest
        return is_kept and table not in self._given_up

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
        if self._trouble is not None and table in self._newest:
            raise self._trouble
        return await self.run(lambda: self._store.load(table))

    async def close(self) -> None:
        """Keep what is still to be kept, and close the store."""
        await self._idle()
        self._is_closing = True
        if self._retry is not None:
            self._retry.cancel()
            self._begin()
            await self._idle()
        self._is_closed = True
        try:
            await self.run(self._store.close)
        except StoreError as error:
            _log.error("%s", error)
        self._thread.close()

    def status(self) -> dict[str, Any]:
        """Return how many commits there were, and how long they took until effects may go out."""
        ordered = sorted(self._latencies) or [0.0]
        return {
            "works": self._trouble is None,
            "commits": self._commits,
            "p50_ms": round(ordered[len(ordered) // 2], 3),
            "p99_ms": round(ordered[len(ordered) * 99 // 100], 3),
        }

    # Writing

    async def _idle(self) -> None:
        """Wait until nothing is written."""
        while self._is_writing:
            await self.run(lambda: None)

    def _begin(self) -> None:
        """Begin a commit of all that is not on disk."""
        self._is_writing, self._retry = True, None
        self._commits += 1
        newest = dict(self._newest)
        done = partial(self._committed, newest, time.perf_counter())
        self._thread.submit(partial(_commit, self._store, newest, int(self._clock())), done)

    def _committed(
        self, newest: Mapping[int, Keep], began: float, outcome: Mapping[int | None, StoreError]
    ) -> None:
        """Begin the next commit if there is more, and carry out what needs to wait no more."""
        # Not the loop's time: that may stand still while the loop is busy.
        self._latencies.append((time.perf_counter() - began) * 1000)
        self._is_writing, done, trouble = False, float(self._commits), outcome.get(None)
        for number, kept in newest.items():
            if number in outcome:
                self._give_up(number, outcome[number])
            elif trouble is None and (newer := self._newest[number]) is kept:
                del self._newest[number]
            elif trouble is None:
                ended = tuple(each for each in newer.ended if each not in kept.ended)
                self._newest[number] = Keep(newer.snapshot, ended)
        if trouble is not None:
            self._fail(trouble)
            done = inf
        else:
            if self._trouble is not None:
                self._go_on()
            if self._newest:
                # The disk may work on the next while the loop is busy with these.
                self._begin()
        for number in [*self.held]:
            held, given_up = self.held[number], number in self._given_up
            while held and (given_up or held[0].commit <= done):
                # What this brings comes behind it. A mistake must not hold the others up for good.
                _guarded(held[0].carry_out, held[0].effects)
                held.popleft()
            if not held:
                del self.held[number]

    # Troubles

    def _give_up(self, number: int, error: StoreError) -> None:
        """Keep nothing more of a table."""
        self._newest.pop(number, None)
        self._given_up[number] = error
        _log.error("%s A table goes on without a journal.", error)
        _guarded(self._failed, number, error)

    def _fail(self, error: StoreError) -> None:
        """Keep nothing until another try succeeds."""
        if self._trouble is None:
            _log.error("%s Play goes on without a journal for now.", error)
            _guarded(self._failed, None, error)
        self._trouble = error
        if self._is_closing:
            _log.error("What was not kept until now is lost with the end of the program.")
        else:
            self._retry = asyncio.get_running_loop().call_later(RETRY_S, self._begin)

    def _go_on(self) -> None:
        """Wait for commits again."""
        self._trouble = None
        _log.info("the journal works again")
        _guarded(self._mended)


def shorten_switch_interval() -> None:
    """Set the thread switch interval of this whole process to `SWITCH_INTERVAL_S`."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)


def _newer(older: Keep, keep: Keep) -> Keep:
    """Return what is to be kept once two things are; of a state the newest is all there is."""
    ended = (*older.ended, *keep.ended)
    if len(ended) > MAXIMUM_ENDED:
        _log.error("Nothing could be kept for too long: a game that is over is lost.")
    return Keep(keep.snapshot, ended[-MAXIMUM_ENDED:])


def _guarded(call: Callable[[*_Ts], None], *arguments: *_Ts) -> None:
    try:
        call(*arguments)
    except Exception as error:
        _log.error("what was to be done failed with %s", described(error))


def _commit(store: "Store", newest: Mapping[int, Keep], at: int) -> dict[int | None, StoreError]:
    """Keep all tables at once; if one spoils that, each for itself.

    Returns why some were not kept, under None if that is the machine's fault.
    """
    try:
        store.commit(newest, at)
    except UnavailableError as error:
        return {None: error}
    except StoreError as error:
        why = error
    except Exception as error:
        _log.error("the store failed with %s", described(error))
        why = StoreError("The journal of tables does not work.")
    else:
        return {}
    if len(newest) == 1:
        return dict.fromkeys(newest, why)
    outcome: dict[int | None, StoreError] = {}
    for number, keep in newest.items():
        # Once it is the machine's fault, it is so for all the others too; each try takes seconds.
        if None not in outcome:
            outcome |= _commit(store, {number: keep}, at)
    return outcome
