"""Starts parts of this program as separate processes, however the program was installed.

`python -m` needs a Python, and modules in a folder or zip. A frozen program contains its own
Python, so it starts itself again with a hidden command. The started module runs as `__main__` and
loads only what it imports.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

RUN_MODULE: Final = "--run-module"
"""The hidden command of a frozen program that runs a module by name. `driflamme_tui.cli.main` has a
copy of this text.
"""


def program_command(module: str, *arguments: str) -> tuple[str, ...]:
    """Return the command that runs a module of this program in a separate process.

    >>> program_command("netcode.workers.worker_main")[-2:]
    ('-m', 'netcode.workers.worker_main')
    """
    python = (RUN_MODULE,) if is_frozen() else ("-P", "-m")
    return (sys.executable, *python, module, *arguments)


def program_environment() -> dict[str, str]:
    """Return an environment in which `program_command` finds the modules of this process."""
    path = os.pathsep.join(os.path.abspath(each) for each in sys.path if each)
    return {**os.environ, "PYTHONPATH": path}


def forbid_core_dumps() -> None:
    """Forbid core dumps of this process and its children.

    They would contain hidden cards and keys.
    """
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_hidden_command(line: Sequence[str]) -> bool:
    """Run the hidden command of a command line, and return True; return False if it has none.

    A frozen program must call this first.
    """
    if is_frozen():
        # In a child process of multiprocessing, `freeze_support` does the child's work and then
        # exits.
        from multiprocessing import freeze_support

        freeze_support()
    if list(line[1:2]) != [RUN_MODULE]:
        return False
    from runpy import run_module

    sys.argv = [*line[:1], *line[3:]]
    run_module(line[2], run_name="__main__", alter_sys=True)
    return True


def send_to_parent(value: object) -> None:
    """Send a value to the parent process, as a line of JSON on standard output.

    Does nothing if the parent has ended.
    """
    import msgspec

    # Ignore an error if the parent has ended: the end of standard input reports that.
    with suppress(OSError):
        sys.stdout.buffer.write(msgspec.json.encode(value) + b"\n")
        sys.stdout.buffer.flush()


def is_frozen() -> bool:
    """Return True if this program is frozen: a single file that contains its own Python."""
    return bool(getattr(sys, "frozen", False))
