"""Keeps secrets out of the list of processes, which every user of a machine can read.

The program starts itself again in the same process and passes the arguments through a pipe. The
program cannot remove secrets from the shell's history. So `driflamme join` asks for a missing
link, and `join -` reads a link from standard input.
"""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

PIPE: Final = "DRIFLAMME_ARGUMENTS"
"""The environment variable that contains the pipe's file descriptor."""

COMMANDS: Final = ("join", "watch")
"""The commands after which an argument may be a spoken code."""

LINK: Final = re.compile(r"(driflamme[a-z0-9+.-]*://).*", re.DOTALL | re.IGNORECASE)
"""Matches a link with a secret: an invitation, or a link of another scheme of this program."""

CODE: Final = r"[0-9A-Za-z]{3}-[0-9A-Za-z]{5}|(?<![\w.-])(?:[0-9A-Za-z][\s-]*){8}(?![\w.:-])"
"""Matches a spoken code, with or without a dash, and other words of eight letters."""

HIDDEN: Final = "..."
"""Stands for a secret in the list of processes."""

MOST_BYTES: Final = 4096
"""Maximum bytes of the arguments. Every pipe can buffer this number of bytes."""


def hide_secrets() -> None:
    """Restart the program without the links and spoken codes in its arguments.

    After the restart, read the whole arguments from a pipe. Do nothing without such secrets, beyond
    `MOST_BYTES`, and on systems other than POSIX.
    """
    pipe = os.environ.pop(PIPE, "")
    if pipe:
        with suppress(OSError, ValueError), os.fdopen(int(pipe), "rb") as file:
            sys.argv[1:] = map(os.fsdecode, file.read(MOST_BYTES).split(b"\0"))
        return
    arguments = sys.argv[1:]
    shown = [*_without_secrets(arguments)]
    before, given = sys.orig_argv[: -len(arguments)], sys.orig_argv[-len(arguments) :]
    data = b"\0".join(map(os.fsencode, arguments))
    is_hidden = shown == arguments or given != arguments
    if is_hidden or os.name != "posix" or len(data) > MOST_BYTES:
        return
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    os.set_inheritable(reading, True)
    try:
        os.execve(sys.executable, [*before, *shown], {**os.environ, PIPE: str(reading)})
    except OSError:
        os.close(reading)


def _without_secrets(arguments: Sequence[str]) -> Iterator[str]:
    """Yield the arguments as the list of processes may show them."""
    may_be_code = has_link = False
    for argument in arguments:
        # A link is also valid with spaces in it, and in several arguments.
        whole = "".join(argument.split())
        if LINK.search(whole):
            has_link = True
            yield LINK.sub(rf"\1{HIDDEN}", whole)
        elif has_link and not argument.startswith("--"):
            yield HIDDEN
        elif may_be_code:
            yield re.sub(CODE, HIDDEN, argument)
        else:
            yield argument
        may_be_code = may_be_code or argument in COMMANDS
