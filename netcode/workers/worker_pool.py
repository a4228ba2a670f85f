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
from collections.abc import Callable, Sequence
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
    question: BotQuestion
    on_answer: OnAnswer | None
    """None if nobody wants to know any more."""
    budget: float
    due: float
    """When it must be answered."""
    worker: "Worker | None" = None
    """Who is at it; None while it waits."""
    overdue: asyncio.Handle | None = None
    """Gives it up."""


class WorkerPool:
    """The workers of a program; belongs to the event loop in which it is first asked."""

    def __init__(self, most: int | None = None, command: Sequence[str] | None = None) -> None:
        """Start none yet; `command` is what a worker runs instead of `worker_main.py`."""
        self._most = most or cores()
        self._command = command or own_command(worker_main.__name__)
        self._numbers = count(1)
        self._asked: dict[int, _Asked] = {}
        """Those that are not answered yet, by their numbers."""
        self._wanted = asyncio.Event()
        """Set when a question may be waiting."""
        self._workers: dict[Worker, asyncio.Task[None]] = {}
        """Each with what takes questions to it."""
        self._closed = False

    def warm(self) -> None:
        """Start a worker, if there is none: a question is about to come."""
        if not self._workers and not self._closed:
            self._start_worker()

    def ask(
        self, question: BotQuestion, budget: float, on_answer: OnAnswer, pause: float = 0.0
    ) -> int:
        """Have a question answered within its budget, in seconds, or a pause; return its number.

        `on_answer` is called once, later, unless the question is dropped.
        """
        number = next(self._numbers)
        due = asyncio.get_running_loop().time() + max(budget, pause)
        if not self._closed:
            self._asked[number] = _Asked(question, on_answer, budget, due)
            self._watch(number)
            self._start_workers()
            self._wanted.set()
        return number

    def drop(self, number: int) -> None:
        """Drop a question, unless it was answered already."""
        asked = self._asked.get(number)
        if asked is None:
            return
        if asked.worker is None:
            self._finish(number, None)
        else:
            asked.on_answer, asked.due = None, asyncio.get_running_loop().time()
            self._watch(number)
            asked.worker.stop()

    async def close(self) -> None:
        """Drop all questions, and end all workers."""
        self._closed = True
        for number in [*self._asked]:
            self._finish(number, None)
        for worker in self._workers:
            worker.kill()
        self._wanted.set()
        if self._workers:
            await asyncio.wait(self._workers.values(), timeout=END_S)

    # Questions

    @property
    def _waiting(self) -> list[int]:
        """The questions that wait for a worker, in the order in which they are due."""
        waiting = (number for number, asked in self._asked.items() if asked.worker is None)
        return sorted(waiting, key=lambda number: self._asked[number].due)

    def _watch(self, number: int) -> None:
        """Have a question given up when it is overdue."""
        asked = self._asked[number]
        if asked.overdue is not None:
            asked.overdue.cancel()
        at = asked.due
        if asked.worker is not None:
            at += GRACE_S
        elif not any(worker.started for worker in self._workers):
            at += STARTING_S
        asked.overdue = asyncio.get_running_loop().call_at(at, self._give_up, number)

    def _give_up(self, number: int) -> None:
        worker = self._asked[number].worker
        slow = "no worker was free" if worker is None else "it took too long"
        if worker is not None:
            worker.kill()
        self._finish(number, BotAnswer(trouble=slow))

    def _finish(self, number: int, answer: BotAnswer | None) -> None:
        """Tell what came of a question, unless it was finished before or nobody wants to know."""
        asked = self._asked.pop(number, None)
        if asked is None:
            return
        assert asked.overdue is not None
        asked.overdue.cancel()
        if answer is not None and asked.on_answer is not None:
            asked.on_answer(answer)

    # Workers

    def _start_workers(self) -> None:
        """Start as many workers as questions wait for, if there may be so many."""
        waiting = len(self._waiting)
        free = len(self._workers) - (len(self._asked) - waiting)
        for _ in range(min(waiting - free, self._most - len(self._workers))):
            self._start_worker()

    def _start_worker(self) -> None:
        worker = Worker()
        self._workers[worker] = asyncio.get_running_loop().create_task(self._employ(worker))

    async def _employ(self, worker: "Worker") -> None:
        """Start a worker, and have it answer one question after the other until it ends."""
        try:
            if not await worker.start(self._command):
                if not self._closed:
                    self._cannot_start()
            elif sum(each.started for each in self._workers) == 1:
                now = asyncio.get_running_loop().time()
                for number in self._waiting:
                    asked = self._asked[number]
                    asked.due = max(asked.due, now + asked.budget)
                    self._watch(number)
            while worker.started and await self._is_wanted():
                await self._answer_next(worker)
        finally:
            worker.kill()
            await worker.ended()
            del self._workers[worker]
            self._start_workers()

    async def _is_wanted(self) -> bool:
        """Wait until a question waits; return whether one does, since none has come for long."""
        with suppress(TimeoutError):
            while not (self._waiting or self._closed):
                self._wanted.clear()
                async with asyncio.timeout(IDLE_S):
                    await self._wanted.wait()
        return bool(self._waiting)

    async def _answer_next(self, worker: "Worker") -> None:
        """Have a worker answer the question that is due first."""
        number, *others = self._waiting
        asked = self._asked[number]
        asked.worker = worker
        self._watch(number)
        now = asyncio.get_running_loop().time()
        end = min(now + asked.budget, asked.due) - min(HANDOVER_S, asked.budget / 4)
        # Whoever is taken up while others wait leaves them a part of the time.
        rounds = 1 + len(others) / self._most
        answer = await worker.answer(asked.question, max(0.0, (end - now) / rounds))
        self._finish(number, answer)

    def _cannot_start(self) -> None:
        """Make do with the other workers; without any, no question waits for one."""
        _log.warning("a process for bots cannot be started")
        if len(self._workers) > 1:
            self._most = len(self._workers) - 1
            return
        for number in self._waiting:
            self._finish(number, BotAnswer(trouble="no process can be started"))


