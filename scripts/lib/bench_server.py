"""How many moves a second a server of tables makes, and what memory that takes.

A move counts when all four players of a table hold their view after it, each of them the very
frame that the rules foretell. The server is the one that plays: rules, views, a journal on a
real disk, websockets; only TLS is off, and so are the limits on connections. It and the players
are processes of their own on cores of their own. At each table the next act is sent as soon as
the last one counts, so with many tables the server is never without work. `ceiling` is a server
that hands frames of the same size out, with `websockets` and MessagePack, and does nothing else.

All servers are up side by side and take turns, so that what else the machine does strikes them
alike. Rates are medians of the turns, latencies those of all moves. Between two games, and in a
game once the first table has finished its own, nothing is measured. What a relay adds is measured
by itself.
"""

import resource
from contextlib import ExitStack
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from scripts.lib.figures import Figure, percentile
from scripts.lib.processes import Process, journals
from scripts.lib.relay_cost import measure_relay


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is measured."""

    counts: tuple[int, ...]
    """How many tables play at a time; the ceiling is that of the last."""
    turns: int
    """Of each server."""
    moves: int
    """Of a turn, about; tables that are few play several games for it."""
    idle: int
    """How many tables are to sit idle; fewer do if the system allows no more files."""


FULL: Final = Extent(counts=(1, 25, 100), turns=7, moves=5000, idle=1000)
SHORT: Final = Extent(counts=(2,), turns=1, moves=100, idle=3)

MOVES_OF_A_GAME: Final = 67
"""On average."""

BARE_BYTES: Final = 31
"""Of a frame of the ceiling's, besides its filler."""

SPARE_FILES: Final = 200
"""That a process may open besides its connections."""


@dataclass
class Measured:
    """What the turns of one server have brought."""

    moves_per_s: list[float] = field(default_factory=list)
    latencies_ms: list[float] = field(default_factory=list)
    state_bytes: list[int] = field(default_factory=list)


def measure(short: bool) -> list[Figure]:
    """Return moves a second, latencies, memory, and how near that is to the ceiling."""
    extent = SHORT if short else FULL
    idle = min(extent.idle, (_raise_limit_of_files(4 * extent.idle) - SPARE_FILES) // 4)
    most = extent.counts[-1]
    with ExitStack() as stack:
        folder = stack.enter_context(journals())

        def started(script: str, core: int, *arguments: object) -> Process:
            return stack.enter_context(Process(script, core, *arguments))

        load = started("table_load.py", 1)
        hosts = {
            count: started("table_hosts.py", 0, "tables", count, folder / str(count))
            for count in extent.counts
        }
        bare = started("table_hosts.py", 0, "bare")
        idle_host = started("table_hosts.py", 0, "tables", idle, folder / "idle")
        heard = {each: each.hear() for each in (*hosts.values(), bare, idle_host)}
        for count, host in hosts.items():
            load.ask(do="sit", name=count, **heard[host])
        names: list[int | str] = [*extent.counts, "bare"]
        measured = {name: Measured() for name in names}
        # A first turn says how long the ceiling's frames are to be, and warms up.
        for count in extent.counts:
            _turn(load, count, 1, measured[count])
        states = sorted(measured[most].state_bytes)
        filler = round(sum(states) / len(states)) - BARE_BYTES
        load.ask(do="sit", name="bare", bare=[most, filler], **heard[bare])
        _turn(load, "bare", 1, measured["bare"])
        measured = {name: Measured() for name in names}
        for _ in range(extent.turns):
            for name, results in measured.items():
                tables = name if isinstance(name, int) else most
                _turn(load, name, max(1, round(extent.moves / MOVES_OF_A_GAME / tables)), results)
        rss_mb = {count: host.rss_mb for count, host in hosts.items()}
        for name in measured:
            load.ask(do="leave", name=name)
        load.ask(do="sit", name="idle", **heard[idle_host])
        load.ask(do="begin", name="idle")
        figures = []
        rates = {name: results.moves_per_s for name, results in measured.items()}
        for count in extent.counts:
            figures += [
                Figure(f"moves_at_{count}", round(median(rates[count])), "moves/s"),
                Figure(f"p50_at_{count}", percentile(measured[count].latencies_ms, 50), "ms"),
                Figure(f"p99_at_{count}", percentile(measured[count].latencies_ms, 99), "ms"),
                Figure(f"memory_at_{count}", round(rss_mb[count], 1), "MB"),
            ]
        ratio = median(ours / bare for ours, bare in zip(rates[most], rates["bare"], strict=True))
        return [
            *figures,
            Figure(f"ceiling_at_{most}", round(median(rates["bare"])), "moves/s"),
            Figure(f"ratio_at_{most}", round(ratio, 3)),
            Figure(f"memory_of_{idle}_idle", round(idle_host.rss_mb, 1), "MB"),
            Figure("state_p50", states[len(states) // 2], "bytes"),
            Figure("state_most", states[-1], "bytes"),
            *measure_relay(short),
        ]


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


def _raise_limit_of_files(connections: int) -> int:
    """Let processes open as many files as they need or may; return how many they may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = connections + SPARE_FILES
    if hard != resource.RLIM_INFINITY:
        enough = min(enough, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, enough), hard))
    return max(soft, enough)
