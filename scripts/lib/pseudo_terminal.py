"""A program in a terminal of its own: what it writes, when, and what that shows.

The terminal answers what it is asked as a modern one does.
"""

import os
import pty
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
"""What a terminal is asked, and answers: signs are narrow, the background is dark, it can show a
frame at once, and tells its size by signal."""


class Terminal:
    """A program that takes its terminal for a person's."""

    def __init__(
        self, command: Sequence[str], size: tuple[int, int], environment: Mapping[str, str]
    ) -> None:
        width, height = size
        self.started_at = perf_counter()
        self.pid, self._master = pty.fork()
        if self.pid == 0:
            os.execve(command[0], [*command], environment)
        ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        self.raw = ""
        """All that was written."""
        self.written_at = self.started_at
        """When the last of it came."""
        self.screen = Emulator(width, height)
        self.ended = False
        self._decode = getincrementaldecoder("utf-8")(errors="replace").decode

    def press(self, keys: str) -> None:
        """Type."""
        if not self.ended:
            os.write(self._master, keys.encode())

    def take(self, seconds: float) -> bool:
        """Take in what is written next, if it comes within so long; return whether it does."""
        if self.ended or not select.select([self._master], [], [], seconds)[0]:
            return False
        try:
            text = self._decode(os.read(self._master, 65_536))
        except OSError:
            # Nobody has the other end any more.
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
        """Give the terminal up when its program has ended; return how it ended."""
        _pid, status = os.waitpid(self.pid, 0)
        os.close(self._master)
        return os.waitstatus_to_exitcode(status)

    def hang_up(self) -> int:
        """Close the terminal under its program; return how the program ended."""
        os.close(self._master)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
