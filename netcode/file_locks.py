"""Locks open files. The system releases the locks when a program ends in any way.

Programs use the locks as signals to each other, so the locked files may be empty.
"""

import os
import sys
from typing import Final

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_MOST: Final = (1 << 31) - 1
"""The highest byte that can be locked on Windows. Numbers that are equal modulo 2**31 share a
byte.
"""


def lock_file(descriptor: int) -> bool:
    """Lock a file until it is closed; return False if another program has locked it.

    Raises OSError where files cannot be locked.
    """
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def wait_for_lock(descriptor: int) -> None:
    """Wait until a file can be locked, and lock it as `lock_file` does.

    Raises OSError where files cannot be locked, and on Windows after ten seconds.
    """
    if sys.platform == "win32":
        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX)


def lock_byte(descriptor: int, at: int) -> bool:
    """Lock a byte of a file for this program; return False if another program has locked it.

    Raises OSError where files cannot be locked.
    """
    try:
        if sys.platform == "win32":
            os.lseek(descriptor, at & _MOST, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, at)
    except (BlockingIOError, PermissionError):
        # Systems report a locked byte by one of these errors.
        return False
    return True


def unlock_byte(descriptor: int, at: int) -> None:
    """Unlock a byte that this program has locked."""
    if sys.platform == "win32":
        os.lseek(descriptor, at & _MOST, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
    else:
        fcntl.lockf(descriptor, fcntl.LOCK_UN, 1, at)
