"""Runs the processes in which bots search: started on demand, at most one for each core.

A worker (`worker_main.py`) is a new Python process, never a fork, and the event loop never waits
for it. The pool answers questions in the order of their deadlines. The deadline is when the budget
has passed since `ask`, or when the pause before the answer ends, whichever is later. While the
first worker starts, the deadlines of waiting questions move, up to a bound.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from netcode.child_process import program_command

if TYPE_CHECKING:
    from netcode.workers.questions import BotAnswer, BotQuestion
    from netcode.workers.worker import Worker

WORKER: Final = "netcode.workers.worker_main"
"""The module that a worker process runs. Only workers import it."""

HANDOVER_S: Final = 0.03
"""Seconds by which a search ends before its answer is due. They allow for a long last iteration
and the transfer. A short budget is shortened by at most a quarter.
"""

GRACE_S: Final = 0.5
"""Seconds by which an answer may be late before its worker is killed."""

STARTING_S: Final = 3.0
"""Maximum seconds by which the start of the first worker extends a deadline."""

END_S: Final = 2.0
"""Seconds to wait until killed processes have ended. They usually end at once."""

IDLE_S: Final = 300.0
"""Seconds without a question after which the workers end. Each takes some 15 MB."""

_log = logging.getLogger(__name__)

OnAnswer = Callable[["BotAnswer"], None]
"""A function that receives the result of a question."""


class _Request(Struct, eq=False):
    question: "BotQuestion"
    on_answer: OnAnswer | None
    """Receives the answer; None if the question was dropped."""
    budget: float
    due: float
    """The time at which the answer is due."""
    worker: "Worker | None" = None
    """The worker that searches; None while the question waits."""
    overdue: asyncio.Handle | None = None
    """The timer after which the pool gives up the question; None before it is set."""


class WorkerPool:
    """The workers of a program.

    The pool belongs to the event loop in which its first question comes.
    """

    def __init__(self, most: int | None = None, command: Sequence[str] | None = None) -> None:
        """Create a pool without workers.

        It starts at most `most` workers, by default one for each core. `command` replaces
        `worker_main.py`.
        """
        self._most = most or cores()
        self._command = command or program_command(WORKER)
        self._numbers = count(1)
        self._requests: dict[int, _Request] = {}
        """The unanswered questions, by number."""
        self._wanted = asyncio.Event()
        """Set when a question may be waiting."""
        self._workers: dict[Worker, asyncio.Task[None]] = {}
        """The workers, each with the task that passes questions to it."""
        self._closed = False

    def warm(self) -> None:
        """Start a worker if there is none, since a question will come soon."""
        if not self._workers and not self._closed:
            self._start_worker()

    def ask(
        self, question: "BotQuestion", budget: float, on_answer: OnAnswer, pause: float = 0.0
    ) -> int:
        """Ask a question and return its number. `budget` and `pause` are in seconds.

        `on_answer` is called once, later, unless the question is dropped or the pool is closed.
        """
        number = next(self._numbers)
        due = asyncio.get_running_loop().time() + max(budget, pause)
        if not self._closed:
            self._requests[number] = _Request(question, on_answer, budget, due)
            self._watch(number)
            self._start_workers()
            self._wanted.set()
        return number

    def drop(self, number: int) -> None:
        """Drop a question: its result is not reported.

        Does nothing if the question was answered.
        """
        request = self._requests.get(number)
        if request is None:
            return
        if request.worker is None:
            self._finish(number, None)
        else:
            request.on_answer, request.due = None, asyncio.get_running_loop().time()
            self._watch(number)
            request.worker.stop()

    async def close(self) -> None:
        """Drop all questions and end all workers."""
        self._closed = True
        for number in [*self._requests]:
            self._finish(number, None)
        for worker in self._workers:
            worker.kill()
        self._wanted.set()
        if self._workers:
            await asyncio.wait(self._workers.values(), timeout=END_S)

    # Questions

    @property
    def _waiting(self) -> list[int]:
        """The questions without a worker, by deadline."""
        waiting = (number for number, request in self._requests.items() if request.worker is None)
        return sorted(waiting, key=lambda number: self._requests[number].due)

    def _watch(self, number: int) -> None:
        """Set the timer after which the pool gives up a question."""
        request = self._requests[number]
        if request.overdue is not None:
            request.overdue.cancel()
        at = request.due
        if request.worker is not None:
            at += GRACE_S
        elif not any(worker.started for worker in self._workers):
            at += STARTING_S
        request.overdue = asyncio.get_running_loop().call_at(at, self._give_up, number)

    def _give_up(self, number: int) -> None:
        worker = self._requests[number].worker
        slow = "no worker was free" if worker is None else "it took too long"
        if worker is not None:
            worker.kill()
        self._fail(number, slow)

    def _fail(self, number: int, why: str) -> None:
        from netcode.workers.questions import BotAnswer

        self._finish(number, BotAnswer(trouble=why))

    def _finish(self, number: int, answer: "BotAnswer | None") -> None:
        """End a question: cancel its timer and report the answer, unless that is None.

        A question that is already finished is left alone, and a dropped one gets no report.
        """
        request = self._requests.pop(number, None)
        if request is None:
            return
        assert request.overdue is not None
        request.overdue.cancel()
        if answer is not None and request.on_answer is not None:
            request.on_answer(answer)

    # Workers

    def _start_workers(self) -> None:
        """Start workers for waiting questions, up to the maximum."""
        waiting = len(self._waiting)
        free = len(self._workers) - (len(self._requests) - waiting)
        for _ in range(min(waiting - free, self._most - len(self._workers))):
            self._start_worker()

    def _start_worker(self) -> None:
        # Import here: only searching bots need processes.
        from netcode.workers.worker import Worker

        worker = Worker()
        self._workers[worker] = asyncio.get_running_loop().create_task(self._employ(worker))

    async def _employ(self, worker: "Worker") -> None:
        """Start a worker and pass questions to it until it ends."""
        try:
            if not await worker.start(self._command):
                if not self._closed:
                    self._cannot_start()
            elif sum(each.started for each in self._workers) == 1:
                now = asyncio.get_running_loop().time()
                for number in self._waiting:
                    request = self._requests[number]
                    request.due = max(request.due, now + request.budget)
                    self._watch(number)
            while worker.started and await self._is_wanted():
                await self._answer_next(worker)
        finally:
            worker.kill()
            await worker.ended()
            del self._workers[worker]
            self._start_workers()

    async def _is_wanted(self) -> bool:
        """Wait for a question; return False if the pool closes, or if none comes for `IDLE_S`."""
        with suppress(TimeoutError):
            while not (self._waiting or self._closed):
                self._wanted.clear()
                async with asyncio.timeout(IDLE_S):
                    await self._wanted.wait()
        return bool(self._waiting)

    async def _answer_next(self, worker: "Worker") -> None:
        """Let a worker answer the question that is due first."""
        number, *others = self._waiting
        request = self._requests[number]
        request.worker = worker
        self._watch(number)
        now = asyncio.get_running_loop().time()
        end = min(now + request.budget, request.due) - min(HANDOVER_S, request.budget / 4)
        # While other questions wait, use only a part of the time, and leave the rest to them.
        rounds = 1 + len(others) / self._most
        answer = await worker.answer(request.question, max(0.0, (end - now) / rounds))
        self._finish(number, answer)

    def _cannot_start(self) -> None:
        """Handle a worker that cannot start.

        If there are other workers, the pool starts no more than these. Otherwise all waiting
        questions fail.
        """
        _log.warning("a process for bots cannot be started")
        if len(self._workers) > 1:
            self._most = len(self._workers) - 1
            return
        for number in self._waiting:
            self._fail(number, "no process can be started")


def cores() -> int:
    """Return the number of cores that this program may use."""
    may_use: int | None = os.cpu_count()
    if sys.platform == "linux":
        may_use = len(os.sched_getaffinity(0))
    return may_use or 1
