"""The further processes of a club, each with the tables of its shard: started, asked and told of.

They are told on their standard input, and tell on their standard output, one JSON object a line.
They end with that input, and so never outlive the process with which members speak; one that ends
by itself is started again, and its tables wake when somebody comes. Which process has which table
is for `club_shards.py` to say.
"""

import asyncio
import sys
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress
from itertools import chain
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from engine.words import ExplainedError
from netcode.own_process import own_command, own_environment, tell_starter
from netcode.protocol.club_messages import TableInfo
from netcode.protocol.messages import TableSettings

START_S: Final = 30.0
"""Seconds within which a process listens, or else does not work."""

AGAIN_S: Final = 2.0
"""Seconds before one that has ended is started again."""

END_S: Final = 10.0
"""Seconds for a process to say goodbye to everybody before it is killed."""

REPORT_S: Final = 0.5
"""Seconds between two looks at whether there is anything new to report."""

ANSWER_S: Final = 5.0
"""Seconds for a process to open a table."""

MAXIMUM_LINE: Final = 1 << 20
"""Bytes of a line: a hundred tables, many times over."""


class OpenOne(Struct, frozen=True, tag=True):
    """Asks a process to open a table; it answers in the order in which it was asked."""

    settings: TableSettings


class DidOpen(Struct, frozen=True, tag=True):
    """Answers that."""

    secret: bytes | None
    """Of the table; None if there is no room for another."""


class Listens(Struct, frozen=True, tag=True):
    """Says that a process is there for those who come."""


class Report(Struct, frozen=True, tag=True):
    """Tells of the tables of a process, whenever that has changed."""

    tables: tuple[TableInfo, ...]
    """Those that members are told of."""
    count: int
    """How many there are in all."""
    metrics: dict[str, Any]


class Note(Struct, frozen=True, tag=True):
    """A sentence for whoever runs the club: the first says why, if a process does not listen."""

    sentence: str


Told: TypeAlias = DidOpen | Listens | Report | Note
"""What a process tells."""


class ProcessError(ExplainedError):
    """A process of a club does not work; the sentence is its own."""


class _Process:
    """One of the further processes."""

    def __init__(self) -> None:
        self.report = Report((), 0, {})
        self.running: asyncio.subprocess.Process | None = None
        self.asked: deque[asyncio.Future[DidOpen]] = deque()
        """The questions that have not been answered, the oldest first."""

    def answered(self, answer: DidOpen) -> None:
        """Pass an answer on to who waits for it, if anybody still does."""
        question = self.asked.popleft()
        if not question.done():
            question.set_result(answer)


