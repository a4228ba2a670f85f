"""Atomic writes of private files.

Files that a player asks for (a record, an export, a trace, figures) and files in which the program
stores its state are written the same way. This module does not know their formats.
"""

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TextIO

from netcode.private_files import make_private_folder, refuse_link

_WAITS_S: Final = (0.01, 0.02, 0.04)
"""Seconds between attempts to replace a file, on systems that cannot replace an open file."""

_LONGEST_SECRET: Final = 1 << 16
"""Maximum number of bytes that are read of a secret. The longest has some 800."""


@contextmanager
def whole_file(file: str | Path, *, force: bool = False) -> Iterator[TextIO]:
    """Open a file for writing. It takes its place under its name once the block has ended.

    If the block raises, an earlier file stays unchanged. A path that is no file, such as a pipe, is
    written directly.

    Raises OSError. An existing file raises FileExistsError before anything is written, unless
    `force` allows replacing it. A symbolic link to a file, or to nothing, is never replaced or
    written through.
    """
    # This import takes longer than most commands need in total.
    import tempfile

    if os.path.exists(file) and not os.path.isfile(file):
        with open(file, "w", encoding="utf-8", newline="\n") as output:
            yield output
        return
    wanted = Path(os.path.abspath(file))
    if not force and os.path.lexists(wanted):
        raise _exists(wanted)
    refuse_link(wanted)
    # mkstemp creates the file with mode 0600 and a unique name.
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


def kept_secret(path: Path, make: Callable[[], str], *, anew: bool = False) -> bytes:
    """Return the content of a private file that is created once.

    If two programs create it at the same time, both get the content of one of them. Raises OSError
    and UnsafeFolderError.

    Args:
        path: Of the file, whose folder is made too.
        make: Returns what is to stand there.
        anew: Whether it is made in any case.
    """
    make_private_folder(path.parent)
    if anew or not path.exists():
        with suppress(FileExistsError), whole_file(path, force=anew) as made:
            made.write(make())
        _sync_folder(path.parent)
    refuse_link(path)
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_mode & 0o077:
            # A copy may be readable for others. Some file systems have no modes.
            with suppress(OSError):
                path.chmod(0o600)
        return file.read(_LONGEST_SECRET)


def _sync_folder(folder: Path) -> None:
    """Flush the entry of a new file to disk. Systems that cannot do that ignore it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _replace(unfinished: str, wanted: Path) -> None:
    """Replace a file that another program may have open for a moment."""
    for wait_s in _WAITS_S if sys.platform == "win32" else ():
        with suppress(PermissionError):
            return os.replace(unfinished, wanted)
        time.sleep(wait_s)
    os.replace(unfinished, wanted)


def _put(unfinished: str, wanted: Path) -> None:
    """Rename a file to its final name, unless a file with that name has appeared meanwhile."""
    try:
        os.link(unfinished, wanted)
    except FileExistsError:
        raise _exists(wanted) from None
    except OSError:
        # The file system has no hard links.
        if os.path.lexists(wanted):
            raise _exists(wanted) from None
        os.rename(unfinished, wanted)


def _exists(wanted: Path) -> FileExistsError:
    return FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(wanted))
