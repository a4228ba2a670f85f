"""Writes private files atomically.

Some are files that a player asks for: a record, an export, a trace or figures. Others store the
program's state. This module does not depend on their formats.
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
"""Seconds to wait between attempts to replace a file, on systems that cannot replace an open
file.
"""

_LONGEST_SECRET: Final = 1 << 16
"""Maximum bytes to read of a secret's file. The longest secret has some 800."""


@contextmanager
def whole_file(file: str | Path, *, force: bool = False) -> Iterator[TextIO]:
    """Open a file for writing. It appears under its name when the block has ended.

    If the block raises an error, an earlier file stays unchanged. A path that is no regular file,
    such as a pipe, is written directly.

    Raises OSError if the file cannot be written, or is a symbolic link. If the file exists, raises
    FileExistsError before anything is written, unless `force` is True.
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
    # `mkstemp` creates the file with mode 0600 and a unique name.
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
    """Return the content of a private file; create it with `make` on the first call.

    If two programs create it at the same time, both get the same content.

    Args:
        path: The path of the file. Its folder is created too.
        make: Returns the new content.
        anew: True to replace an existing file.

    Raises:
        OSError: The file cannot be created or read, or it is a symbolic link.
        UnsafeFolderError: Other users can change the folder.
    """
    make_private_folder(path.parent)
    if anew or not path.exists():
        with suppress(FileExistsError), whole_file(path, force=anew) as made:
            made.write(make())
        _sync_folder(path.parent)
    refuse_link(path)
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_mode & 0o077:
            # The user may have copied the file with a wider mode. Some file systems have no modes.
            with suppress(OSError):
                path.chmod(0o600)
        return file.read(_LONGEST_SECRET)


def _sync_folder(folder: Path) -> None:
    """Flush the entry of a new file in its folder to disk. Does nothing on systems that cannot."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _replace(unfinished: str, wanted: Path) -> None:
    """Replace a file. Try again if another program has it open for a moment."""
    for wait_s in _WAITS_S if sys.platform == "win32" else ():
        with suppress(PermissionError):
            return os.replace(unfinished, wanted)
        time.sleep(wait_s)
    os.replace(unfinished, wanted)


def _put(unfinished: str, wanted: Path) -> None:
    """Give a file its final name. Raises FileExistsError if a file with that name has appeared."""
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
