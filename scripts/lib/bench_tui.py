"""Measures bytes and latency of the table in a terminal.

The real app plays in pseudo-terminals of several sizes, with the `TERM` of an SSH session. Starts
of `driflamme play` alternate with starts of a minimal Textual app, from the start of the process to
the first complete screen. `driflamme --help` alternates with the help of a minimal typer program
with as many commands. The rest is measured in a game. The player answers only after a silence that
is longer than the bots' pauses.

Animation is on, as by default, and an opponent's action counts with all its pictures. A phase ends
after some silence, and all its bytes count. All figures are medians, and ratios are ratios of
medians.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from scripts.lib.figures import Figure, percentile
from scripts.lib.pseudo_terminal import Terminal


@dataclass(frozen=True, slots=True)
class Extent:
    """The size of a measurement."""

    sizes: tuple[tuple[int, int], ...]
    """Sizes of terminals for starts. The first is used for the game."""
    starts: int
    """Number of starts of each app in each size, and of each program without a screen."""
    still_s: float
    """Seconds of silence that end a start after the table was shown."""
    quiet_s: float
    """Seconds of silence that end a phase: several times the latency of a key."""
    pace_s: float
    """Seconds for which bots think. They are more than `quiet_s`."""
    actions: int
    """Number of actions of bots in the game."""
    idle_s: float
    """Seconds of the idle phase, in which nothing happens."""


FULL: Final = Extent(((120, 40), (80, 24)), 8, 0.4, 0.3, pace_s=1.0, actions=40, idle_s=1.0)
SHORT: Final = Extent(((80, 24),), 1, 0.05, 0.05, pace_s=0.3, actions=2, idle_s=0.1)

PATIENCE_S: Final = 20.0
"""Seconds to wait for something before the measurement fails."""

MOVES: Final = 4
"""Number of the cursor's moves at a question. One more move before them shows the cursor."""

PROGRAM: Final = (sys.executable, "-m", "driflamme_tui")
PLAY: Final = ("play", "--seed", "7", "--name", "Blaise", "--pace")

SAME_BOTS: Final = """
import random
from runpy import run_module

class Seeded(random.Random):
    def __init__(self):
        super().__init__(7)

random.SystemRandom = Seeded
run_module("driflamme_tui", run_name="__main__", alter_sys=True)
"""
"""A program that starts Driflamme with bots that play the same game each time, so that bytes can be
compared.
"""

PLAY_THE_SAME: Final = (sys.executable, "-c", SAME_BOTS, *PLAY)

PLAY_SLOWLY: Final = (*PROGRAM, *PLAY, "5")
"""A command whose bots pause for 5 seconds, so that the first view stays unchanged meanwhile."""

BEGUN: Final = re.compile(r"\bHAND [1-9]|^ready")
"""Matches a text that every first view has, and no other screen. The minimal app prints that it is
ready.
"""

MINIMAL: Final = """
from textual.app import App
from textual.widgets import Static

class Minimal(App):
    def compose(self):
        yield Static("ready")

Minimal().run()
"""

LEAST_COMMAND_LINE: Final = """
import typer

app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
for number in range(15):
    app.command(f"command-{number}", help="Nothing.")(lambda: None)
app(["--help"])
"""
"""A minimal typer program with as many commands as Driflamme."""

RIGHT: Final = "\x1b[C"
ENTER: Final = "\r"


class SilentError(Exception):
    """Raised if an expected output has not come in time."""


def measure(short: bool) -> list[Figure]:
    """Return the figures of `--help`, of the start at each size of a terminal, and of a game."""
    extent = SHORT if short else FULL
    with TemporaryDirectory(prefix="driflamme-bench-") as folder:
        bench = Bench(extent, environment(Path(folder)))
        ours, least = (*PROGRAM, "--help"), (sys.executable, "-c", LEAST_COMMAND_LINE)
        figures = bench.compare("help{}", bench.run, ours, least)
        for width, height in extent.sizes:
            name = f"start{{}}_{width}x{height}"
            start = partial(bench.start, (width, height))
            figures += bench.compare(name, start, PLAY_SLOWLY, (sys.executable, "-c", MINIMAL))
        return [*figures, *bench.play(extent.sizes[0])]


