"""Plays the games of a contest in worker processes of this machine.

The processes are started anew rather than forked, load the engine and nothing else, step back
for whatever else the machine has to do, and end with whoever started them.
"""

import os
import signal
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

from engine.arena.contest import Failure, Work, attempt
from engine.words import N_, ExplainedError

if TYPE_CHECKING:
    if sys.platform == "win32":
        from multiprocessing.connection import PipeConnection as Connection
    else:
        from multiprocessing.connection import Connection

NICE: Final = 10
"""How far the workers step back: people who play on the same machine come first."""


Pipe: TypeAlias = "Connection[Any, Any]"
"""One end of a pipe between us and a worker."""


Result = TypeVar("Result")


class WorkerError(ExplainedError):
    """A game could not be finished."""


def play_in_pool(jobs: Iterable[Work[Result]], workers: int) -> Generator[Result, None, None]:
    """Do work, such as games, in so many processes and yield what is finished; raises WorkerError.

    Whoever stops listening, by an exception too, ends the processes at once.
    """
    to_play = iter(jobs)
    busy: dict[Pipe, BaseProcess] = {}
    try:
        with _started_with_nothing():
            for _, job in zip(range(workers), to_play, strict=False):
                connection, process = _start()
                busy[connection] = process
                connection.send(job)
        while busy:
            for ready in wait(list(busy)):
                connection = cast(Pipe, ready)
                result: Result = _receive(connection)
                # First the next game, so that no worker waits for whoever listens here.
                following = next(to_play, None)
                if following is not None:
                    connection.send(following)
                else:
                    _end(connection, busy.pop(connection))
                yield result
    finally:
        for connection, process in busy.items():
            _end(connection, process)


def _receive(connection: Pipe) -> Any:
    try:
        answer = connection.recv()
    except (EOFError, OSError):
        raise WorkerError(N_("A worker process ended in the middle of a deal.")) from None
    if isinstance(answer, Failure):
        raise WorkerError(answer.template, **answer.values)
    return answer


def _start() -> tuple[Pipe, BaseProcess]:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs,), daemon=True)
    process.start()
    # Ours alone keeps the pipe open, so that each side notices when the other is gone.
    theirs.close()
    return ours, process


def _end(connection: Pipe, process: BaseProcess) -> None:
    connection.close()
    process.terminate()
    process.join()


def _work(connection: Pipe) -> None:
    """Play what is sent until nobody sends any more: all that a worker does."""
    if sys.platform == "win32":
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    else:
        with suppress(OSError):
            os.nice(NICE)
    with suppress(EOFError, OSError):
        while True:
            connection.send(attempt(connection.recv()))


@contextmanager
def _started_with_nothing() -> Iterator[None]:
    """Start processes that neither load what this one began with nor hear its Ctrl-C.

    One that is started anew first imports the main module of this one, which is the whole command
    line, unless it has no name and no file. A signal that is held back at the start stays so.
    """
    main = sys.modules["__main__"]
    if sys.platform != "win32":
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        if sys.platform != "win32":
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
