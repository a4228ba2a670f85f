"""Starts programs of tests as forks of a process that has already imported the program.

An ordinary start imports 800 modules, which takes most of its processor time. The process that
forks is called warm: `tests/support/warm_process.py`. Only Linux starts programs in this way. A
start is ordinary if it needs something that Python or a module reads only once: another module to
run, or other variables than usual, except for those of `CHANGING`.

A forked program is a child process of the test's process, like any other. But the system's list of
processes shows the arguments and variables of the warm process.
"""

import inspect
import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from ctypes import CDLL
from functools import cache
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]

MODULES: Final = ("tests.support.offline", "tests.support.made_up", "tests.support.clumsy_program")
"""The modules whose starts may be forks. Each prepares the program when it is imported."""

CHANGING: Final = ("XDG_", "LANGUAGE", "PYTEST_", "DRIFLAMME_TESTS_")
"""The beginnings of the names of variables that no module reads while it is imported."""

REQUEST_BYTES: Final = 1 << 17
"""The maximum size of a request, which contains all variables."""

_SET_CHILD_SUBREAPER: Final = 36
"""The command of `prctl` that lets this process inherit the orphans of its descendants."""


def environment() -> dict[str, str]:
    """Return the variables of a program in a test's terminal."""
    usual = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
    return {**os.environ, **usual}


def _fixed(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that a forked program cannot change."""
    return {name: text for name, text in variables.items() if not name.startswith(CHANGING)}


USUAL: Final = _fixed(environment())
"""The variables of every warm process."""


@cache
def _warm(module: str, _tester: int) -> socket.socket:
    """Start the warm process of a module for a process of tests; return a socket for requests."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        command = [sys.executable, "-m", "tests.support.warm_process", module]
        end = theirs.fileno()
        # In a session of its own, the warm process gets no signal from the tests' terminal.
        subprocess.Popen(
            command, cwd=ROOT, env=USUAL, stdin=end, stdout=end, start_new_session=True
        )
    return ours


def fork(
    command: Sequence[str],
    variables: Mapping[str, str],
    folder: str,
    streams: Sequence[int],
    *,
    leads: str,
) -> int | None:
    """Fork a program, and return its process id; None if the program needs an ordinary start.

    Args:
        command: The command, such as `python -m MODULE ARGUMENTS`.
        variables: The program's environment.
        folder: The program's working folder.
        streams: The files for the program's standard input, output and errors.
        leads: "session" if the program leads a session, whose terminal is its standard input;
            "group" if it leads a process group, or "".
    """
    if sys.platform != "linux" or (*command[:2],) != (sys.executable, "-m"):
        return None
    module, *arguments = command[2:]
    if module not in MODULES or _fixed(variables) != USUAL:
        return None
    warm, control = _warm(module, os.getpid()), CDLL(None).prctl
    request = json.dumps([arguments, dict(variables), folder, leads]).encode()
    control(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    socket.send_fds(warm, [request], streams)
    program, is_orphan = warm.recv(REQUEST_BYTES), warm.recv(REQUEST_BYTES)
    control(_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
    assert is_orphan, "the warm process has ended"
    return int(program)


class Program(subprocess.Popen[Any]):
    """A process that is started as a fork if possible, or else as usual."""

    def _execute_child(self, *values: Any) -> None:
        ordinary = super()._execute_child  # type: ignore[misc]
        given = dict(zip(inspect.signature(ordinary).parameters, values, strict=True))
        pipes = [given[name] for name in ("p2cread", "c2pwrite", "errwrite")]
        streams = [number if pipe == -1 else pipe for number, pipe in enumerate(pipes)]
        variables = os.environ if given["env"] is None else given["env"]
        folder = str(given["cwd"] or os.getcwd())
        leads = "" if given["process_group"] == -1 else "group"
        others = given["preexec_fn"], given["start_new_session"], given["umask"] != -1
        program = (
            None if any(others) else fork(given["args"], variables, folder, streams, leads=leads)
        )
        if program is None:
            ordinary(*values)
        else:
            self.pid, self._child_created = program, True
            ends = [given[name] for name in given if name.startswith(("p2c", "c2p", "err"))]
            self._close_pipe_fds(*ends)  # type: ignore[attr-defined]
