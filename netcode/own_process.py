"""Starts parts of this program as processes of their own, however the program was installed.

`python -m` needs a Python and modules in a folder or a zip; a frozen program is its own Python, and
is started again with a hidden command. What such a part does is left to its module: it runs as
`__main__` and loads nothing but what it imports.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

RUN_MODULE: Final = "--run-module"
"""The hidden command of a frozen program: runs the module that is named after it.

`driflamme_tui.cli.main` has it too.
"""

HARMLESS: Final = frozenset(
    {
        "PATH",
        "LANG",
        "LC_ALL",
        "LC_CTYPE",
        "LD_LIBRARY_PATH",
        "DYLD_LIBRARY_PATH",
        "__PYVENV_LAUNCHER__",
        "PYTHONPATH",
        "PYTHONHOME",
        "PYTHONUTF8",
        "PYTHONNOUSERSITE",
        "PYTHONPYCACHEPREFIX",
        "PYTHONDONTWRITEBYTECODE",
    }
)
"""The variables that processes for strangers have: without them some Pythons find no modules."""

HARMLESS_PREFIXES: Final = "DRIFLAMME_", "_PYI_"
"""How further such variables begin: this program's own, and those of a frozen one."""


def own_command(module: str, *arguments: str) -> tuple[str, ...]:
    """Return the command that runs a module of this program in a process of its own.

    >>> own_command("netcode.workers.worker_main")[-2:]
    ('-m', 'netcode.workers.worker_main')
    """
    python = (RUN_MODULE,) if is_frozen() else ("-P", "-m")
    return (sys.executable, *python, module, *arguments)


def own_environment() -> dict[str, str]:
    """Return the environment in which `own_command` finds the modules that this process finds."""
    path = os.pathsep.join(os.path.abspath(each) for each in sys.path if each)
    return {**os.environ, "PYTHONPATH": path}


def environment_for_strangers() -> dict[str, str]:
    """Return the environment of processes that serve strangers: no variable that may be secret.

    The system shows a process's first environment for as long as it runs, whatever it clears.
    """
    return {
        name: value
        for name, value in own_environment().items()
        if name in HARMLESS or name.startswith(HARMLESS_PREFIXES)
    }


def forbid_core_dumps() -> None:
    """Have the system store no memory image of this process, and of those that it starts.

    Hidden cards and keys stand in it.
    """
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_own_command(line: Sequence[str]) -> bool:
    """Do what a hidden command asks, if a command line is one; return whether it was.

    What starts the program calls this first, if it is frozen or was given such a command.
    """
    if is_frozen():
        # How multiprocessing starts its own: it ends the process when that is done.
        from multiprocessing import freeze_support

        freeze_support()
    if list(line[1:2]) != [RUN_MODULE]:
        return False
    from runpy import run_module

    sys.argv = [*line[:1], *line[3:]]
    run_module(line[2], run_name="__main__", alter_sys=True)
    return True


def tell_starter(told: object) -> None:
    """Tell the process that has started this one something: a line of JSON on standard output."""
    import msgspec

    # Who is gone needs not be told; that they are, the end of standard input says.
    with suppress(OSError):
        sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
        sys.stdout.buffer.flush()


def is_frozen() -> bool:
    """Return whether the program is one file with its own Python in it, which runs no other."""
    return bool(getattr(sys, "frozen", False))
