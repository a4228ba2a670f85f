"""Files that are written whole or not at all, and that nobody else can read.

What a player asks for (a record, an export, a trace, figures) and what the program remembers for
them are written the same way. Nothing here knows what stands in a file.
"""

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TextIO

_WAITS_S: Final = (0.01, 0.02, 0.04)
"""Seconds between attempts to replace a file on a system on which no open file can be replaced."""


@contextmanager
def whole_file(file: str | Path, *, force: bool = False) -> Iterator[TextIO]:
    """Give what is written to; it takes its place under its name once the block has ended.

    If the block raises, what stood there is as it was. A link is followed. What is no file, such
    as a pipe, is there to be written to, and nothing takes its place.

    Raises OSError: FileExistsError if there is such a file, before anything is written, unless
    `force` says that it may be replaced.
    """
    # Loading it takes longer than most commands need for all they do.
    import tempfile

    if os.path.exists(file) and not os.path.isfile(file):
        with open(file, "w", encoding="utf-8", newline="\n") as output:
            yield output
        return
    wanted = Path(os.path.realpath(file))
    if not force and wanted.exists():
        raise _exists(wanted)
    # Made with mode 0600, under a name that nobody else has.
    handle, unfinished = tempfile.mkstemp(prefix=".driflamme-", dir=wanted.parent)
    try:
        with open(handle, "w", encoding="utf-8", newline="\n") as output:
            yield output
            output.flush()
            os.fsync(handle)
        if force:
            _replace(unfinished, wanted)
        else:
            _put(unfinished, wanted)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(unfinished)


def _replace(unfinished: str, wanted: Path) -> None:
    """Put a file in the place of another, which may be open for a moment elsewhere."""
    for wait_s in _WAITS_S if sys.platform == "win32" else ():
        with suppress(PermissionError):
            return os.replace(unfinished, wanted)
        time.sleep(wait_s)
    os.replace(unfinished, wanted)


def _put(unfinished: str, wanted: Path) -> None:
    """Give a file its name, unless something has come to be there meanwhile."""
    try:
        os.link(unfinished, wanted)
    except FileExistsError:
        raise _exists(wanted) from None
    except OSError:
        # A file system without hard links.
        if wanted.exists():
            raise _exists(wanted) from None
        os.rename(unfinished, wanted)


def _exists(wanted: Path) -> FileExistsError:
    return FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(wanted))
