"""Starts the operator's command for a call at most once, however often the program is killed.

A mark is a file that stands for the start of one command. The process that becomes the command
creates the mark first, and fails if the mark exists. So a killed program leaves either no mark and
no command, or both. On Windows, this program creates the mark before it starts the command, so a
killed program may leave a mark without a command.

A power failure may still repeat or lose a call that is just starting. Syncing the mark would not
help: it could only follow the start of the command, as the table's stored confirmation does.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol

ADDRESS_VARIABLE: Final = "DRIFLAMME_ADDRESS"
"""The environment variable with the player's address.

Every user of the machine can list the arguments of a command, but only its own user can read its
environment.
"""

_EXCLUSIVE: Final = os.O_CREAT | os.O_EXCL | os.O_WRONLY
_MARK_MODE: Final = 0o600


class RunningCommand(Protocol):
    """A command that has started."""

    async def wait(self) -> int:
        """Wait until the command has ended; return its exit status."""

    def kill(self) -> None:
        """Kill the command and the programs that it has started; do nothing after its end."""


if sys.platform == "win32":

    async def start(command: list[str | bytes], address: str, mark: Path | None) -> RunningCommand:
        """Start a command without a shell, unless its mark exists.

        Its environment is that of this program, with the address in `ADDRESS_VARIABLE`.

        Raises FileExistsError if the mark exists, and OSError if the command cannot be started.
        """
        if mark is not None:
            # A killed program may leave a mark without a command: then the call is lost.
            os.close(os.open(mark, _EXCLUSIVE, _MARK_MODE))
        nothing = asyncio.subprocess.DEVNULL
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=nothing,
            stdout=nothing,
            stderr=nothing,
            env={**os.environ, ADDRESS_VARIABLE: address},
        )

else:

    class _Command:
        """A command in a process group of its own, which gets no signal of the terminal."""

        def __init__(self, process: int) -> None:
            self._process: Final = process
            self._ended: Final = asyncio.ensure_future(asyncio.to_thread(os.waitpid, process, 0))

        async def wait(self) -> int:
            _process, status = await asyncio.shield(self._ended)
            return os.waitstatus_to_exitcode(status)

        def kill(self) -> None:
            if not self._ended.done():
                with suppress(ProcessLookupError):
                    os.killpg(self._process, signal.SIGKILL)

    async def start(command: list[str | bytes], address: str, mark: Path | None) -> RunningCommand:
        """Start a command without a shell, unless its mark exists.

        Its environment is that of this program, with the address in `ADDRESS_VARIABLE`.

        Raises FileExistsError if the mark exists, and OSError if the command cannot be started.
        """
        actions: list[tuple[int, int, str, int, int]] = []
        if mark is not None:
            # The new process itself creates the mark, so that killing this program cannot leave the
            # mark without the process, or the process without the mark.
            actions.append((os.POSIX_SPAWN_OPEN, 0, str(mark), _EXCLUSIVE, _MARK_MODE))
        # An address has letters that the encoding of the locale may lack.
        environment: Mapping[str, str | bytes] = {
            **os.environ,
            ADDRESS_VARIABLE: address.encode("utf-8", "replace"),
        }
        actions += [
            (os.POSIX_SPAWN_OPEN, number, os.devnull, mode, 0)
            for number, mode in enumerate((os.O_RDONLY, os.O_WRONLY, os.O_WRONLY))
        ]
        return _Command(
            os.posix_spawnp(
                command[0],
                command,
                environment,
                file_actions=actions,
                setpgroup=0,
                # Python ignores these signals, but most programs expect the default.
                setsigdef=(signal.SIGPIPE, signal.SIGXFSZ),
            )
        )
