"""The environment of processes that serve strangers."""

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
"""Environment variables for processes that serve strangers. Some Pythons find no modules without
them.
"""

HARMLESS_PREFIXES: Final = "DRIFLAMME_", "_PYI_"
"""Prefixes of more harmless variables: of this program, and of the loader of a frozen program."""


def environment_for_strangers() -> dict[str, str]:
    """Return the environment of processes that serve strangers, without any secret.

    The system shows the first environment of a process for as long as it runs, even if the process
    clears it.
    """
    return {
        name: value
        for name, value in program_environment().items()
        if name in HARMLESS or name.startswith(HARMLESS_PREFIXES)
    }
