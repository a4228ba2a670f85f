"""Defines a worker of the pool: a process that answers questions for bots."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import msgspec

from netcode.child_process import program_environment
from netcode.workers.questions import READY, BotAnswer, BotQuestion, as_line

START_S: Final = 10.0
"""Maximum seconds for a worker to start. It usually takes a tenth of a second."""

_BELOW_OTHERS = 0
"""Flags that give a new process a lower priority. They are 0 except on Windows, since elsewhere a
process lowers its own priority.
"""

if sys.platform == "win32":
    _BELOW_OTHERS = subprocess.BELOW_NORMAL_PRIORITY_CLASS


class Worker:
    """A process that answers one question at a time."""

    def __init__(self) -> None:
        self.started = False
        """True once the process can answer."""
        self._process: asyncio.subprocess.Process | None = None
        self._killed = False

    async def start(self, command: Sequence[str]) -> bool:
        """Start the process; return True as soon as it can answer, or False if it fails."""
        # ValueError: the first line is too long.
        with suppress(OSError, NotImplementedError, TimeoutError, ValueError):
            async with asyncio.timeout(START_S):
                self._process = await asyncio.create_subprocess_exec(
                    *command,
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    # Discard error output, since a bot's error may show the view.
                    stderr=asyncio.subprocess.DEVNULL,
                    env=program_environment(),
                    creationflags=_BELOW_OTHERS,
                )
                if self._killed:
                    self.kill()
                reply = await self._read()
                self.started = reply.decode(errors="replace").strip() == READY and not self._killed
        return self.started

    async def answer(self, question: BotQuestion, seconds: float) -> BotAnswer:
        """Ask the process, with a search time in seconds; return the result.

        If the process fails, kill it, and return a BotAnswer with the reason in `trouble`.
        """
        self._write(as_line((seconds, question)))
        try:
            return msgspec.json.decode(await self._read(), type=BotAnswer)
        except (ValueError, RecursionError):
            self.kill()
            return BotAnswer(trouble="its process died")

    def stop(self) -> None:
        """Make the process stop its search and answer now."""
        self._write(as_line((0.0, None)))

    def kill(self) -> None:
        """Kill the process. Killing is always safe, since the process stores nothing."""
        self._killed, self.started = True, False
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                if sys.platform == "win32":
                    self._process.terminate()
                else:
                    # `Process.kill` would consume the exit status, for which `ended` waits.
                    os.kill(self._process.pid, signal.SIGKILL)

    async def ended(self) -> None:
        """Wait until the process has ended."""
        if self._process is not None:
            await self._process.wait()

    async def _read(self) -> bytes:
        assert self._process is not None
        assert self._process.stdout is not None
        return await self._process.stdout.readline()

    def _write(self, line: bytes) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        if not self._process.stdin.is_closing():
            self._process.stdin.write(line)
