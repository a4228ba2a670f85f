"""Calls absent players by a command of the operator, which never runs in a shell."""

import asyncio
import logging
import shlex
import shutil
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path, PurePath
from typing import Final, NamedTuple

from driflamme_tui.hosting.parts import OpenPlace, Part
from driflamme_tui.preferences.remembered import state_path
from driflamme_tui.text.i18n import _
from driflamme_tui.wings.days.call_command import ADDRESS_VARIABLE, RunningCommand, start
from engine.texts import ExplainedError
from netcode.private_files import UnsafeFolderError, make_private_folder
from netcode.server.table_registry import TableEntry
from netcode.tracebacks import error_line
from netcode.wings.days.day_record import UNTOUCHED_S
from netcode.wings.days.due_calls import is_still_due
from netcode.wings.days.table_parts import CallForgotten, CallReport

MAXIMUM_CALL_S: Final = 30.0
"""Maximum seconds for the command; then it is killed."""

MAXIMUM_AT_ONCE: Final = 4
"""Maximum number of commands that run at once: at most one for each table."""

MAXIMUM_WAITING: Final = 5
"""Maximum number of calls that wait for one table. Older ones are dropped: their turn is over."""

MARKS_KEPT_S: Final = 2 * UNTOUCHED_S
"""Seconds after which a mark is removed, because its table is gone. Calls are due for less time."""

SHELL_FILES: Final = (".bat", ".cmd")
"""The endings of files that Windows runs in a shell."""

_log = logging.getLogger(__name__)


def parse_command(text: str) -> list[str]:
    """Return the program and the arguments of a command line.

    The text is split as a shell does it, but nothing in it is replaced.

    Raises:
        ExplainedError: The text is malformed, or names no program that this machine can run safely.
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
            "Windows runs {program!r} in a shell, which could take a name for a command: for "
            "calls, use a program that is neither .bat nor .cmd.",
            program=words[0],
        )
    return words


def arguments_of(report: CallReport, prefix: str) -> tuple[str, str, str]:
    """Return the last arguments of the command: name, table, and hours left.

    The name is cut before its first letter or digit, so that no program takes it for an option.
    """
    signs = [sign.isalnum() for sign in report.name]
    name = report.name[signs.index(True) :]
    table = f"{prefix}: {', '.join(report.names)}"
    return name, table, str(report.hours_left)


class _Call(NamedTuple):
    """A call that waits for the command."""

    arguments: tuple[str, ...]
    address: str
    mark: str
    """The name of the file that stands for the start of the command."""
    done: Callable[[], object]
    """Confirms to the table that the call was made."""
    is_still_due: Callable[[], bool]
    """Returns False if the player has come or answered since the report."""


class Calls(Part):
    """Runs the command of the operator for each reported call. Its record is the command.

    A call counts as made once the command has started. It is made at most once: a second command
    would disturb the player more than a call that a crash of the machine has cut off.
    """

    def __init__(self, record: str) -> None:
        """Parse the command; raises ExplainedError as `parse_command` does."""
        self._record: Final = record
        self._command: Final = parse_command(record)
        self._marks: Final = state_path("calls")
        """The folder with the marks of calls that their tables still count as due."""
        self._waiting: dict[int, deque[_Call]] = {}
        """The calls that wait for each table, oldest first."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._places = asyncio.Semaphore(MAXIMUM_AT_ONCE)
        self._place: OpenPlace | None = None
        self._has_notified = False

    def saved_record(self) -> str:
        """Return the command."""
        return self._record

    async def open(self, place: OpenPlace) -> None:
        """Use the place to notify the operator, and remove old marks."""
        self._place = place
        await asyncio.to_thread(_remove_old, self._marks)

    def receive_report(self, entry: TableEntry, value: object, done: Callable[[], object]) -> None:
        """Call a player after earlier calls of the same table, or forget a call that was made."""
        if isinstance(value, CallForgotten):
            with suppress(OSError):
                (self._marks / _mark_of(entry, value)).unlink()
            return
        if not isinstance(value, CallReport):
            return
        waiting = self._waiting.get(entry.number)
        call = _Call(
            arguments_of(value, entry.prefix),
            value.address,
            _mark_of(entry, value),
            done,
            partial(is_still_due, entry, value),
        )
        if waiting is not None:
            waiting.append(call)
            return
        self._waiting[entry.number] = deque([call], maxlen=MAXIMUM_WAITING)
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

    async def _call(self, call: _Call) -> None:
        """Run the command once, and notify the operator of the first failure.

        Do nothing if the call is not due any more. The call is not confirmed then, because the
        player may go without an answer.
        """
        if not call.is_still_due():
            return
        # Names have letters that the encoding of the locale may lack.
        encoded = [each.encode("utf-8", "replace") for each in call.arguments]
        try:
            command = await start([*self._command, *encoded], call.address, self._mark(call))
        except FileExistsError:
            # An earlier program started the command, and was killed before it confirmed the call.
            call.done()
            return
        except Exception as error:
            # One call that fails must not stop the next ones.
            call.done()
            reason = error.strerror if isinstance(error, OSError) else None
            _log.error("the command for calls cannot be started: %s", error_line(error))
            why = _("it cannot be started: {why}", why=reason or type(error).__name__)
        else:
            call.done()
            status = await status_of(command)
            if status == 0:
                return
            why = (
                _("it took more than {seconds} s", seconds=round(MAXIMUM_CALL_S))
                if status is None
                else _("it ended with status {status}", status=status)
            )
        # The name and the address are private, so neither the log nor the sentence has them.
        _log.error("the command for calls failed: %s", why)
        if self._place is not None and not self._has_notified:
            self._has_notified = True
            self._place.notify(
                _(
                    "The command for calls has failed: {why}. Try it by hand with three "
                    "arguments and {variable} set.",
                    why=why,
                    variable=ADDRESS_VARIABLE,
                )
            )

    def _mark(self, call: _Call) -> Path | None:
        """Create the folder of marks, and return the path of a call's mark.

        Returns None if this machine cannot store marks.
        """
        try:
            make_private_folder(self._marks)
        except (OSError, UnsafeFolderError) as error:
            _log.error("calls may be repeated after a crash: %s", error_line(error))
            return None
        return self._marks / call.mark


async def status_of(command: RunningCommand) -> int | None:
    """Wait for a command and return its exit status.

    After `MAXIMUM_CALL_S` the command is killed, and the result is None.
    """
    try:
        async with asyncio.timeout(MAXIMUM_CALL_S):
            return await command.wait()
    except TimeoutError:
        return None
    finally:
        command.kill()
        await command.wait()


def _mark_of(entry: TableEntry, value: CallReport | CallForgotten) -> str:
    """Return the name of a call's mark, which is unique to the table and its question."""
    return f"{entry.number}-{value.question_at}"


def _remove_old(folder: Path) -> None:
    """Remove marks that are older than `MARKS_KEPT_S`; ignore errors of the disk."""
    before = time.time() - MARKS_KEPT_S
    with suppress(OSError):
        for each in folder.iterdir():
            if each.stat().st_mtime < before:
                each.unlink()
