"""Plays the games of a contest on a Ray cluster: what `pool.py` does, on many machines.

Every machine of the cluster needs Driflamme, and the bots that take part; one whose engine differs
from the one here is refused, since its games would differ as well.
"""

import logging
import os
import socket
from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from typing import Any, Final

from engine.arena.contest import Failure, Work, attempt
from engine.arena.pool import Result, WorkerError
from engine.arena.results import engine_digest
from engine.words import N_, ExplainedError

LOCAL: Final = "local"
"""What stands in place of an address for a cluster of this machine alone, started anew."""

LOOPBACK: Final = "127.0.0.1"
"""The address of that cluster, since whoever reaches a Ray cluster can have it run anything."""

SMALLEST_STORE: Final = 80_000_000
"""The shared memory of that cluster, in bytes: about the least that Ray takes."""

AHEAD: Final = 2
"""How many games lie ready for each core, so that none waits for the next."""


CONNECT_S: Final = 5.0
"""How long a cluster may take to answer, in seconds."""


class NoRayError(ExplainedError):
    """Ray is not installed."""


def play_on_ray(
    jobs: Iterable[Work[Result]], address: str, workers: int
) -> Generator[Result, None, None]:
    """Do work, such as games, on the cluster at an address (with `LOCAL`, by so many workers).

    Raises NoRayError, and WorkerError when a bot or the cluster fails, or there is none.
    """
    try:
        import ray
    except ImportError:
        raise NoRayError(
            N_("Ray is not installed: it comes with pip install '.[ray]' in the clone.")
        ) from None
    this_machine: str = ray.util.get_node_ip_address()  # type: ignore[no-untyped-call]
    if not _is_there(address, this_machine):
        raise WorkerError(N_("No Ray cluster answers at {address}."), address=address)
    # Read when it starts: nothing is to be told to anybody.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    options: dict[str, Any] = {"address": address}
    if address == LOCAL:
        options |= {"num_cpus": workers, "include_dashboard": False}
        options |= {"object_store_memory": SMALLEST_STORE, "_node_ip_address": LOOPBACK}
    try:
        ray.init(log_to_driver=False, logging_level=logging.ERROR, **options)
    except (ConnectionError, OSError, RuntimeError, ValueError) as error:
        template = N_("The Ray cluster failed: {why}")
        raise WorkerError(template, why=_first_line(error)) from error
    try:
        yield from _play(ray, jobs)
    except ray.exceptions.RayError as error:
        template = N_("The Ray cluster failed: {why}")
        raise WorkerError(template, why=_first_line(error)) from error
    finally:
        ray.shutdown()


def _is_there(address: str, this_machine: str) -> bool:
    """Whether somebody listens at a HOST:PORT, for which Ray itself would look for minutes."""
    host, colon, port = address.rpartition(":")
    if not colon or "/" in host or not port.isdecimal():
        return True
    # What Ray, too, takes these for: a cluster listens at the address that others reach it by.
    host = this_machine if host in ("localhost", "127.0.0.1", "[::1]") else host.strip("[]")
    try:
        socket.create_connection((host, int(port)), CONNECT_S).close()
    except (OSError, OverflowError):
        return False
    return True


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _play(ray: Any, jobs: Iterable[Work[Result]]) -> Iterator[Result]:
    play = ray.remote(_attempt_as_here)
    here = engine_digest()
    to_play = iter(jobs)
    most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
    running = [play.remote(job, here) for job in islice(to_play, most)]
    while running:
        [done], running = ray.wait(running)
        running += [play.remote(job, here) for job in islice(to_play, 1)]
        answer = ray.get(done)
        if isinstance(answer, Failure):
            raise WorkerError(answer.template, **answer.values)
        yield answer


def _attempt_as_here(work: Work[Result], digest: str) -> Result | Failure:
    """Do work on a machine of the cluster, if its engine is the one with that digest."""
    if engine_digest() != digest:
        return Failure(N_("A machine of the cluster has another version of Driflamme."), {})
    return attempt(work)
