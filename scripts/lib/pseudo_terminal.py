"""Runs a program in a pseudo-terminal, and records its output, the times and the screen.

The terminal answers queries as a modern one does.
"""

import os
import select
import struct
import termios
from codecs import getincrementaldecoder
from collections.abc import Mapping, Sequence
from fcntl import ioctl
from time import perf_counter
from typing import Final

from scripts.lib.emulator import Emulator

ANSWERS: Final = (
    ("\x1b[c", b"\x1b[1;5R\x1b]11;rgb:1010/1414/1b1b\x1b\\\x1b[?62;4c"),
    ("\x1b[?2026$p", b"\x1b[?2026;2$y"),
    ("\x1b[?2048$p", b"\x1b[?2048;0$y"),
)
"""The answers to a terminal's queries: narrow signs, a dark background, synchronised output, and
sizes by signal.
"""


class Terminal:
    """A program in a pseudo-terminal that answers like a real one."""

    def __init__(
        self, command: Sequence[str], size: tuple[int, int], environment: Mapping[str, str]
    ) -> None:
        width, height = size
        self.started_at = perf_counter()
        self._master, slave = os.openpty()
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        self.pid = self.start(command, environment, slave)
        os.close(slave)
        self.raw = ""
        """All output so far."""
        self.written_at = self.started_at
        """The time of the last output."""
        self.screen = Emulator(width, height)
        self.ended = False
        self._decode = getincrementaldecoder("utf-8")(errors="replace").decode

    def start(self, command: Sequence[str], environment: Mapping[str, str], slave: int) -> int:
        """Start a program in the terminal whose end is `slave`; return its process id."""
        process = os.fork()
        if process == 0:
            os.close(self._master)
            os.login_tty(slave)
            os.execve(command[0], [*command], environment)
        return process

    def press(self, keys: str) -> None:
        """Type keys; do nothing if the program's output has ended."""
        if not self.ended:
            os.write(self._master, keys.encode())

    def take(self, seconds: float) -> bool:
        """Wait at most `seconds` for output, and return True if some came.

        Answers the terminal's queries in the output. Returns False if nothing came or the output
        has ended.
        """
        if self.ended or not select.select([self._master], [], [], seconds)[0]:
            return False
        try:
            text = self._decode(os.read(self._master, 65_536))
        except OSError:
            # Reading fails once the other end is closed.
            text = ""
        self.ended = not text
        self.raw += text
        self.written_at = perf_counter()
        self.screen.feed(text)
        for question, answer in ANSWERS:
            if question in text:
                os.write(self._master, answer)
        return not self.ended

    def close(self) -> int:
        """Close the terminal after its program has ended; return the exit status."""
        _pid, status = os.waitpid(self.pid, 0)
        os.close(self._master)
        return os.waitstatus_to_exitcode(status)

    def hang_up(self) -> int:
        """Close the terminal while its program is running; return the program's exit status."""
        os.close(self._master)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
