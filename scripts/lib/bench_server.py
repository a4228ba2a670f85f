"""How many moves a second a server of tables makes, and what memory that takes.

A move counts when all four players of a table hold their view after it, each of them the very
frame that the rules foretell. The server is the one that plays: rules, views, a journal on a
real disk, websockets; only TLS is off, and so are the limits on connections. It and the players
are processes of their own on cores of their own. At each table the next act is sent as soon as
the last one counts, so with many tables the server is never without work. `ceiling` is a server
that hands frames of the same size out, with `websockets` and MessagePack, and does nothing else.

All servers are up side by side and take turns, so that what else the machine does strikes them
alike. Rates are medians of the turns, latencies those of all moves. Between two games, and in a
game once the first table has finished its own, nothing is measured.
"""

import json as json_format
import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Final, Self

COUNTS: Final = (1, 25, 100)
"""How many tables play at a time."""

TURNS: Final = 7
"""Of each server."""

MOVES: Final = 5000
"""Of a turn, about; tables that are few play several games for it."""

MOVES_OF_A_GAME: Final = 67
"""On average."""

IDLE_TABLES: Final = 1000

BARE_BYTES: Final = 31
"""Of a frame of the ceiling's, besides its filler."""

SPARE_FILES: Final = 200
"""That a process may open besides its connections."""

ROOT: Final = Path(__file__).resolve().parents[2]
"""Of the clone; the journals lie in it for the time, since /tmp may be no disk."""


def main(json: bool) -> int:
    """Measure and print; with `json`, as one object."""
    figures = measure()
    if json:
        print(json_format.dumps(figures))
        return 0
    for row in figures["tables"]:
        print(
            f"{row['tables']:5} tables: {row['moves_per_s']:>7,.0f} moves/s,"
            f" p50 {row['p50_ms']:.2f} ms, p99 {row['p99_ms']:.2f} ms, {row['rss_mb']:.0f} MB"
        )
    for tables, ceiling in figures["ceiling"].items():
        print(f"ceiling at {tables}: {ceiling['moves_per_s']:>7,.0f} moves/s")
        print(f"ratio: {figures['ratio']:.2f}")
    print(f"{figures['idle_tables']} idle tables of four: {figures['idle_1000_rss_mb']:.0f} MB")
    print(
        f"a State: {figures['state_bytes']['p50']} bytes, {figures['state_bytes']['max']} at most"
    )
    print(f"journal on {figures['filesystem']}")
    return 0