class Worker:
    """A process that answers one question at a time."""

    def __init__(self) -> None:
        self.started = False
        """Whether it can be asked."""
        self._process: asyncio.subprocess.Process | None = None
        self._killed = False

    async def start(self, command: Sequence[str]) -> bool:
        """Start the process; return whether it can be asked, as soon as that is known."""
        # A ValueError is a first line without an end.
        with suppress(OSError, NotImplementedError, TimeoutError, ValueError):
            async with asyncio.timeout(START_S):
                self._process = await asyncio.create_subprocess_exec(
                    *command,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    # What a bot complains of might hold what it sees.
                    stderr=asyncio.subprocess.DEVNULL,
                    env=own_environment(),
                    creationflags=_BELOW_OTHERS,
                )
                if self._killed:
                    self.kill()
                said = await self._read()
                self.started = said.decode(errors="replace").strip() == READY and not self._killed
        return self.started

    async def answer(self, question: BotQuestion, seconds: float) -> BotAnswer:
        """Ask the process, which may think for so many seconds; return what came of it."""
        self._write(as_line((seconds, question)))
        try:
            return msgspec.json.decode(await self._read(), type=BotAnswer)
        except (ValueError, RecursionError):
            self.kill()
            return BotAnswer(trouble="its process died")

    def stop(self) -> None:
        """Have the process answer now."""
        self._write(as_line((0.0, None)))

    def kill(self) -> None:
        """Kill the process, whatever it is doing: it has nothing that could be lost."""
        self._killed, self.started = True, False
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                if sys.platform == "win32":
                    self._process.terminate()
                else:
                    # Not by Process.kill, which would take its end away from whoever waits for it.
                    os.kill(self._process.pid, signal.SIGKILL)

    async def ended(self) -> None:
        """Wait until the process is no more."""
        if self._process is not None:
            await self._process.wait()

    async def _read(self) -> bytes:
        assert self._process is not None
        assert self._process.stdout is not None
        return await self._process.stdout.readline()

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
