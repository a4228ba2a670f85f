"""Folders and files that are this user's own: nobody else can write them or lead a write elsewhere.

All that the program keeps lies in such folders: settings, state, database, locks, keys, sockets.
"""

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from engine.words import ExplainedError, Text

FOLDER_MODE: Final = 0o700
"""The mode of an own folder, whatever the umask."""

WRITABLE: Final[Text] = (
    "Other users can write into {folder}, where this program keeps what is yours. Look through it, "
    "then type chmod 700 {folder}."
)
ANOTHERS: Final[Text] = (
    "{folder}, where this program is to keep what is yours, belongs to another user: move it away."
)

_NO_FOLLOW: Final[int] = getattr(os, "O_NOFOLLOW", 0)


class UnsafeFolderError(ExplainedError):
    """Why nothing is kept in a folder, as a sentence."""


def own_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for this user alone.

    Raises OSError, and UnsafeFolderError if others can change what is in it.
    """
    missing = [each for each in (folder, *folder.parents) if not os.path.lexists(each)]
    for each in reversed(missing):
        with suppress(FileExistsError):
            each.mkdir(mode=FOLDER_MODE)
    check_folder(folder)
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))


def check_folder(folder: Path) -> None:
    """Raise UnsafeFolderError if others can change what is in a folder, or where it leads.

    Folders above it are the user's affair, and a folder that is missing is safe.
    """
    if sys.platform == "win32":
        # There the profile of a user is protected, and modes mean nothing.
        return
    else:
        with suppress(FileNotFoundError):
            for found in (os.lstat(folder), os.stat(folder)):
                if found.st_uid not in (os.geteuid(), 0):
                    raise UnsafeFolderError(ANOTHERS, folder=str(folder))
            if found.st_mode & stat.S_IWOTH or (
                found.st_mode & stat.S_IWGRP and not _has_one_member(found.st_gid)
            ):
                raise UnsafeFolderError(WRITABLE, folder=str(folder))


def open_own(path: Path) -> int:
    """Return a descriptor of an own file, made empty if there is none; a link is no such file."""
    return os.open(path, os.O_RDWR | os.O_CREAT | _NO_FOLLOW, 0o600)


def refuse_link(path: str | Path) -> None:
    """Raise OSError if a file to be written is a symbolic link."""
    if os.path.islink(path):
        raise OSError(errno.ELOOP, "it is a symbolic link", str(path))


def _has_one_member(group: int) -> bool:
    """Return whether a group is that of this user alone, as many systems make one for each."""
    if sys.platform == "win32":
        return True
    else:
        # Not at the top: no system without groups has these.
        import grp
        import pwd

        try:
            name, members = grp.getgrgid(group).gr_name, grp.getgrgid(group).gr_mem
            own_name = pwd.getpwuid(os.geteuid()).pw_name
        except KeyError:
            return False
        return name == own_name and set(members) <= {own_name}
