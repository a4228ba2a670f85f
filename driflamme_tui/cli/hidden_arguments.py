"""Keeps invitations out of the list of processes, which every user of a machine can read.

The program starts itself again in the same process and passes the arguments through a pipe. The
program cannot remove invitations from the shell's history. So `driflamme join` asks for a missing
link, and `join -` reads a link from standard input.
"""

import os
import re
import sys
from contextlib import suppress
from typing import Final

PIPE: Final = "DRIFLAMME_ARGUMENTS"
"""The environment variable that contains the pipe's file descriptor."""

COMMANDS: Final = ("join", "watch")

SECRET: Final = re.compile(r"(driflamme://).*|[0-9A-Za-z]{3}-[0-9A-Za-z]{5}", re.DOTALL)
"""Matches an invitation, or a spoken code."""

MOST_BYTES: Final = 4096
"""Maximum bytes of the arguments. Every pipe can buffer this number of bytes."""


def hide_secrets() -> None:
    """Restart the program without the invitations and spoken codes in its arguments.

    After the restart, read the whole arguments from a pipe. Do nothing without such secrets, for
    commands other than `COMMANDS`, beyond `MOST_BYTES`, and on systems other than POSIX.
    """
    pipe = os.environ.pop(PIPE, "")
    if pipe:
        with suppress(OSError, ValueError), os.fdopen(int(pipe), "rb") as file:
            sys.argv[1:] = map(os.fsdecode, file.read(MOST_BYTES).split(b"\0"))
        return
    arguments = sys.argv[1:]
    shown = [SECRET.sub(r"\1...", each) for each in arguments]
    before, given = sys.orig_argv[: -len(arguments)], sys.orig_argv[-len(arguments) :]
    data = b"\0".join(map(os.fsencode, arguments))
    is_hidden = shown == arguments or arguments[0] not in COMMANDS or given != arguments
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
