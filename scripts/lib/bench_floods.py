"""How much longer moves take at honest tables while somebody floods the club that they are in.

The server is a club, with the limits of one and a journal on a real disk; only TLS is off. The
tables play known games, each person at the pace of which a server is sure whatever happens around
it: one frame a second. Each kind of flood comes in turns with quiet, from an address of its own. A
latency is from an act to when all four players of the table hold their view after it. Figures under
a flood are ratios: its latencies to those of all the quiet times of this run.
"""

from dataclasses import dataclass
from typing import Final

from scripts.lib.figures import Figure, percentile
from scripts.lib.flooding import FLOODS
from scripts.lib.processes import Process, journals


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is measured."""

    honest: int
    """Tables that play."""
    acts: int | None
    """At each table in a turn; None for a whole game."""
    pause_s: float
    """Between two acts of a table."""
    own: int
    """Tables that belong to somebody who floods."""


FULL: Final = Extent(honest=24, acts=None, pause_s=0.25, own=8)
SHORT: Final = Extent(honest=1, acts=3, pause_s=0.0, own=1)

QUIET: Final = "quiet"


def measure(short: bool) -> list[Figure]:
    """Return the latencies in quiet, and for each flood how many times that they are."""
    extent = SHORT if short else FULL
    latencies_ms: dict[str, list[float]] = {QUIET: [], **{kind: [] for kind in FLOODS}}
    steps_per_s: dict[str, float] = {}
    with (
        journals() as folder,
        Process("table_hosts.py", 0, "club", extent.honest, folder / "club") as host,
        Process("table_load.py", 1) as load,
        Process("flooding.py", 1) as floods,
    ):
        club = host.hear()
        load.ask(do="sit", name="honest", port=club["port"], secrets=club["secrets"])

        def play(kind: str) -> None:
            played = load.ask(do="play", name="honest", acts=extent.acts, pause_s=extent.pause_s)
            latencies_ms[kind] += played["latencies_ms"]

        def get_ready() -> None:
            if extent.acts is None or not latencies_ms[QUIET]:
                load.ask(do="begin", name="honest")

        for kind in FLOODS:
            get_ready()
            play(QUIET)
            get_ready()
            floods.ask(do="begin", kind=kind, tables=extent.own, **club)
            play(kind)
            steps_per_s[kind] = floods.ask(do="end")["steps_per_s"]
    quiet = {percent: percentile(latencies_ms[QUIET], percent) for percent in (50, 99)}
    figures = [Figure(f"p{percent}_quiet", quiet[percent], "ms") for percent in quiet]
    for kind in FLOODS:
        for percent, quiet_ms in quiet.items():
            ratio = percentile(latencies_ms[kind], percent) / quiet_ms
            figures.append(Figure(f"p{percent}_under_{kind}", round(ratio, 3)))
        figures.append(Figure(f"rate_of_{kind}", round(steps_per_s[kind]), "steps/s"))
    return figures