@dataclass
class Measured:
    """What the turns of one server have brought."""

    moves_per_s: list[float] = field(default_factory=list)
    latencies_ms: list[float] = field(default_factory=list)
    state_bytes: list[int] = field(default_factory=list)

    def latency_ms(self, percent: int) -> float:
        """Return the latency that so many in a hundred moves have at most."""
        ordered = sorted(self.latencies_ms)
        return round(ordered[len(ordered) * percent // 100], 3)


def measure(
    counts: Sequence[int] = COUNTS,
    turns: int = TURNS,
    moves: int = MOVES,
    idle: int = IDLE_TABLES,
) -> dict[str, Any]:
    """Return the figures that `--json` prints.

    Args:
        counts: How many tables play at a time; the ceiling is that of the last.
        turns: Of each server.
        moves: Of each turn, about.
        idle: How many tables are to sit idle; fewer do if the system allows no more files.
    """
    idle = min(idle, (_raise_limit_of_files() - SPARE_FILES) // 4)
    most = counts[-1]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix=".bench-", dir=ROOT)))
        load = stack.enter_context(Process("table_load.py", _core(1)))
        hosts = {count: stack.enter_context(_host(count, folder / str(count))) for count in counts}
        for count, host in hosts.items():
            load.ask(do="sit", name=count, **host.hear())
        names: list[int | str] = [*counts, "bare"]
        measured = {name: Measured() for name in names}
        # A first turn says how long the ceiling's frames are to be, and warms up.
        for count in counts:
            _turn(load, count, 1, measured[count])
        states = sorted(measured[most].state_bytes)
        bare = stack.enter_context(Process("table_hosts.py", _core(0), "bare"))
        filler = round(sum(states) / len(states)) - BARE_BYTES
        load.ask(do="sit", name="bare", bare=[most, filler], **bare.hear())
        _turn(load, "bare", 1, measured["bare"])
        measured = {name: Measured() for name in names}
        for _ in range(turns):
            for name, results in measured.items():
                tables = name if isinstance(name, int) else most
                _turn(load, name, max(1, round(moves / MOVES_OF_A_GAME / tables)), results)
        rss_mb = {count: host.rss_mb for count, host in hosts.items()}
        for name in measured:
            load.ask(do="leave", name=name)
        idle_host = stack.enter_context(_host(idle, folder / "idle"))
        load.ask(do="sit", name="idle", **idle_host.hear())
        load.ask(do="begin", name="idle")
        rates = {name: results.moves_per_s for name, results in measured.items()}
        return {
            "tables": [
                {
                    "tables": count,
                    "moves_per_s": round(median(rates[count])),
                    "p50_ms": measured[count].latency_ms(50),
                    "p99_ms": measured[count].latency_ms(99),
                    "rss_mb": round(rss_mb[count], 1),
                }
                for count in counts
            ],
            "ceiling": {str(most): {"moves_per_s": round(median(rates["bare"]))}},
            "ratio": round(
                median(ours / bare for ours, bare in zip(rates[most], rates["bare"], strict=True)),
                3,
            ),
            "idle_1000_rss_mb": round(idle_host.rss_mb, 1),
            "idle_tables": idle,
            "state_bytes": {"p50": states[len(states) // 2], "max": states[-1]},
            "filesystem": _filesystem(folder),
        }


class Process:
    """One of the scripts beside this file, on one core; killed when its context ends."""

    def __init__(self, script: str, core: int, *arguments: object) -> None:
        path = str(Path(__file__).with_name(script))
        self._process = subprocess.Popen(
            [sys.executable, path, str(core), *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def hear(self) -> dict[str, Any]:
        """Return the next line that the process prints."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("a process of the benchmark has failed")
        heard: dict[str, Any] = json_format.loads(line)
        return heard

    def ask(self, **asked: object) -> dict[str, Any]:
        """Tell the process something and return its answer."""
        assert self._process.stdin is not None
        print(json_format.dumps(asked), file=self._process.stdin, flush=True)
        return self.hear()

    @property
    def rss_mb(self) -> float:
        """What memory it has now, in units of 2^20 bytes."""
        command = ["ps", "-o", "rss=", "-p", str(self._process.pid)]
        shown = subprocess.run(command, check=True, capture_output=True, text=True)
        return int(shown.stdout) / 1024


@contextmanager
def _host(tables: int, folder: Path) -> Iterator[Process]:
    folder.mkdir()
    with Process("table_hosts.py", _core(0), "tables", tables, folder) as host:
        yield host


def _turn(load: Process, name: int | str, games: int, results: Measured) -> None:
    moves, seconds = 0, 0.0
    for _ in range(games):
        load.ask(do="begin", name=name)
        played = load.ask(do="play", name=name)
        moves += len(played["latencies_ms"])
        seconds += played["seconds"]
        results.latencies_ms += played["latencies_ms"]
        results.state_bytes += played["state_bytes"]
    results.moves_per_s.append(moves / seconds)


def _core(wanted: int) -> int:
    """Return a core for a process, -1 where it cannot be chosen or there is no other."""
    if not hasattr(os, "sched_getaffinity"):
        return -1
    cores = sorted(os.sched_getaffinity(0))
    return cores[wanted] if len(cores) > 1 else -1


def _raise_limit_of_files() -> int:
    """Let processes open as many files as they may; return how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = 4 * IDLE_TABLES + SPARE_FILES
    if hard != resource.RLIM_INFINITY:
        enough = min(enough, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, enough), hard))
    return max(soft, enough)


def _filesystem(folder: Path) -> str:
    """Return the kind of file system that a folder is on."""
    try:
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()
    except OSError:
        return "unknown"
    device = folder.stat().st_dev
    for mount in reversed(mounts):
        _, point, kind, *_ = mount.split(" ")
        try:
            if Path(point).stat().st_dev == device:
                return kind
        except OSError:
            continue
    return "unknown"
