"""An event loop without a clock or a socket: time passes only when nobody has anything left to do.

Programs under test run as processes in it. A process can be stopped for a while, as by a laptop's
lid, and can be killed before any of its steps, from one await to the next; then none of its later
steps has any effect. What a thread would do is done in the loop, at moments that chance chooses.
Equal seeds give equal runs.
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
"""Of one run; what needs more goes round in circles."""

PROMPTLY_S: Final = 0.002
"""What a thread usually takes for its work, and as long again until it is heard of."""

SLOWLY_S: Final = 0.4
"""What it takes when the disk is busy."""

_T = TypeVar("_T")

_process: ContextVar["Process | None"] = ContextVar("process", default=None)


class StuckError(Exception):
    """Nothing will ever happen any more, or no end of it."""


class Process:
    """A program on a machine of its own: what it is to do, and whether it may."""

    def __init__(self, name: str, loop: "Clockwork", epoch: float = 0.0) -> None:
        """Start a process whose clock shows `epoch` seconds more than the loop's."""
        self.name = name
        self.alive = True
        self.buried = False
        self.skew = epoch
        self.moments = 0
        """That it has got past."""
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
        """Whether its steps are done when they are due."""
        return (self.alive or self.buried) and not self._stopped

    def call(self, function: Callable[..., object], *arguments: object) -> None:
        """Have the process do something."""
        self._loop.call_soon(function, *arguments, context=self.context.copy())

    def start(self, program: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Have the process run a program besides what it runs."""
        self.call(lambda: self._loop.create_task(program()))

    def doom(self, moments: int, at_last: Callable[[], None]) -> None:
        """Have `at_last` called before the process gets past so many moments more."""
        self._countdown, self._at_last = moments, at_last

    def spare(self) -> None:
        """Be doomed no more."""
        self._countdown = None

    def moment(self) -> None:
        """Pass a point at which the process may be killed: before each step, and within some."""
        self.moments += 1
        if self._countdown is not None:
            self._countdown -= 1
            if self._countdown < 0:
                self._countdown = None
                self._at_last()

    def stop(self) -> None:
        """Do nothing until `go_on`."""
        self._stopped = True

    def go_on(self, slept: float = 0.0) -> None:
        """Do what has come due meanwhile; for `slept` seconds its clock stood still too."""
        self._stopped = False
        if slept:
            self.skew -= slept
            self._loop.postpone(self, slept)
        delayed, self._delayed = self._delayed, []
        self._loop.catch_up(delayed)

    def kill(self) -> None:
        """Do nothing ever again."""
        self.alive = False
        self._countdown = None

    def hold(self, handle: asyncio.Handle) -> None:
        """Put a step by that the process cannot do now."""
        self._delayed.append(handle)

    def bury(self) -> None:
        """Let the tasks of a dead process come to their ends, where nobody sees it."""
        for task in self.tasks:
            task.cancel()
        self._stopped, self.buried = False, True
        delayed, self._delayed = self._delayed, []
        self._loop.catch_up(delayed)


class Clockwork(asyncio.BaseEventLoop):
    """The loop."""

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self.alarm: Callable[[Exception], None] = lambda error: None
        """Told of what no process has caught while it was alive."""
        self.steps = 0
        self._running: Process | None = None
        """Whose step is being done."""
        self._rng = rng
        self._now = 0.0
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._numbers = count()
        self._free_at: dict[int, float] = {}
        """When each thread pool of one thread will have done what it was given."""
        self.outside = Context()
        """For what no process does."""
        self.set_exception_handler(self._complain)

    @property
    def now(self) -> float:
        """Seconds since the beginning, by no process's clock."""
        return self._now

    def time(self) -> float:
        """Return what the clock of the present process shows."""
        process = _process.get()
        return self._now if process is None else self._now + process.skew

    def later(self, delay: float, function: Callable[..., object], *arguments: object) -> None:
        """Have something done that no process does."""
        self._at(self._now + delay, function, arguments, self.outside)

    def postpone(self, process: Process, seconds: float) -> None:
        """Put the timers of a process off."""
        self._timers = [
            (when + seconds if handle._context.get(_process) is process else when, number, handle)  # type: ignore[attr-defined]
            for when, number, handle in self._timers
        ]
        heapq.heapify(self._timers)

    def catch_up(self, handles: list[asyncio.Handle]) -> None:
        """Do what was put by."""
        self._ready.extend(handles)  # type: ignore[attr-defined]

    # What asyncio asks of a loop

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
        """Let the tasks of buried processes end."""
        while tasks := [task for each in processes for task in each.tasks if not task.done()]:
            self.run_until_complete(asyncio.wait(tasks))

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Do what a thread would do in one step, a little later, and tell of it in another."""
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
            self.call_later(self._thread_time(), tell, result, error)

        def tell(result: Any, error: Exception | None) -> None:
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
    """Turn an asynchronous test into one for which time passes only while nothing is done."""

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
    """What a thread of a journal would do, done in the loop."""

    def submit(self, call: Callable[[], _T], done: Callable[[_T], object]) -> None:
        working = asyncio.get_running_loop().run_in_executor(self._executor, call)
        working.add_done_callback(lambda future: done(future.result()))
