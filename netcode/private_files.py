"""Creates private folders and files of the user, which no other user can write or redirect.

All data of the program is in such folders: settings, state, database, locks, keys and sockets.
"""

import errno
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from engine.texts import ExplainedError, Text

FOLDER_MODE: Final = 0o700
"""The mode of a private folder, independent of the umask."""

WRITABLE: Final[Text] = (
    "Other users can write into {folder}, where this program keeps your data. Look through it,"
    " then type chmod 700 {folder}."
)
ANOTHERS: Final[Text] = (
    "{folder}, where this program keeps your data, belongs to another user: move it away."
)

_NO_FOLLOW: Final[int] = getattr(os, "O_NOFOLLOW", 0)


class UnsafeFolderError(ExplainedError):
    """Raised if a folder is not safe for private data. The error's sentence has the reason."""


def make_private_folder(folder: Path) -> None:
    """Create a private folder and its missing parents. A folder that exists is not changed.

    Raises OSError if that fails, and UnsafeFolderError if other users can change the folder.
    """
    missing = [each for each in (folder, *folder.parents) if not os.path.lexists(each)]
    for each in reversed(missing):
        with suppress(FileExistsError):
            each.mkdir(mode=FOLDER_MODE)
    check_folder(folder)
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))


def check_folder(folder: Path) -> None:
    """Raise UnsafeFolderError if other users can change a folder's contents, or replace the folder.

    The user is responsible for the parent folders. A missing folder is safe.
    """
    if sys.platform == "win32":
        # Windows itself protects a user's profile, and ignores modes.
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


def open_private_file(path: Path) -> int:
    """Open or create a private file and return its descriptor; raises OSError if that fails.

    A symbolic link raises OSError too, where the system can refuse one.
    """
    return os.open(path, os.O_RDWR | os.O_CREAT | _NO_FOLLOW, 0o600)


def refuse_link(path: str | Path) -> None:
    """Raise OSError if a path is a symbolic link.

    Writing would change the file that the link points to.
    """
    if os.path.islink(path):
        raise OSError(errno.ELOOP, "it is a symbolic link", str(path))


def _has_one_member(group: int) -> bool:
    """Return True if a group has only this user. Many systems create such a group for each user."""
    if sys.platform == "win32":
        return True
    else:
        # Import here, since systems without groups lack this module.
        import grp
        import pwd

        try:
            name, members = grp.getgrgid(group).gr_name, grp.getgrgid(group).gr_mem
            user_name = pwd.getpwuid(os.geteuid()).pw_name
        except KeyError:
            return False
        return name == user_name and set(members) <= {user_name}