def environment(home: Path) -> dict[str, str]:
    """Return the environment of an SSH session whose home folder is `home`."""
    dropped = ("NO_COLOR", "SSH_", "TEXTUAL", "XDG_", "LC_", "COLUMNS", "LINES", "PYTHON")
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(dropped)},
        "HOME": str(home),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
        "LANGUAGE": "en",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }


class Bench:
    """Starts and measures programs: each as often as the extent demands."""

    def __init__(self, extent: Extent, environment: dict[str, str]) -> None:
        self.extent = extent
        self.environment = environment

    def compare(
        self, name: str, once: Callable[[Sequence[str]], float], *programs: Sequence[str]
    ) -> list[Figure]:
        """Return the median milliseconds of a program and of a minimal program, and their ratio.

        `name` is the name of each figure, with a `{}` for its ending. `once` runs a program, and
        returns its seconds. The two programs run in turn. With several turns, the first does not
        count.
        """
        turns = [[once(each) for each in programs] for _ in range(self.extent.starts)]
        ours, least = (median(each) for each in zip(*turns[1:] or turns, strict=True))
        return [
            Figure(name.format(""), round(1000 * ours, 1), "ms"),
            Figure(name.format("_of_least"), round(1000 * least, 1), "ms"),
            Figure(name.format("_ratio"), round(ours / least, 3)),
        ]

    def run(self, command: Sequence[str]) -> float:
        """Run a program without a screen; return the seconds until its end."""
        begun = perf_counter()
        subprocess.run(command, env=self.environment, stdout=subprocess.DEVNULL, check=True)
        return perf_counter() - begun

    def start(self, size: tuple[int, int], command: Sequence[str]) -> float:
        """Start an app; return the seconds until it shows its first screen."""
        with self._terminal(command, size) as terminal:
            self._until_it_begins(terminal)
            return terminal.written_at - terminal.started_at

    def play(self, size: tuple[int, int]) -> Iterator[Figure]:
        """Play with bots, and yield the bytes for each kind of event."""
        extent = self.extent
        cursor: list[int] = []
        action: list[int] = []
        idle: list[int] = []
        with self._terminal((*PLAY_THE_SAME, str(extent.pace_s)), size) as terminal:
            self._until_it_begins(terminal)
            while len(action) < extent.actions or not cursor:
                before = len(terminal.raw)
                if terminal.take(2 * extent.pace_s):
                    action.append(self._written(terminal, before))
                    continue
                idle.append(self._written(terminal, before, extent.idle_s))
                self._after(terminal, RIGHT)
                moves = [self._after(terminal, RIGHT) for _ in range(MOVES)]
                # On a busy machine two moves may be drawn together, as one.
                cursor += filter(None, moves)
                self._after(terminal, ENTER)
        for name, value in (
            ("cursor", median(cursor)),
            ("action", median(action)),
            ("action_p90", percentile(action, 90)),
            ("idle", median(idle)),
        ):
            yield Figure("{}_{}x{}".format(name, *size), value, "bytes")

    def _after(self, terminal: Terminal, keys: str) -> int:
        """Press keys; return the number of bytes that the app then writes."""
        before = len(terminal.raw)
        terminal.press(keys)
        return self._written(terminal, before)

    def _written(self, terminal: Terminal, before: int, quiet_s: float = 0.0) -> int:
        """Wait for silence; return the number of bytes since `before`."""
        while terminal.take(quiet_s or self.extent.quiet_s):
            pass
        return len(terminal.raw[before:].encode())

    @contextmanager
    def _terminal(self, command: Sequence[str], size: tuple[int, int]) -> Iterator[Terminal]:
        terminal = Terminal(command, size, self.environment)
        try:
            yield terminal
        finally:
            os.kill(terminal.pid, signal.SIGKILL)
            terminal.close()

    def _until_it_begins(self, terminal: Terminal) -> None:
        """Wait until an app shows its first screen, and then for silence.

        Raises SilentError if the app writes nothing for too long.
        """
        while not BEGUN.search(terminal.screen.text()):
            if not terminal.take(PATIENCE_S):
                raise SilentError(terminal.screen.text())
        while terminal.take(self.extent.still_s):
            pass
