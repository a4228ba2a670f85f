"""A program in a terminal of its own, as a benchmark sees it: what is written, when, what it shows.

The terminal answers what it is asked as a modern one does.
"""

import asyncio
import os
import pty
import re
import struct
import subprocess
import termios
from codecs import getincrementaldecoder
from collections.abc import Callable, Sequence
from fcntl import ioctl
from pathlib import Path
from time import perf_counter
from typing import Final, Self

from scripts.lib.emulator import Emulator

ROOT: Final = Path(__file__).resolve().parents[2]

PATIENCE_S: Final = 20.0
"""How long something awaited may not come before the measurement is given up."""

ANSWERS: Final = ((b"\x1b[?2026$p", b"\x1b[?2026;2$y"), (b"\x1b[?2048$p", b"\x1b[?2048;0$y"))
"""What a terminal is asked, and answers: it can show a frame at once, and tells its size by
signal."""


class SilentError(Exception):
    """What was awaited did not come."""


class Terminal:
    """A program in a terminal of its own: what it writes is counted, and kept as text."""

    def __init__(
        self, command: Sequence[str], size: tuple[int, int], home: Path, quiet_s: float
    ) -> None:
        width, height = size
        self._quiet_s = quiet_s
        self._master, slave = pty.openpty()
        ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        self.started_at = perf_counter()
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=environment(home),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        os.set_blocking(self._master, False)
        self.written = bytearray()
        """All of it."""
        self.written_at = self.started_at
        """When the last of it came."""
        self._decode = getincrementaldecoder("utf-8")(errors="replace").decode
        self._screen = Emulator(*size)
        self._wrote = asyncio.Event()
        asyncio.get_running_loop().add_reader(self._master, self._take)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        asyncio.get_running_loop().remove_reader(self._master)
        self._process.kill()
        os.close(self._master)
        await asyncio.to_thread(self._process.wait)

    def _take(self) -> None:
        try:
            data = os.read(self._master, 65_536)
        except OSError:
            data = b""
        if not data:
            asyncio.get_running_loop().remove_reader(self._master)
            return
        self.written_at = perf_counter()
        self.written += data
        self._screen.feed(self._decode(data))
        self._wrote.set()
        for question, answer in ANSWERS:
            if question in data:
                os.write(self._master, answer)

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self._master, keys.encode())

    def text(self) -> str:
        """Return what the terminal shows."""
        return self._screen.text()

    async def some(self, since: int) -> None:
        """Wait until there is more than was written then."""
        await self._until(lambda: len(self.written) > since)

    async def says(self, text: re.Pattern[str]) -> None:
        """Wait until something is shown."""
        await self._until(lambda: text.search(self.text()) is not None)

    async def _until(self, happened: Callable[[], bool]) -> None:
        deadline = perf_counter() + PATIENCE_S
        while not happened():
            self._wrote.clear()
            try:
                async with asyncio.timeout(deadline - perf_counter()):
                    await self._wrote.wait()
            except TimeoutError:
                raise SilentError(self.text()) from None

    async def quiet(self, seconds: float | None = None) -> None:
        """Wait until nothing has been written for so long, or else for as long as ends a phase."""
        seconds, since = seconds or self._quiet_s, perf_counter()
        while (left := max(since, self.written_at) + seconds - perf_counter()) > 0:
            await asyncio.sleep(left)

    async def phase(self) -> int:
        """Return how many bytes what has just been done has written."""
        before = len(self.written)
        await self.some(before)
        await self.quiet()
        return len(self.written) - before


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
        "PYTHONPATH": str(ROOT),
    }
