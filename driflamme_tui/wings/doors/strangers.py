"""Makes the environment of processes that serve strangers."""

from typing import Final

from netcode.child_process import program_environment

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
"""Environment variables that processes for strangers get. Some Pythons find no modules without
them.
"""

HARMLESS_PREFIXES: Final = "DRIFLAMME_", "_PYI_"
"""Prefixes of further variables for these processes: this program's, and a frozen program's."""


def environment_for_strangers() -> dict[str, str]:
    """Return an environment without secrets for processes that serve strangers.

    The system shows the first environment of a process until its end, even if the process clears
    that environment.
    """
    return {
        name: value
        for name, value in program_environment().items()
        if name in HARMLESS or name.startswith(HARMLESS_PREFIXES)
    }
