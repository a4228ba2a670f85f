"""Runs the system's clipboard command, for terminals that ignore the copy sequence (OSC 52).

xterm, VTE and Terminal.app ignore the sequence by default, and no terminal confirms it, so a copy
by the sequence alone may be lost. Over SSH a command would fill the clipboard of the wrong machine.
"""

import asyncio
import shutil
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Callable, Mapping
from typing import Final

_COMMANDS: Final = (
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-in", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--input", "--clipboard")),
    ("WSL_DISTRO_NAME", ("clip.exe",)),
    ("TERMUX_VERSION", ("termux-clipboard-set",)),
)
"""Clipboard commands, each after the environment variable that it needs."""

_OF_SYSTEM: Final = {"darwin": ("pbcopy",), "win32": ("clip.exe",)}
"""Clipboard commands by the name of the platform."""

_SSH: Final = frozenset({"SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"})

PATIENCE_S: Final = 3.0
"""Seconds until a clipboard command counts as failed."""


def clipboard_command(
    environment: Mapping[str, str],
    platform: str,
    find: Callable[[str], str | None] = shutil.which,
) -> tuple[str, ...] | None:
    """Return the command that fills the clipboard of the player's machine.

    Returns None over SSH, or if no known command is installed. `find` returns the path of a
    command, or None.
    """
    if any(environment.get(name) for name in _SSH):
        return None
    commands = [command for name, command in _COMMANDS if environment.get(name)]
    if platform in _OF_SYSTEM:
        commands = [_OF_SYSTEM[platform]]
    return next((each for each in commands if find(each[0])), None)


async def fill_clipboard(command: tuple[str, ...], text: str) -> bool:
    """Copy a text with a clipboard command; return True on success."""
    # Without a byte order mark, clip.exe reads the code page of old consoles.
    encoding = "utf-16" if command[0] == "clip.exe" else "utf-8"
    try:
        # These programs keep running in the background, so they must not inherit pipes of this one.
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL
        )
    except OSError:
        return False
    try:
        async with asyncio.timeout(PATIENCE_S):
            await process.communicate(text.encode(encoding))
    except (TimeoutError, OSError):
        if process.returncode is None:
            process.kill()
        return False
    return process.returncode == 0
