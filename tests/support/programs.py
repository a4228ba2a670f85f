"""Runs programs as people do: as processes with output, and in terminals."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from random import randrange
from typing import Any

from scripts.lib import pseudo_terminal
from tests.support.warm_starts import ROOT, Program, environment, fork

COMMAND = (sys.executable, "-m", "tests.support.offline")
ORDINARY = (sys.executable, "-P", "-m", "tests.support.offline")
"""A command that `tests/support/warm_starts.py` leaves to the system, as for players."""
HERE = ("--bind", "127.0.0.1", "--port", "0", "--no-announce")
"""Options for a table on this machine only, on any port, without an announcement."""
ESCAPES = re.compile(r"\x1b(\[[0-9;?<>=]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[@-Z\\-_=>78])")
WIDTH, HEIGHT = 80, 24
RIGHT, ENTER = "\x1b[C", "\r"
PATIENCE = 4_000
"""Maximum number of looks at the terminal; each takes a few hundredths of a second at most."""
UNHEARD = 20
"""Number of looks without output after which `until` presses its next key."""


def free_port() -> int:
    """Return a free port below those that the system assigns by itself."""
    while True:
        port = randrange(20_000, 30_000)
        with socket.socket() as tried, suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return port


@contextmanager
def nobody_at(port: int = 0) -> Iterator[int]:
    """Yield a port that refuses connections: the test occupies it, but does not listen.

    `port` is the wanted port; 0 means any free one.
    """
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", port))
        yield taken.getsockname()[1]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command without a terminal; return its finished process."""
    with begin(*arguments, stderr=subprocess.PIPE) as process:
        output, errors = process.communicate()
    return subprocess.CompletedProcess(arguments, process.returncode, output, errors)


def begin(*arguments: str, **options: Any) -> "subprocess.Popen[str]":
    """Start a command without a terminal, in a process group of its own; return its process."""
    usual = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return Program(
        [*COMMAND, *arguments],
        process_group=0,
        cwd=ROOT,
        env=environment(),
        text=True,
        **{**usual, **options},
    )


class Server:
    """A host, a club or a relay as a process without a terminal."""

    def __init__(self, *arguments: str) -> None:
        self.process = begin(*arguments)
        self.output = ""
        """The output so far."""

    def listen(self, until: str = "Ctrl-C") -> None:
        """Read the output up to a text, or to the end."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.output += line
            if until in line:
                break

    def found(self, pattern: str) -> str:
        """Return the first group of a pattern in the output; fail if the pattern does not match."""
        found = re.search(pattern, self.output)
        assert found, self.output
        return found[1]

    @property
    def port(self) -> int:
        return int(self.found(r"open on port ([0-9]+)"))

    @property
    def link(self) -> str:
        """The invitation in the output."""
        return self.found(r"driflamme join (driflamme://\S+)")

    def kill(self) -> None:
        assert self.process.stdout is not None
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def end(self, sign: int = signal.SIGINT) -> int:
        """Send a signal, and read the output to its end; return the exit status."""
        assert self.process.stdout is not None
        self.process.send_signal(sign)
        self.output += self.process.stdout.read()
        self.process.stdout.close()
        return self.process.wait()


@contextmanager
def serving(*arguments: str) -> Iterator[Server]:
    """Yield a server that listens; kill it at the end of the block."""
    server = Server(*arguments)
    try:
        server.listen()
        yield server
    finally:
        server.kill()


class Terminal(pseudo_terminal.Terminal):
    """Runs the program in a pseudo-terminal, without control sequences in its output."""

    def __init__(self, *arguments: str, command: Sequence[str] = COMMAND) -> None:
        super().__init__([*command, *arguments], (WIDTH, HEIGHT), environment())

    def start(self, command: Sequence[str], environment: Mapping[str, str], slave: int) -> int:
        """Start a program in the terminal, as a fork if possible; return its process id."""
        folder, streams = os.getcwd(), [slave] * 3
        forked = fork(command, environment, folder, streams, leads="session")
        return super().start(command, environment, slave) if forked is None else forked

    @property
    def written(self) -> str:
        """The whole output without control sequences.

        The program writes only changes, so most of the text on the screen is not repeated here.
        """
        return ESCAPES.sub("", self.raw)

    def look(self) -> str:
        """Read the program's output so far; return the text on the screen."""
        while self.take(0.02):
            pass
        return self.screen.text()

    def until(self, text: str, keys: Sequence[str] = ()) -> None:
        """Press keys in turn until the screen matches a pattern; `text` is the pattern.

        Each key waits for output after the key before, or for `UNHEARD` looks. The test fails if
        the program ends, or after `PATIENCE` looks.
        """
        turn, written, unheard = 0, 0, UNHEARD
        for _ in range(PATIENCE):
            if re.search(text, self.look()):
                return
            assert not self.ended, f"ended before {text!r}: {self.screen.text()}"
            unheard += 1
            if keys and (len(self.raw) > written or unheard > UNHEARD):
                self.press(keys[turn % len(keys)])
                turn, written, unheard = turn + 1, len(self.raw), 0
        raise AssertionError(f"{text!r} never came: {self.screen.text()}")

    def end(self) -> int:
        """Wait until the program ends; return its exit status. Fails after `PATIENCE` looks."""
        for _ in range(PATIENCE):
            self.look()
            if self.ended:
                assert "Traceback" not in self.written
                return self.close()
        os.kill(self.pid, signal.SIGKILL)
        raise AssertionError(f"does not end: {self.screen.text()}")
