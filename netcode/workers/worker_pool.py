"""The processes in which bots search: started when they are needed, and no more than cores.

A worker (`worker_main.py`) is a Python process of its own, never forked; the event loop waits for
none. Questions are taken up in the order in which their answers are due: each must be answered its
budget after it was asked, so that waiting counts, or at the end of the pause before its answer, if
that is later. While the first worker starts no time goes by for those that wait, up to a bound.
"""

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from itertools import count
from typing import Final

import msgspec
from msgspec import Struct

from netcode.own_process import own_command, own_environment
from netcode.workers import worker_main
from netcode.workers.worker_main import READY, BotAnswer, BotQuestion, as_line

START_S: Final = 10.0
"""Seconds that a worker may take to be ready; usually it is a tenth of one."""

HANDOVER_S: Final = 0.03
"""Seconds by which a search ends before its answer is due: a long iteration, and the way.

Of a short budget it is a quarter, for something must be left to search in.
"""

GRACE_S: Final = 0.5
"""Seconds by which an answer may be late before its worker is killed."""

STARTING_S: Final = 3.0
"""Seconds that a question may wait for longer while the first worker starts."""

END_S: Final = 2.0
"""Seconds to wait for killed processes to end; usually they do at once."""

IDLE_S: Final = 300.0
"""Seconds without a question after which workers are ended: they are some 15 MB each."""

_BELOW_OTHERS = 0
"""What has a worker step back where it cannot do so itself."""

if sys.platform == "win32":
    _BELOW_OTHERS = subprocess.BELOW_NORMAL_PRIORITY_CLASS

_log = logging.getLogger(__name__)

OnAnswer = Callable[[BotAnswer], None]
"""Called with what came of a question."""


class _Asked(Struct, eq=False):
    number: int
    question: BotQuestion
    on_answer: OnAnswer | None
    """None if nobody wants to know any more."""
    budget: float
    due: float
    """When it must be answered."""
    worker: "Worker | None" = None
    """Who is at it; None while it waits."""


