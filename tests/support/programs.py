"""Programs as people run them: processes, what they print, and a terminal of their own."""

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import randrange
from typing import Any

from scripts.lib import pseudo_terminal

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "tests.support.offline")
HERE = ("--bind", "127.0.0.1", "--port", "0", "--no-announce")
"""Where a table of a test is open: on this machine alone, on any port, and nobody is told."""
ESCAPES = re.compile(r"\x1b(\[[0-9;?<>=]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[@-Z\\-_=>78])")
WIDTH, HEIGHT = 80, 24
RIGHT, ENTER = "\x1b[C", "\r"
PATIENCE = 4_000
"""Looks at the terminal, each a few hundredths of a second at most, before a test gives up."""
UNHEARD = 20
"""Looks after which a key that had nothing written is taken to have no effect."""


def free_port() -> int:
    """Return a free port that the system gives to nobody by itself, so that it stays free."""
    while True:
        port = randrange(20_000, 30_000)
        with socket.socket() as tried, suppress(OSError):
            tried.bind(("127.0.0.1", port))
            return port


@contextmanager
def nobody_at(port: int = 0) -> Iterator[int]:
    """Hold a port, so that nobody else listens there either."""
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", port))
        yield taken.getsockname()[1]


def environment() -> dict[str, str]:
    return {
        **os.environ,
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
    }


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command without a terminal."""
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def begin(*arguments: str, **options: Any) -> "subprocess.Popen[str]":
    """Begin a command without a terminal, in a group of its own."""
    usual = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.Popen(
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
        self.said = ""
        """What it has printed."""

    def listen(self, until: str = "Ctrl-C") -> None:
        """Hear what it prints, until it has said something or has ended."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if until in line:
                break

    def found(self, pattern: str) -> str:
        """Return what the first group of a pattern is in what it has printed."""
        found = re.search(pattern, self.said)
        assert found, self.said
        return found[1]

    @property
    def port(self) -> int:
        return int(self.found(r"open on port ([0-9]+)"))

    @property
    def link(self) -> str:
        """The invitation that it has printed."""
        return self.found(r"driflamme join (driflamme://\S+)")

    def kill(self) -> None:
        assert self.process.stdout is not None
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def end(self, sign: int = signal.SIGINT) -> int:
        """Tell it to end, hear the rest, and return its exit status."""
        assert self.process.stdout is not None
        self.process.send_signal(sign)
        self.said += self.process.stdout.read()
        self.process.stdout.close()
        return self.process.wait()


@contextmanager
def serving(*arguments: str) -> Iterator[Server]:
    """A server's process that has said all that it says at first, and is no more in the end."""
    server = Server(*arguments)
    try:
        server.listen()
        yield server
    finally:
        server.kill()


class Terminal(pseudo_terminal.Terminal):
    """A program in a terminal of its own."""

    def __init__(self, *arguments: str, command: Sequence[str] = COMMAND) -> None:
        super().__init__([*command, *arguments], (WIDTH, HEIGHT), environment())

    @property
    def written(self) -> str:
        """All that was written, without control sequences: not much of what was shown before is
        written again."""
        return ESCAPES.sub("", self.raw)

    def look(self) -> str:
        """Take in what the program has written by now."""
        while self.take(0.02):
            pass
        return self.screen.text()

    def until(self, text: str, keys: Sequence[str] = ()) -> None:
        """Press keys, each once the one before has had its effect, until a text is shown."""
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
        """Wait for the program's own end, and return its exit status."""
        for _ in range(PATIENCE):
            self.look()
            if self.ended:
                assert "Traceback" not in self.written
                return self.close()
        os.kill(self.pid, signal.SIGKILL)
        raise AssertionError(f"does not end: {self.screen.text()}")
