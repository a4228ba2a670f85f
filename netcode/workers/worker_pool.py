"""The processes in which bots search: started when they are needed, and no more than cores.

A worker (`worker_main.py`) is a Python process of its own, never forked; the event loop waits for
none. Where no process can be started, threads of this one do the work.
"""

import asyncio
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from netcode.own_process import own_command, own_environment
from netcode.workers import worker_main
from netcode.workers.scheduler import Scheduler
from netcode.workers.thinking_time import Deadline
from netcode.workers.worker_main import READY, BotAnswer, BotQuestion, as_line, think

START_S: Final = 10.0
"""Seconds that a worker may take to be ready; usually it is a tenth of one."""

ATTEMPTS: Final = 2
"""Failures in a row to start a worker, after which threads do the work."""

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


class _Asked(Struct):
    question: BotQuestion
    on_answer: OnAnswer | None
    """None if nobody wants to know any more."""
    worker: "Worker | None" = None


class WorkerPool:
    """The workers of a program; belongs to the event loop in which it is first asked."""

    def __init__(self, most: int | None = None, command: Sequence[str] | None = None) -> None:
        """Start none yet; `command` is what a worker runs instead of `worker_main.py`."""
        self._most = most or cores()
        self._command = command or own_command(worker_main.__name__)
        self._scheduler = Scheduler(self._most)
        self._numbers = count(1)
        self._asked: dict[int, _Asked] = {}
        self._finished: dict[int, OnAnswer] = {}
        """What is about to be called back, by the number of the question."""
        self._workers: list[Worker] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._in_threads = False
        """Whether processes cannot be started here."""
        self._failed = 0
        """How many processes in a row could not be started."""
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
        self._asked[number] = _Asked(question, on_answer)
        self._scheduler.ask(number, budget, asyncio.get_running_loop().time(), pause)
        self._update()
        return number

    def drop(self, number: int) -> None:
        """Drop a question, unless it was answered already."""
        self._finished.pop(number, None)
        asked = self._asked.get(number)
        if asked is None:
            return
        asked.on_answer = None
        if not self._scheduler.drop(number, asyncio.get_running_loop().time()):
            del self._asked[number]
        elif asked.worker is not None:
            asked.worker.shorten(number, 0.0)
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

    def _update(self) -> None:
        """Begin and shorten questions as the scheduler says, and end workers that take too long."""
        if self._closed:
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        waited, overran = self._scheduler.overdue(now)
        for number in waited:
            self._finish(number, BotAnswer(trouble="no worker was free"))
        for number in overran:
            worker = self._asked[number].worker
            self._finish(number, BotAnswer(trouble="it took too long"))
            if worker is not None:
                self._remove(worker)
                worker.kill()
        busy = [asked.worker for asked in self._asked.values()]
        free = sum(worker not in busy for worker in self._workers)
        for _ in range(min(self._scheduler.waiting - free, self._most - len(self._workers))):
            self._start()
        self._scheduler.starting(not any(each.started for each in self._workers), now)
        for worker in self._workers:
            if worker.ready:
                self._begin(worker, now)
        for number, until in self._scheduler.shortened(now):
            worker = self._asked[number].worker
            if worker is not None:
                worker.shorten(number, until - now)
        self._set_timers(loop)

    def _begin(self, worker: "Worker", now: float) -> None:
        begun = self._scheduler.begin(now)
        if begun is not None:
            number, until = begun
            asked = self._asked[number]
            asked.worker = worker
            worker.begin(number, asked.question, max(0.0, until - now))

    def _set_timers(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._overdue is not None:
            self._overdue.cancel()
        at = self._scheduler.next_overdue
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

    def _start(self) -> None:
        worker: Worker
        if self._in_threads:
            worker = _ThreadWorker(self._answered)
        else:
            worker = _ProcessWorker()
            task = asyncio.get_running_loop().create_task(self._run(worker))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._workers.append(worker)

    async def _run(self, worker: "_ProcessWorker") -> None:
        """Start a process, pass its answers on, and see to it when it ends."""
        try:
            async with asyncio.timeout(START_S):
                works = await worker.start(self._command)
        except (OSError, NotImplementedError, TimeoutError, ValueError):
            # A ValueError is a first line without an end.
            works = False
        if works:
            self._failed = 0
            self._update()
            async for number, answer in worker.answers():
                self._answered(number, answer)
        elif worker in self._workers:
            self._failed += 1
            if self._failed == ATTEMPTS:
                self._in_threads = True
                _log.warning(
                    "no process can be started for bots; they think in threads of this one"
                )
        self._remove(worker)
        for number, asked in list(self._asked.items()):
            if asked.worker is worker:
                self._scheduler.end(number)
                self._finish(number, BotAnswer(trouble="its process died"))
        self._update()
        await worker.end()

    def _remove(self, worker: "Worker") -> None:
        if worker in self._workers:
            self._workers.remove(worker)

    def _answered(self, number: int, answer: BotAnswer) -> None:
        self._scheduler.end(number)
        if number in self._asked:
            self._finish(number, answer)
        self._update()


class _ProcessWorker:
    """A worker that is a process."""

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
        """Ask the process."""
        self.ready = False
        self._write(as_line(number, seconds, question))

    def shorten(self, number: int, seconds: float) -> None:
        """Tell the process."""
        self._write(as_line(number, seconds, None))

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


class _ThreadWorker:
    """A worker that is a thread of this program; one that takes too long is left to itself."""

    def __init__(self, answered: Callable[[int, BotAnswer], None]) -> None:
        self.ready = self.started = True
        self._answered = answered
        self._deadline = Deadline()
        self._killed = False

    def begin(self, number: int, question: BotQuestion, seconds: float) -> None:
        """Start the thread."""
        self.ready = False
        self._deadline.begin(number, seconds)
        loop = asyncio.get_running_loop()

        def work() -> None:
            answer = think(question, partial(self._deadline.lasts, number))
            # The program may have ended.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._tell, number, answer)

        threading.Thread(target=work, daemon=True).start()

    def _tell(self, number: int, answer: BotAnswer) -> None:
        if not self._killed:
            self.ready = True
            self._answered(number, answer)

    def shorten(self, number: int, seconds: float) -> None:
        """Have the thread stop sooner."""
        self._deadline.shorten(number, seconds)

    def kill(self) -> None:
        """Ignore the thread from now on."""
        self._killed, self.ready = True, False


Worker: TypeAlias = _ProcessWorker | _ThreadWorker
"""What answers one question at a time, when it is `ready`."""


def cores() -> int:
    """Return how many cores this program may use."""
    may_use: int | None = os.cpu_count()
    if sys.platform == "linux":
        may_use = len(os.sched_getaffinity(0))
    return may_use or 1