class WorkerPool:
    """The workers of a program; belongs to the event loop in which it is first asked."""

    def __init__(self, most: int | None = None, command: Sequence[str] | None = None) -> None:
        """Start none yet; `command` is what a worker runs instead of `worker_main.py`."""
        self._most = most or cores()
        self._command = command or own_command(worker_main.__name__)
        self._numbers = count(1)
        self._asked: dict[int, _Asked] = {}
        """Those that are not answered yet, by their numbers."""
        self._finished: dict[int, OnAnswer] = {}
        """What is about to be called back, by the number of the question."""
        self._workers: list[Worker] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._overdue: asyncio.TimerHandle | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._closed = False

    def warm(self) -> None:
        """Start a worker, if there is none: a question is about to come."""
        if not self._workers and not self._closed:
            self._start()
            self._update()

    def ask(
        self, question: BotQuestion, budget: float, on_answer: OnAnswer, pause: float = 0.0
    ) -> int:
        """Have a question answered within its budget, in seconds, or a pause; return its number.

        `on_answer` is called once, later, unless the question is dropped.
        """
        number = next(self._numbers)
        due = asyncio.get_running_loop().time() + max(budget, pause)
        self._asked[number] = _Asked(number, question, on_answer, budget, due)
        self._update()
        return number

    def drop(self, number: int) -> None:
        """Drop a question, unless it was answered already."""
        self._finished.pop(number, None)
        asked = self._asked.get(number)
        if asked is None:
            return
        asked.on_answer = None
        if asked.worker is None:
            del self._asked[number]
        else:
            asked.due = asyncio.get_running_loop().time()
            asked.worker.stop(number)
        self._update()

    async def close(self) -> None:
        """Drop all questions, and end all workers."""
        self._closed = True
        self._asked.clear()
        self._finished.clear()
        for timer in (self._overdue, self._idle):
            if timer is not None:
                timer.cancel()
        self._end_workers()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=END_S)

    # What is to be done now

    @property
    def _waiting(self) -> list[_Asked]:
        """The questions that wait for a worker, in the order in which they are due."""
        waiting = (asked for asked in self._asked.values() if asked.worker is None)
        return sorted(waiting, key=lambda asked: asked.due)

    def _overdue_at(self, asked: _Asked) -> float:
        """Return when a question is given up unless it is answered."""
        if asked.worker is not None:
            return asked.due + GRACE_S
        return asked.due + (0.0 if self._has_started else STARTING_S)

    def _update(self) -> None:
        """Begin questions, start workers for those that wait, and end what takes too long."""
        if self._closed:
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        for asked in list(self._asked.values()):
            if now >= self._overdue_at(asked):
                worker = asked.worker
                slow = "no worker was free" if worker is None else "it took too long"
                self._finish(asked.number, BotAnswer(trouble=slow))
                if worker in self._workers:
                    self._workers.remove(worker)
                if worker is not None:
                    worker.kill()
        busy = [asked.worker for asked in self._asked.values()]
        free = sum(worker not in busy for worker in self._workers)
        waiting = self._waiting
        for _ in range(min(len(waiting) - free, self._most - len(self._workers))):
            self._start()
        for worker in self._workers:
            if worker.ready and waiting:
                asked = waiting.pop(0)
                asked.worker = worker
                end = min(now + asked.budget, asked.due) - min(HANDOVER_S, asked.budget / 4)
                # Whoever is taken up while others wait leaves them a part of the time.
                rounds = 1 + len(waiting) / self._most
                worker.begin(asked.number, asked.question, max(0.0, (end - now) / rounds))
        self._set_timers(loop)

    def _set_timers(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._overdue is not None:
            self._overdue.cancel()
        at = min(map(self._overdue_at, self._asked.values()), default=None)
        self._overdue = None if at is None else loop.call_at(at, self._update)
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        if self._workers and not self._asked:
            self._idle = loop.call_later(IDLE_S, self._end_workers)

    def _finish(self, number: int, answer: BotAnswer) -> None:
        """Call back with an answer, in the loop's next turn."""
        asked = self._asked.pop(number)
        if asked.on_answer is not None:
            self._finished[number] = asked.on_answer
            asyncio.get_running_loop().call_soon(self._deliver, number, answer)

    def _deliver(self, number: int, answer: BotAnswer) -> None:
        on_answer = self._finished.pop(number, None)
        if on_answer is not None:
            on_answer(answer)

    def _end_workers(self) -> None:
        workers, self._workers = self._workers, []
        for worker in workers:
            worker.kill()

    # Workers

    @property
    def _has_started(self) -> bool:
        return any(worker.started for worker in self._workers)

    def _start(self) -> None:
        worker = Worker()
        task = asyncio.get_running_loop().create_task(self._run(worker))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._workers.append(worker)

    async def _run(self, worker: "Worker") -> None:
        """Start a process, pass its answers on, and see to it when it ends."""
        try:
            async with asyncio.timeout(START_S):
                works = await worker.start(self._command)
        except (OSError, NotImplementedError, TimeoutError, ValueError):
            # A ValueError is a first line without an end.
            works = False
        if works:
            now = asyncio.get_running_loop().time()
            if sum(each.started for each in self._workers) == 1:
                for asked in self._waiting:
                    asked.due = max(asked.due, now + asked.budget)
            self._update()
            async for number, answer in worker.answers():
                if number in self._asked:
                    self._finish(number, answer)
                self._update()
        elif worker in self._workers:
            self._cannot_start(worker)
        if worker in self._workers:
            self._workers.remove(worker)
        for asked in list(self._asked.values()):
            if asked.worker is worker:
                self._finish(asked.number, BotAnswer(trouble="its process died"))
        self._update()
        await worker.end()

    def _cannot_start(self, worker: "Worker") -> None:
        """Make do with the workers that there are; without any, no question waits for one."""
        _log.warning("a process for bots cannot be started")
        if len(self._workers) > 1:
            self._most = len(self._workers) - 1
            return
        for asked in self._waiting:
            self._finish(asked.number, BotAnswer(trouble="no process can be started"))


class Worker:
    """A process that answers one question at a time, when it is `ready`."""

    def __init__(self) -> None:
        self.ready = False
        self.started = False
        self._process: asyncio.subprocess.Process | None = None
        self._killed = False

    async def start(self, command: Sequence[str]) -> bool:
        """Start the process and wait until it is ready; return whether it is."""
        self._process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # What a bot complains of might hold what it sees.
            stderr=asyncio.subprocess.DEVNULL,
            env=own_environment(),
            creationflags=_BELOW_OTHERS,
        )
        assert self._process.stdout is not None
        if self._killed:
            self.kill()
            return False
        said = await self._process.stdout.readline()
        self.ready = said.decode(errors="replace").strip() == READY and not self._killed
        self.started = self.ready
        return self.ready

    async def answers(self) -> AsyncIterator[tuple[int, BotAnswer]]:
        """Yield answers with the numbers of their questions, until the process ends."""
        assert self._process is not None
        assert self._process.stdout is not None
        with suppress(ValueError, RecursionError):
            async for line in self._process.stdout:
                self.ready = not self._killed
                yield msgspec.json.decode(line, type=tuple[int, BotAnswer])

    async def end(self) -> None:
        """Wait until the process is no more."""
        self.kill()
        if self._process is not None:
            await self._process.wait()

    def begin(self, number: int, question: BotQuestion, seconds: float) -> None:
        """Ask the process, which may think for so many seconds."""
        self.ready = False
        self._write(as_line(number, seconds, question))

    def stop(self, number: int) -> None:
        """Have the process answer now."""
        self._write(as_line(number, 0.0, None))

    def kill(self) -> None:
        """Kill the process, whatever it is doing: it has nothing that could be lost."""
        self._killed, self.ready = True, False
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                if sys.platform == "win32":
                    self._process.terminate()
                else:
                    # Not by Process.kill, which would take its end away from whoever waits for it.
                    os.kill(self._process.pid, signal.SIGKILL)

    def _write(self, line: bytes) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        if not self._process.stdin.is_closing():
            self._process.stdin.write(line)


def cores() -> int:
    """Return how many cores this program may use."""
    may_use: int | None = os.cpu_count()
    if sys.platform == "linux":
        may_use = len(os.sched_getaffinity(0))
    return may_use or 1
