"""Holds the effects of each table back until the state that they reveal is on disk.

The journal has the newest state of each table that is not on disk. Its own thread commits these
states together, and states that come meanwhile are the next commit. It decides nothing about
tables, and knows neither sockets nor SQLite.
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
    """Runs calls in a thread, one after another, and reports results to the event loop."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, "journal")

    def submit(self, call: Callable[[], _T], done: Callable[[_T], object]) -> None:
        """Run a call that raises no error, and pass its result to `done` in the loop.

        A future, as in `run`, would cost two objects a call, and wake a task.
        """
        loop = asyncio.get_running_loop()

        def work() -> None:
            result = call()
            # A closed loop needs no result.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(done, result)

        self._executor.submit(work)

    async def run(self, call: Callable[[], _T]) -> _T:
        """Run a call; return what it returns, or raise what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, call)

    def close(self) -> None:
        """Wait until all calls have ended, and accept no more."""
        self._executor.shutdown()


RETRY_S: Final = 10.0
"""Seconds between two attempts while the store cannot be used."""

MAXIMUM_ENDED: Final = 100
"""Maximum number of one table's games that wait for the history. In longer failures the first are
lost.
"""

LATENCIES: Final = 1_000
"""Number of last commits in the status."""

SWITCH_INTERVAL_S: Final = 0.0001
"""Seconds before Python switches to a waiting thread. With the default of 5 ms a busy event loop
can delay the journal's thread for seconds.
"""

Execute: TypeAlias = Callable[[list[Effect]], None]
"""A function that executes the effects of a table."""

_Ts = TypeVarTuple("_Ts")

_log = logging.getLogger(__name__)


class _Waiting(NamedTuple):
    """Effects that wait for a commit with this number."""

    commit: int
    effects: list[Effect]
    execute: Execute


class Journal:
    """Commits the newest state of each table, and then releases the effects in order.

    A failing store must not end a game, so effects then no longer wait. If the machine is to blame
    (a full disk, another program's lock), the newest states wait, and the journal tries to store
    them together again. Meanwhile the disk has each table from before the failure. If one table is
    to blame, the journal no longer stores it, and the disk has its last good state. The other
    tables are not affected.
    """

    def __init__(
        self,
        store: "Store",
        failed: Callable[[int | None, StoreError], None] = lambda table, error: None,
        mended: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.time,
        thread: StoreThread | None = None,
    ) -> None:
        """Begin with a store, which the journal owns from now on.

        `failed` receives the reason when nothing can be stored for now, or when the table with a
        number is no longer stored. `mended` is called when everything is stored again. The clock
        returns the Unix time of a commit. The thread is the journal's own.
        """
        self._store = store
        self._failed = failed
        self._mended = mended
        self._clock = clock
        self._newest: dict[int, Keep] = {}
        """The state of each table that may not be on disk."""
        self.waiting: dict[int, deque[_Waiting]] = {}
        """The waiting effects of each table, in order; tables without any are absent."""
        self._is_writing = False
        """True during a commit."""
        self._thread = thread or StoreThread()
        self._trouble: StoreError | None = None
        """The reason why nothing can be stored for now."""
        self._retry: asyncio.Handle | None = None
        self._given_up: dict[int, StoreError] = {}
        """Tables that are no longer stored, each with the reason."""
        self._is_closing = False
        self._is_closed = False
        self._latencies: deque[float] = deque(maxlen=LATENCIES)
        self._commits = 0
        """Number of commits; also the number of the last."""

    def submit(self, table: int, effects: list[Effect], execute: Execute) -> None:
        """Execute a table's effects once the state in them is on disk."""
        keep = effects[0] if effects else None
        waiting = self.waiting.get(table)
        # Effects without a state wait only for those before them.
        commit = waiting[-1].commit if waiting else 0
        if isinstance(keep, Keep) and not (table in self._given_up or self._is_closed):
            older = self._newest.get(table)
            self._newest[table] = _newer(older, keep) if older and older.ended else keep
            if self._trouble is None:
                commit = self._commits + 1
                if not self._is_writing:
                    self._begin()
        if commit:
            self.waiting.setdefault(table, deque()).append(_Waiting(commit, effects, execute))
        else:
            execute(effects)

    async def settled(self, table: int | None = None) -> None:
        """Wait until all submitted effects of a table, or of all tables, were executed."""
        for number in [*self.waiting] if table is None else [table]:
            if number in self.waiting:
                executed = asyncio.Event()
                self.submit(number, [], lambda _, event=executed: event.set())  # type: ignore[misc]
                await executed.wait()

    def keeps(self, table: int) -> bool:
        """Return True if everything of a table is on disk, or will be with the next commit."""
        is_kept = self._trouble is None or table not in self._newest
        return is_kept and table not in self._given_up

    async def run(self, call: Callable[[], _T]) -> _T:
        """Run a call with the store in the journal's thread, after earlier calls."""
        return await self._thread.run(call)

    async def load(self, table: int) -> Snapshot:
        """Claim a table for this program, and return its stored state; raises StoreError.

        Submit no effects of the table before it is restored.
        """
        await self.settled(table)
        if table in self._given_up:
            raise self._given_up[table]
        if self._trouble is not None and table in self._newest:
            raise self._trouble
        return await self.run(lambda: self._store.load(table))

    async def close(self) -> None:
        """Store everything that is left, and close the store."""
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
        """Return the number of commits, and the latency of effects."""
        ordered = sorted(self._latencies) or [0.0]
        return {
            "works": self._trouble is None,
            "commits": self._commits,
            "p50_ms": round(ordered[len(ordered) // 2], 3),
            "p99_ms": round(ordered[len(ordered) * 99 // 100], 3),
        }

    # Writing

    async def _idle(self) -> None:
        """Wait until no commit is running."""
        while self._is_writing:
            await self.run(lambda: None)

    def _begin(self) -> None:
        """Begin a commit of everything that is not on disk."""
        self._is_writing, self._retry = True, None
        self._commits += 1
        newest = dict(self._newest)
        done = partial(self._committed, newest, time.perf_counter())
        self._thread.submit(partial(_commit, self._store, newest, int(self._clock())), done)

    def _committed(
        self, newest: Mapping[int, Keep], began: float, outcome: Mapping[int | None, StoreError]
    ) -> None:
        """Begin the next commit if there is more; execute the effects that waited."""
        # A clock of its own, since the loop's stands still while the loop is busy.
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
                # Begin the next commit first, so that the disk works while the loop executes
                # effects.
                self._begin()
        for number in [*self.waiting]:
            waiting, given_up = self.waiting[number], number in self._given_up
            while waiting and (given_up or waiting[0].commit <= done):
                # New effects queue up behind. An error must not stop the other tables for good.
                _guarded(waiting[0].execute, waiting[0].effects)
                waiting.popleft()
            if not waiting:
                del self.waiting[number]

    # Failures

    def _give_up(self, number: int, error: StoreError) -> None:
        """Stop storing a table."""
        self._newest.pop(number, None)
        self._given_up[number] = error
        _log.error("%s A table goes on without a journal.", error)
        _guarded(self._failed, number, error)

    def _fail(self, error: StoreError) -> None:
        """Store nothing until an attempt succeeds."""
        if self._trouble is None:
            _log.error("%s Play goes on without a journal for now.", error)
            _guarded(self._failed, None, error)
        self._trouble = error
        if self._is_closing:
            _log.error("What was not kept until now is lost with the end of the program.")
        else:
            self._retry = asyncio.get_running_loop().call_later(RETRY_S, self._begin)

    def _go_on(self) -> None:
        """Let effects wait for commits again."""
        self._trouble = None
        _log.info("the journal works again")
        _guarded(self._mended)


def shorten_switch_interval() -> None:
    """Set the thread switch interval of this process to `SWITCH_INTERVAL_S`."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)


def _newer(older: Keep, keep: Keep) -> Keep:
    """Return one Keep for two: the newest state, with the ended games of both."""
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
    """Store all tables in one commit; if that fails, store each by itself.

    Returns the errors by table, under None if the machine is to blame.
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
        # Once the machine is to blame, all others would fail too, and each attempt takes seconds.
        if None not in outcome:
            outcome |= _commit(store, {number: keep}, at)
    return outcome
