"""Holds back the effects of each table until the state that they reveal is on disk.

The journal has the newest state of each table that is not on disk. A thread commits these states
together. States that tables submit meanwhile belong to the next commit. The journal has no logic of
tables, and uses neither sockets nor SQLite.
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
from netcode.tracebacks import error_line

if TYPE_CHECKING:
    from netcode.storage.store import Store

_T = TypeVar("_T")


class StoreThread:
    """Runs calls one after another in a thread, and reports results to the event loop."""

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1, "journal")

    def submit(self, call: Callable[[], _T], done: Callable[[_T], object]) -> None:
        """Run a call that raises no error, and pass its result to `done` in the event loop.

        Unlike `run`, this makes no future, which would cost two objects and a wake-up for each
        call.
        """
        loop = asyncio.get_running_loop()

        def work() -> None:
            result = call()
            # If the loop is closed, nobody needs the result.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(done, result)

        self._executor.submit(work)

    async def run(self, call: Callable[[], _T]) -> _T:
        """Run a call in the thread; return its result or raise its error."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, call)

    def close(self) -> None:
        """Wait until all calls have ended, and accept no more."""
        self._executor.shutdown()


RETRY_S: Final = 10.0
"""Seconds between two attempts to store while storing fails."""

MAXIMUM_ENDED: Final = 100
"""Maximum number of a table's ended games that wait to be stored. If storing fails for longer, the
oldest games are lost.
"""

LATENCIES: Final = 1_000
"""Number of latest commits whose latency is in the status."""

SWITCH_INTERVAL_S: Final = 0.0001
"""Seconds before Python switches to another thread that can run. With the default of 5 ms, a busy
event loop can delay the journal's thread for seconds.
"""

Execute: TypeAlias = Callable[[list[Effect]], None]
"""A function that executes effects of a table."""

_Ts = TypeVarTuple("_Ts")

_log = logging.getLogger(__name__)


class _Waiting(NamedTuple):
    """Effects of a table that wait for the commit with this number."""

    commit: int
    effects: list[Effect]
    execute: Execute


