"""What the table sends to the terminal, in bytes, and how soon it is there.

The real app plays in pseudo-terminals of several sizes, with what an SSH session has for `TERM`.
`driflamme play` is started over and over, in turns with the least app that Textual can be, and
timed from the start of the process to the first table that is complete; `driflamme --help` in turns
with the help of the least program that typer can be, with as many commands that do nothing. For the
rest it is played: who plays here answers only after a silence that no bot keeps.

What happens is shown in pictures, as it is unless somebody switches them off, and an action of
another player counts with all of them. A phase is over when nothing has been written for a while.
All that was written meanwhile counts. All figures are medians, ratios those of the medians.
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
    """How much is measured."""

    sizes: tuple[tuple[int, int], ...]
    """Of the terminals in which apps start; a game is played in the first."""
    starts: int
    """Of each app, in each size, and of each program without a screen."""
    still_s: float
    """Of silence end a start, once there is the table: what comes after it is drawn by then."""
    quiet_s: float
    """Of silence end a phase: several times what the app takes from a key to the screen."""
    pace_s: float
    """How long bots think, which is longer."""
    actions: int
    """Of bots, in the game that is played."""
    idle_s: float
    """Time in which nothing happens."""


FULL: Final = Extent(((120, 40), (80, 24)), 8, 0.4, 0.3, pace_s=1.0, actions=40, idle_s=1.0)
SHORT: Final = Extent(((80, 24),), 1, 0.05, 0.05, pace_s=0.3, actions=2, idle_s=0.1)

PATIENCE_S: Final = 20.0
"""How long something awaited may not come before the measurement is given up."""

MOVES: Final = 4
"""Of the cursor at a question; one before them shows it."""

PROGRAM: Final = (sys.executable, "-m", "driflamme_tui")
PLAY: Final = (*PROGRAM, "play", "--seed", "7", "--name", "Blaise", "--pace")

PLAY_SLOWLY: Final = (*PLAY, "5")
"""Bots that think for so long leave the first table as it is."""

BEGUN: Final = re.compile(r"\bHAND [1-9]|^ready")
"""Stands on the table from the first view on, and on no other screen; with it come the Queue and
the prompt, and what is drawn after it is waited for. The least app says that it is ready."""

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
"""The least program that typer can be with as many commands as there are."""

RIGHT: Final = "\x1b[C"
ENTER: Final = "\r"


class SilentError(Exception):
    """What was awaited did not come."""


def measure(short: bool) -> list[Figure]:
    """Return bytes and times, by the size of the terminal."""
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
    """Return what an SSH session would have, and a home where nobody has played yet."""
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
    """The programs that are measured, each as often as the extent says."""

    def __init__(self, extent: Extent, environment: dict[str, str]) -> None:
        self.extent = extent
        self.environment = environment

    def compare(
        self, name: str, once: Callable[[Sequence[str]], float], *programs: Sequence[str]
    ) -> list[Figure]:
        """Return how long a program takes, and how many times that of the least there can be.

        They take turns, of which the first of several does not count.
        """
        turns = [[once(each) for each in programs] for _ in range(self.extent.starts)]
        ours, least = (median(each) for each in zip(*turns[1:] or turns, strict=True))
        return [
            Figure(name.format(""), round(1000 * ours, 1), "ms"),
            Figure(name.format("_of_least"), round(1000 * least, 1), "ms"),
            Figure(name.format("_ratio"), round(ours / least, 3)),
        ]

    def run(self, command: Sequence[str]) -> float:
        """Return how long a program without a screen takes."""
        begun = perf_counter()
        subprocess.run(command, env=self.environment, stdout=subprocess.DEVNULL, check=True)
        return perf_counter() - begun

    def start(self, size: tuple[int, int], command: Sequence[str]) -> float:
        """Return how long an app takes until it shows what it begins with."""
        with self._terminal(command, size) as terminal:
            self._until_it_begins(terminal)
            return terminal.written_at - terminal.started_at

    def play(self, size: tuple[int, int]) -> Iterator[Figure]:
        """Play with bots, and yield how many bytes each thing has written that happened."""
        extent = self.extent
        cursor: list[int] = []
        action: list[int] = []
        idle: list[int] = []
        with self._terminal((*PLAY, str(extent.pace_s)), size) as terminal:
            self._until_it_begins(terminal)
            while len(action) < extent.actions or not cursor:
                before = len(terminal.raw)
                if terminal.take(2 * extent.pace_s):
                    action.append(self._written(terminal, before))
                    continue
                idle.append(self._written(terminal, before, extent.idle_s))
                self._after(terminal, RIGHT)
                moves = [self._after(terminal, RIGHT) for _ in range(MOVES)]
                # On a busy machine a move may be seen with the next one.
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
        """Return how many bytes keys have written."""
        before = len(terminal.raw)
        terminal.press(keys)
        return self._written(terminal, before)

    def _written(self, terminal: Terminal, before: int, quiet_s: float = 0.0) -> int:
        """Wait until it is quiet, and return how many bytes were written since then."""
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
        """Wait until an app shows what it begins with, and then until all of that stands still."""
        while not BEGUN.search(terminal.screen.text()):
            if not terminal.take(PATIENCE_S):
                raise SilentError(terminal.screen.text())
        while terminal.take(self.extent.still_s):
            pass
