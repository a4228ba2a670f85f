"""Runs tasks, such as the deals of a contest, in local processes or on a Ray cluster.

Local workers are new processes instead of forks. They load only the engine, run at low priority,
and end with the process that started them. Every machine of a cluster needs Driflamme and the bots.
A machine with another version of the engine is rejected, since its games would differ.
"""

import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import islice
from types import ModuleType
from typing import Any, Final, TypeAlias, TypeVar

from engine.arena.results import engine_digest
from engine.texts import ExplainedError, Text

Result = TypeVar("Result")

Task: TypeAlias = Callable[[], Result]
"""A task for a worker; it may raise an ExplainedError."""

Submit: TypeAlias = Callable[[Callable[[], Any]], "Future[Any]"]

NICE: Final = 10
"""The niceness of workers: programs that people use on the same machine run first."""

AHEAD: Final = 2
"""Number of submitted tasks for each core: one runs, and one waits, so that no core is idle."""

MOST: Final = 61 if sys.platform == "win32" else 4096
"""Maximum number of worker processes. Windows cannot wait for more."""

LOCAL: Final = "local"
"""The value of `ray` that starts a new cluster on this machine."""

LOOPBACK: Final = "127.0.0.1"
"""The address of a cluster on this machine. Only this machine may reach it: any program that
reaches a Ray cluster can run code on it.
"""

SMALLEST_STORE: Final = 80_000_000
"""The shared memory of a cluster on this machine, in bytes: about Ray's minimum."""

CONNECT_S: Final = 5.0
"""Seconds to wait until a cluster answers."""


class WorkerError(ExplainedError):
    """Raised if a task could not be finished, because its process or the cluster failed."""


class NoRayError(ExplainedError):
    """Raised if Ray is not installed."""


def play_all(
    tasks: Iterable[Task[Result]], workers: int, ray: str | None = None
) -> Generator[Result, None, None]:
    """Run tasks and yield their results, in `workers` processes or on the Ray cluster at `ray`.

    With the address `LOCAL`, the workers form a new cluster on this machine. Closing the generator
    ends the processes at once.

    Raises the errors of tasks, NoRayError if Ray is not installed, and WorkerError if a process
    ends early, no cluster answers or the cluster fails.
    """
    with _cluster(ray, workers) if ray else _processes(workers) as (submit, cores):
        to_do = iter(tasks)
        running = {submit(task) for task in islice(to_do, AHEAD * cores)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            # Queue the next tasks first, so that no worker waits for the consumer of the results.
            running |= {submit(task) for task in islice(to_do, len(done))}
            for each in done:
                yield each.result()


@contextmanager
def _processes(workers: int) -> Iterator[tuple[Submit, int]]:
    others = multiprocessing.active_children()
    workers = min(workers, MOST)
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _settle)

    def submit(task: Callable[[], Any]) -> "Future[Any]":
        with _started_with_nothing():
            return pool.submit(task)

    try:
        yield submit, workers
    except BrokenProcessPool:
        raise WorkerError(
            "A worker process ended in the middle of a deal: run the command again."
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            if process not in others:
                process.terminate()
        pool.shutdown()


def _settle() -> None:
    """Prepare a worker: ignore Ctrl-C, lower the priority, and end with the parent process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        with suppress(OSError):
            os.nice(NICE)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


@contextmanager
def _started_with_nothing() -> Iterator[None]:
    """Start processes that import no main module and ignore Ctrl-C.

    A spawned process first imports the parent's main module, here the whole command line. It
    imports nothing if that module has neither a spec nor a file. A signal that is blocked when a
    process starts stays blocked in it.
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


@contextmanager
def _cluster(address: str, workers: int) -> Iterator[tuple[Submit, int]]:
    try:
        import ray
    except ImportError:
        raise NoRayError(
            "Ray is not installed: install it with pip install '.[ray]' in the clone."
        ) from None
    this_machine: str = ray.util.get_node_ip_address()  # type: ignore[no-untyped-call]
    if not _is_there(address, this_machine):
        raise WorkerError(
            "No Ray cluster answers at {address}: start it, or correct the address.",
            address=address,
        )
    # Ray reads this variable when it starts. It turns usage reports off.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    options: dict[str, Any] = {"address": address}
    if address == LOCAL:
        options |= {"num_cpus": workers, "include_dashboard": False}
        options |= {"object_store_memory": SMALLEST_STORE, "_node_ip_address": LOOPBACK}
    failed: Text = "The Ray cluster failed; start it again, or omit --ray. {why}"
    try:
        ray.init(log_to_driver=False, logging_level=logging.ERROR, **options)
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        raise WorkerError(failed, why=_first_line(error)) from error
    do: Any = ray.remote(_do_as_here)
    here = engine_digest()
    resources: Any = ray.cluster_resources
    try:
        yield lambda task: do.remote(task, here).future(), max(1, int(resources().get("CPU", 1)))
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, ExplainedError):
            raise error.cause from None
        raise WorkerError(failed, why=_first_line(error)) from error
    except ray.exceptions.RayError as error:
        raise WorkerError(failed, why=_first_line(error)) from error
    finally:
        ray.shutdown()


def _is_there(address: str, this_machine: str) -> bool:
    """Return False if no program listens at HOST:PORT; True for another form of address.

    Ray itself would search for minutes.
    """
    host, colon, port = address.rpartition(":")
    if not colon or "/" in host or not port.isdecimal():
        return True
    # A cluster on this machine listens at the machine's address. Ray replaces these names by that
    # address.
    host = this_machine if host in ("localhost", "127.0.0.1", "[::1]") else host.strip("[]")
    try:
        socket.create_connection((host, int(port)), CONNECT_S).close()
    except (OSError, OverflowError):
        return False
    return True


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _do_as_here(task: Task[Result], digest: str) -> Result:
    """Run a task on a machine of the cluster.

    Raises WorkerError if the engine on that machine has another digest.
    """
    if engine_digest() != digest:
        raise WorkerError(
            "A machine of the cluster has another version of Driflamme: install the same "
            "one everywhere."
        )
    return task()
