"""Calls absent players by a command of the operator, which never runs in a shell."""

import asyncio
import logging
import shlex
import shutil
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import PurePath
from typing import Final

from driflamme_tui.hosting.parts import OpenPlace, Part
from driflamme_tui.text.i18n import _
from engine.texts import ExplainedError
from netcode.server.table_registry import TableEntry
from netcode.tracebacks import described
from netcode.wings.days.table_parts import CallReport

MAXIMUM_CALL_S: Final = 30.0
"""Maximum seconds for the command; then it is killed."""

MAXIMUM_AT_ONCE: Final = 4
"""Maximum number of commands that run at once: at most one for each table."""

MAXIMUM_WAITING: Final = 5
"""Maximum number of calls that wait for one table. Older ones are dropped: their turn is over."""

SHELL_FILES: Final = (".bat", ".cmd")
"""The endings of files that Windows runs in a shell."""

_log = logging.getLogger(__name__)


def parse_command(text: str) -> list[str]:
    """Return the program and the arguments of a command line.

    The text is split as a shell does it, but nothing in it is replaced.

    Raises:
        ExplainedError: The text is malformed, or this machine cannot safely run the program.
    """
    try:
        words = shlex.split(text, posix=sys.platform != "win32")
    except ValueError:
        raise ExplainedError("Close the quotation mark in the command for calls.") from None
    if not words:
        raise ExplainedError("Type a command for calls: a program and its arguments.")
    program = shutil.which(words[0])
    if program is None:
        raise ExplainedError(
            "There is no program {program!r} for calls: check its path.", program=words[0]
        )
    if sys.platform == "win32" and PurePath(program).suffix.lower() in SHELL_FILES:
        raise ExplainedError(
            "Windows runs {program!r} in a shell, which could take a name for a command: use a"
            " program of another kind for calls.",
            program=words[0],
        )
    return words


def arguments_of(report: CallReport, prefix: str) -> tuple[str, str, str, str]:
    """Return the last arguments of the command: name, address, table, and hours left.

    The name is cut before its first letter or digit, so that no program takes it for an option.
    """
    signs = [sign.isalnum() for sign in report.name]
    name = report.name[signs.index(True) :]
    table = f"{prefix}: {', '.join(report.names)}"
    return name, report.address, table, str(report.hours_left)


class Calls(Part):
    """Runs the command of the operator for each reported call. Its record is the command."""

    def __init__(self, record: str) -> None:
        """Parse the command. Raises ExplainedError."""
        self._record: Final = record
        self._command: Final = parse_command(record)
        self._waiting: dict[int, deque[tuple[str, ...]]] = {}
        """The calls that wait for each table, oldest first."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._places = asyncio.Semaphore(MAXIMUM_AT_ONCE)
        self._place: OpenPlace | None = None
        self._has_notified = False

    def saved_record(self) -> str:
        """Return the command."""
        return self._record

    async def open(self, place: OpenPlace) -> None:
        """Use the place to notify the operator."""
        self._place = place

    def receive_report(self, entry: TableEntry, value: object) -> None:
        """Call a player, after earlier calls of the same table."""
        if not isinstance(value, CallReport):
            return
        waiting = self._waiting.get(entry.number)
        arguments = arguments_of(value, entry.prefix)
        if waiting is not None:
            waiting.append(arguments)
            return
        self._waiting[entry.number] = deque([arguments], maxlen=MAXIMUM_WAITING)
        task = asyncio.create_task(self._call_all(entry.number))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Kill the commands that still run."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _call_all(self, number: int) -> None:
        """Make the waiting calls of a table, one after the other."""
        waiting = self._waiting[number]
        try:
            while waiting:
                async with self._places:
                    await self._call(waiting.popleft())
        finally:
            del self._waiting[number]

    async def _call(self, arguments: Sequence[str]) -> None:
        """Run the command once, and notify the operator of the first failure."""
        # Names and addresses have letters that the encoding of the locale may lack.
        encoded = [each.encode("utf-8", "replace") for each in arguments]
        try:
            status = await run([*self._command, *encoded])
        except Exception as error:
            # One call that fails must not stop the next ones.
            reason = error.strerror if isinstance(error, OSError) else None
            _log.error("the command for calls cannot be started: %s", described(error))
            why = _("it cannot be started: {why}", why=reason or type(error).__name__)
        else:
            if status == 0:
                return
            why = (
                _("it took more than {seconds} s", seconds=round(MAXIMUM_CALL_S))
                if status is None
                else _("it ended with status {status}", status=status)
            )
        # The arguments are nobody else's business, so neither the log nor the sentence has them.
        _log.error("the command for calls failed: %s", why)
        if self._place is not None and not self._has_notified:
            self._has_notified = True
            self._place.notify(_("The command for calls has failed: {why}.", why=why))


async def run(command: Sequence[str | bytes]) -> int | None:
    """Run a command without a shell; return its exit status, or None if it took too long.

    Raises OSError.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        # Use a separate process group: no signal of the terminal reaches it, and it can be killed
        # as a whole.
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(MAXIMUM_CALL_S):
            return await process.wait()
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            _kill(process)
            await process.wait()


def _kill(process: asyncio.subprocess.Process) -> None:
    """Kill a command and the programs that it has started."""
    with suppress(ProcessLookupError):
        if sys.platform == "win32":
            process.kill()
        else:
            import os
            import signal

            os.killpg(process.pid, signal.SIGKILL)
