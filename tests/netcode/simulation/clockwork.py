"""An event loop without clock or sockets: time passes only when no task has anything left to do.

Programs under test run in it as processes. A test can stop a process, like the lid of a laptop, or
kill it before any step between two awaits; later steps of a killed process have no effect. The work
of threads is done in the loop, at random moments. Equal seeds give equal runs.
"""

import asyncio
import heapq
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar
from functools import update_wrapper
from itertools import count
from random import Random
from typing import Any, Final, TypeVar

from netcode.storage.journal import StoreThread

MOST_STEPS: Final = 400_000
"""Maximum steps of a run; more steps mean an endless loop."""

PROMPTLY_S: Final = 0.002
"""Usual maximum seconds until a thread works, and then until its result arrives."""

SLOWLY_S: Final = 0.4
"""Maximum seconds for the same while the disk is busy."""

_T = TypeVar("_T")

_process: ContextVar["Process | None"] = ContextVar("process", default=None)


class StuckError(Exception):
    """The simulation makes no progress, or never ends."""


class Process:
    """A simulated process on a machine, which can be stopped and killed."""

    def __init__(self, name: str, loop: "Clockwork", epoch: float = 0.0) -> None:
        """Start a process whose clock shows `epoch` seconds more than the loop's."""
        self.name = name
        self.alive = True
        self.buried = False
        self.skew = epoch
        self.moments = 0
        """Number of calls of `moment` so far."""
        self.tasks: list[asyncio.Task[Any]] = []
        self.context = Context()
        self.context.run(_process.set, self)
        self._loop = loop
        self._stopped = False
        self._delayed: list[asyncio.Handle] = []
        self._countdown: int | None = None
        self._at_last: Callable[[], None] = lambda: None

    @property
    def runs(self) -> bool:
        """True if the steps of the process run when they are due."""
        return (self.alive or self.buried) and not self._stopped

    def call(self, function: Callable[..., object], *arguments: object) -> None:
        self._loop.call_soon(function, *arguments, context=self.context.copy())

    def start(self, program: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run a program in this process."""
        self.call(lambda: self._loop.create_task(program()))

    def doom(self, moments: int, at_last: Callable[[], None]) -> None:
        """Let the process pass this many more moments; at the next one, call `at_last`."""
        self._countdown, self._at_last = moments, at_last

    def spare(self) -> None:
        """Cancel `doom`."""
        self._countdown = None

    def moment(self) -> None:
        """Pass a moment at which the process may be killed."""
        self.moments += 1
        if self._countdown is not None:
            self._countdown -= 1
            if self._countdown < 0:
                self._countdown = None
                self._at_last()

    def stop(self) -> None:
        """Stop until `go_on`."""
        self._stopped = True

    def go_on(self, slept: float = 0.0) -> None:
        """Continue and run the delayed steps; the clock stood still for `slept` seconds."""
        self._stopped = False
        if slept:
            self.skew -= slept
            self._loop.postpone(self, slept)
        delayed, self._delayed = self._delayed, []
        self._loop.catch_up(delayed)

    def kill(self) -> None:
        self.alive = False
        self._countdown = None

    def hold(self, handle: asyncio.Handle) -> None:
        """Delay a step until `go_on`."""
        self._delayed.append(handle)

    def bury(self) -> None:
        """Cancel the tasks of a killed process; their last steps have no effect outside."""
        for task in self.tasks:
            task.cancel()
        self._stopped, self.buried = False, True
        delayed, self._delayed = self._delayed, []
        self._loop.catch_up(delayed)


class Clockwork(asyncio.BaseEventLoop):
    """An event loop in which time passes only when no task has anything left to do."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self.alarm: Callable[[Exception], None] = lambda error: None
        """Receives errors that no living process has caught."""
        self.steps = 0
        self._running: Process | None = None
        """The process whose step the loop runs at present."""
        self._rng = rng
        self._now = 0.0
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._numbers = count()
        self._free_at: dict[int, float] = {}
        """The time at which each single-threaded pool is free again."""
        self.outside = Context()
        """The context of calls outside all processes."""
        self.set_exception_handler(self._complain)

    @property
    def now(self) -> float:
        """Seconds since the beginning of the simulation."""
        return self._now

    def time(self) -> float:
        """Return the clock of the present process."""
        process = _process.get()
        return self._now if process is None else self._now + process.skew

    def later(self, delay: float, function: Callable[..., object], *arguments: object) -> None:
        """Schedule a call outside all processes, after this many seconds."""
        self._at(self._now + delay, function, arguments, self.outside)

    def postpone(self, process: Process, seconds: float) -> None:
        """Delay the timers of a process by this many seconds."""
        self._timers = [
            (when + seconds if handle._context.get(_process) is process else when, number, handle)  # type: ignore[attr-defined]
            for when, number, handle in self._timers
        ]
        heapq.heapify(self._timers)

    def catch_up(self, handles: list[asyncio.Handle]) -> None:
        """Schedule delayed steps as the loop's next steps."""
        self._ready.extend(handles)  # type: ignore[attr-defined]

    # The interface that asyncio expects of a loop

    def call_at(  # type: ignore[override]
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        process = _process.get() if context is None else context.get(_process)
        at = when if process is None else when - process.skew
        return self._at(at, callback, args, context)

    def call_later(  # type: ignore[override]
        self,
        delay: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        return self._at(self._now + delay, callback, args, context)

    def _at(
        self,
        when: float,
        callback: Callable[..., object],
        args: tuple[Any, ...],
        context: Context | None,
    ) -> asyncio.TimerHandle:
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        handle._scheduled = True  # type: ignore[attr-defined]
        heapq.heappush(self._timers, (when, next(self._numbers), handle))
        return handle

    def create_task(self, coro: Any, **options: Any) -> asyncio.Task[Any]:
        task = super().create_task(coro, **options)
        process = _process.get()
        if process is not None:
            process.tasks.append(task)
            if process.buried:
                task.cancel()
        return task

    def wait_for_the_dead(self, processes: list[Process]) -> None:
        """Wait until the tasks of dead processes have ended."""
        while tasks := [task for each in processes for task in each.tasks if not task.done()]:
            self.run_until_complete(asyncio.wait(tasks))

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Run a thread's work in one later step, and return its result in another."""
        future = self.create_future()
        begin = self._now + self._thread_time()
        if executor is not None:
            begin = max(begin, self._free_at.get(id(executor), 0.0))
            self._free_at[id(executor)] = begin

        def work() -> None:
            try:
                result, error = func(*args), None
            except Exception as raised:
                result, error = None, raised
            self.call_later(self._thread_time(), finish, result, error)

        def finish(result: Any, error: Exception | None) -> None:
            if future.cancelled():
                return
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

        self._at(begin, work, (), None)
        return future

    def _thread_time(self) -> float:
        slow = self._rng.random() < 0.02
        return self._rng.random() * (SLOWLY_S if slow else PROMPTLY_S)

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        pass

    def _write_to_self(self) -> None:
        pass

    def _run_once(self) -> None:
        ready: Any = self._ready  # type: ignore[attr-defined]
        timers = self._timers
        if not ready:
            while timers and timers[0][2].cancelled():
                heapq.heappop(timers)
            if not timers:
                raise StuckError("nobody has anything left to do")
            self._now = max(self._now, timers[0][0])
        while timers and timers[0][0] <= self._now:
            ready.append(heapq.heappop(timers)[2])
        self.steps += len(ready)
        if self.steps > MOST_STEPS:
            raise StuckError(f"no end after {MOST_STEPS} steps")
        for _ in range(len(ready)):
            handle = ready.popleft()
            if handle._cancelled:
                continue
            process = handle._context.get(_process)
            if process is not None:
                if process.runs:
                    process.moment()
                if not process.runs:
                    process.hold(handle)
                    continue
            self._running = process
            handle._run()

    def _complain(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if self._running is None or self._running.alive:
            error = context.get("exception")
            self.alarm(error if isinstance(error, Exception) else StuckError(context["message"]))


def in_no_time(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Return a test that runs an asynchronous test in a `Clockwork`."""

    def run(**fixtures: Any) -> None:
        loop = Clockwork(Random(1))
        try:
            loop.run_until_complete(test(**fixtures))
            left = asyncio.all_tasks(loop)
            for task in left:
                task.cancel()
            if left:
                loop.run_until_complete(asyncio.wait(left))
            loop.run_until_complete(loop.shutdown_asyncgens())
        finally:
            loop.close()

    return update_wrapper(run, test)


class LoopThread(StoreThread):
    """Runs the work of a journal's thread in the loop."""

    def submit(self, call: Callable[[], _T], done: Callable[[_T], object]) -> None:
        working = asyncio.get_running_loop().run_in_executor(self._executor, call)
        working.add_done_callback(lambda future: done(future.result()))