class Journal:
    """Commits the newest state of each table, and then executes the effects in order.

    A failure to store must not end a game, so effects then no longer wait. If the machine is the
    cause, such as a full disk, the newest states stay in memory. The journal tries again to store
    them. Until then, the disk has the tables as they were before the failure. If one table is the
    cause, the journal no longer stores that table, and the disk has its last good state. Other
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
        """Begin with a store, which the journal closes at its end.

        `failed` receives the error when storing fails. Its first argument is the number of the
        table that is no longer stored, or None if nothing can be stored for now. `mended` is called
        when everything is stored again. The clock returns the Unix time of a commit.
        """
        self._store = store
        self._failed = failed
        self._mended = mended
        self._clock = clock
        self._newest: dict[int, Keep] = {}
        """The states that may not be on disk yet, by table."""
        self.waiting: dict[int, deque[_Waiting]] = {}
        """The waiting effects of each table, in order; tables without any are absent."""
        self._is_writing = False
        """True during a commit."""
        self._thread = thread or StoreThread()
        self._trouble: StoreError | None = None
        """The reason why nothing can be stored for now; None if storing works."""
        self._retry: asyncio.Handle | None = None
        self._given_up: dict[int, StoreError] = {}
        """Tables that are no longer stored, each with the reason."""
        self._is_closing = False
        self._is_closed = False
        self._latencies: deque[float] = deque(maxlen=LATENCIES)
        self._commits = 0
        """The number of the last commit, counted from 1."""

    def submit(self, table: int, effects: list[Effect], execute: Execute) -> None:
        """Execute a table's effects once the state in them is on disk.

        While storing fails, execute them without waiting for the disk.
        """
        keep = effects[0] if effects else None
        waiting = self.waiting.get(table)
        # Effects without a state have to wait only for earlier effects.
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
        """Return True if a table's newest state is on disk, or will be with the next commit."""
        is_kept = self._trouble is None or table not in self._newest
        return is_kept and table not in self._given_up

    async def run(self, call: Callable[[], _T]) -> _T:
        """Call a function in the journal's thread, after earlier calls.

        Return its result or raise its error.
        """
        return await self._thread.run(call)

    async def load(self, table: int) -> Snapshot:
        """Claim a table for this program, and return its stored state.

        Submit no effects of the table before it is restored. Raises StoreError if the table is no
        longer stored, or if it is damaged, missing or open in another program.
        """
        await self.settled(table)
        if table in self._given_up:
            raise self._given_up[table]
        if self._trouble is not None and table in self._newest:
            raise self._trouble
        return await self.run(lambda: self._store.load(table))

    async def close(self) -> None:
        """Store everything that is left, and close the store. Errors are logged."""
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
        """Return the status as data for JSON: `works`, and number and latencies of commits.

        `works` is True unless nothing can be stored for now.
        """
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
        """Begin a commit of all states that are not on disk."""
        self._is_writing, self._retry = True, None
        self._commits += 1
        newest = dict(self._newest)
        done = partial(self._committed, newest, time.perf_counter())
        self._thread.submit(partial(_commit, self._store, newest, int(self._clock())), done)

    def _committed(
        self, newest: Mapping[int, Keep], began: float, outcome: Mapping[int | None, StoreError]
    ) -> None:
        """Handle the end of a commit: begin the next one, and execute the effects that waited."""
        # Use `time` directly: the clock of uvloop stands still while the loop is busy.
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
                self._report_mended()
            if self._newest:
                # Begin the next commit first, so that the disk works while the loop executes
                # effects.
                self._begin()
        for number in [*self.waiting]:
            waiting, given_up = self.waiting[number], number in self._given_up
            while waiting and (given_up or waiting[0].commit <= done):
                # Effects may submit new ones, which join the queue. An error must not stop the
                # other tables.
                _guarded(waiting[0].execute, waiting[0].effects)
                waiting.popleft()
            if not waiting:
                del self.waiting[number]

    # Failures

    def _give_up(self, number: int, error: StoreError) -> None:
        """Stop storing a table, and report the reason."""
        self._newest.pop(number, None)
        self._given_up[number] = error
        _log.error("%s A table goes on without a journal.", error)
        _guarded(self._failed, number, error)

    def _fail(self, error: StoreError) -> None:
        """Report a failure of the machine, and try to store again later unless the journal closes.

        Until storing works again, effects do not wait for the disk.
        """
        if self._trouble is None:
            _log.error("%s Play goes on without a journal for now.", error)
            _guarded(self._failed, None, error)
        self._trouble = error
        if self._is_closing:
            _log.error("What was not kept until now is lost with the end of the program.")
        else:
            self._retry = asyncio.get_running_loop().call_later(RETRY_S, self._begin)

    def _report_mended(self) -> None:
        """Let effects wait for commits again, and call `mended`."""
        self._trouble = None
        _log.info("the journal works again")
        _guarded(self._mended)


def shorten_switch_interval() -> None:
    """Set the interval of thread switches in this process to `SWITCH_INTERVAL_S`."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)


def _newer(older: Keep, keep: Keep) -> Keep:
    """Return a Keep that replaces two: the newest state, and the ended games of each.

    Beyond `MAXIMUM_ENDED` games the oldest are lost.
    """
    ended = (*older.ended, *keep.ended)
    if len(ended) > MAXIMUM_ENDED:
        _log.error("Nothing could be kept for too long: a game that is over is lost.")
    return Keep(keep.snapshot, ended[-MAXIMUM_ENDED:])


def _guarded(call: Callable[[*_Ts], None], *arguments: *_Ts) -> None:
    try:
        call(*arguments)
    except Exception as error:
        _log.error("what was to be done failed with %s", error_line(error))


def _commit(store: "Store", newest: Mapping[int, Keep], at: int) -> dict[int | None, StoreError]:
    """Store all tables in one transaction; if that fails, store each table by itself.

    Returns the errors by table. The key None means that the machine is the cause.
    """
    try:
        store.commit(newest, at)
    except UnavailableError as error:
        return {None: error}
    except StoreError as error:
        why = error
    except Exception as error:
        _log.error("the store failed with %s", error_line(error))
        why = StoreError("The journal of tables does not work: try driflamme doctor.")
    else:
        return {}
    if len(newest) == 1:
        return dict.fromkeys(newest, why)
    outcome: dict[int | None, StoreError] = {}
    for number, keep in newest.items():
        # If the machine is the cause, every further attempt fails too, and each takes seconds.
        if None not in outcome:
            outcome |= _commit(store, {number: keep}, at)
    return outcome