class ClubProcesses:
    """All further processes of a club, and what they have told."""

    def __init__(
        self,
        commands: Iterable[tuple[str, ...]],
        notify: Callable[[str], None],
        changed: Callable[[tuple[TableInfo, ...]], None],
    ) -> None:
        """Begin without any.

        Args:
            commands: A module and its arguments for each, as `own_command` takes them.
            notify: Is given sentences for whoever runs the club.
            changed: Is given all their tables whenever these have changed.
        """
        self._commands = list(commands)
        self._notify = notify
        self._changed = changed
        self._processes = [_Process() for _ in self._commands]
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Start them and wait until all listen; raises ProcessError."""
        for process, command in zip(self._processes, self._commands, strict=True):
            told = await self._started(process, command)
            self._tasks.append(asyncio.create_task(self._stay(process, command, told)))

    @property
    def metrics(self) -> list[dict[str, Any]]:
        """What each has told of itself last."""
        return [each.report.metrics for each in self._processes if each.report.metrics]

    async def open(self, settings: TableSettings, here: int) -> DidOpen | None:
        """Return the answer of the process with the fewest tables; None if that is this one.

        Args:
            settings: Of the table.
            here: How many tables there are in this process.
        """
        running = [each for each in self._processes if each.running is not None]
        least = min(running, key=lambda each: each.report.count, default=None)
        if least is None or here <= least.report.count:
            return None
        assert least.running is not None
        assert least.running.stdin is not None
        question = asyncio.get_running_loop().create_future()
        least.asked.append(question)
        least.running.stdin.write(msgspec.json.encode(OpenOne(settings)) + b"\n")
        # The next one is not to be opened there too, as long as it has told of nothing new.
        least.report = msgspec.structs.replace(least.report, count=least.report.count + 1)
        try:
            async with asyncio.timeout(ANSWER_S):
                answer: DidOpen = await question
                return answer
        except TimeoutError:
            return DidOpen(None)

    async def close(self) -> None:
        """End them all, once they have said goodbye to everybody."""
        for task in self._tasks:
            task.cancel()
        # One that is being started has begun, or will not.
        await asyncio.gather(*self._tasks, return_exceptions=True)
        running = [each.running for each in self._processes if each.running is not None]
        for process in running:
            assert process.stdin is not None
            process.stdin.close()
        for process in running:
            try:
                async with asyncio.timeout(END_S):
                    await process.wait()
            except TimeoutError:
                process.kill()
                await process.wait()

    async def _started(self, process: _Process, command: tuple[str, ...]) -> AsyncIterator[Told]:
        """Start a process and return what it tells, once it listens; raises ProcessError."""
        process.running = await asyncio.create_subprocess_exec(
            *own_command(*command),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=MAXIMUM_LINE,
            env=own_environment(),
        )
        told = _told(process.running)
        first: Told | None = None
        with suppress(TimeoutError):
            # Not `wait_for`, which may lose that it is cancelled.
            async with asyncio.timeout(START_S):
                first = await anext(told, None)
        if not isinstance(first, Listens):
            await _end(process)
            sentence = first.sentence if isinstance(first, Note) else " ".join(command)
            raise ProcessError("{why}", why=sentence)
        return told

    async def _stay(
        self, process: _Process, command: tuple[str, ...], told: AsyncIterator[Told]
    ) -> None:
        """Take in what a process tells, and start it again whenever it ends."""
        while True:
            async for each in told:
                match each:
                    case Report():
                        process.report = each
                        tables = (other.report.tables for other in self._processes)
                        self._changed(tuple(chain.from_iterable(tables)))
                    case DidOpen():
                        process.answered(each)
                    case Note():
                        self._notify(each.sentence)
                    case _:
                        pass
            await _end(process)
            while process.running is None:
                while process.asked:
                    process.answered(DidOpen(None))
                await asyncio.sleep(AGAIN_S)
                try:
                    told = await self._started(process, command)
                except (ProcessError, OSError) as error:
                    self._notify(str(error))


async def _end(process: _Process) -> None:
    """End a process that has ended, or makes no sense."""
    assert process.running is not None
    with suppress(ProcessLookupError):
        process.running.kill()
    # As long as it is there, whoever closes all of them is to wait for it.
    await process.running.communicate()
    process.running = None


async def _told(process: asyncio.subprocess.Process) -> AsyncIterator[Told]:
    """Yield what a process tells until it ends, or what it says makes no sense."""
    assert process.stdout is not None
    with suppress(ValueError, msgspec.MsgspecError):
        async for line in process.stdout:
            yield msgspec.json.decode(line, type=Told)


async def obey(
    open_one: Callable[[TableSettings], bytes | None], report: Callable[[], Report]
) -> None:
    """Do what a further process is told, and report, until the process with the members ends.

    Args:
        open_one: Opens a table and returns its secret, None if there is no room for another.
        report: Returns what is to be told.
    """
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()

    def take(line: bytes) -> None:
        tell_starter(DidOpen(open_one(msgspec.json.decode(line, type=OpenOne).settings)))

    def listen() -> None:
        # Standard input is no pipe of the loop on every system.
        for line in sys.stdin.buffer:
            loop.call_soon_threadsafe(take, line)
        loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=listen, daemon=True).start()
    last: Report | None = None
    while not ended.is_set():
        now = report()
        if now != last:
            tell_starter(last := now)
        with suppress(TimeoutError):
            async with asyncio.timeout(REPORT_S):
                await ended.wait()
