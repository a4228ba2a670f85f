"""Locks on open files, which the system takes back when a program ends, in whatever way.

What is locked is a sign between programs: nothing stands in those files.
"""

import os
import sys
from typing import Final

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_MOST: Final = (1 << 31) - 1
"""The last byte that can be locked on Windows: those of two numbers may be one, once in 2**31."""


def lock_file(descriptor: int) -> bool:
    """Lock a file for whoever opened it, until it is closed; return whether nobody else has it.

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
    """Lock a file as `lock_file` does, once nobody else has it any more; raises OSError."""
    if sys.platform == "win32":
        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX)


def lock_byte(descriptor: int, at: int) -> bool:
    """Lock a byte of a file for this program; return whether no other has it; raises OSError."""
    try:
        if sys.platform == "win32":
            os.lseek(descriptor, at & _MOST, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, at)
    except (BlockingIOError, PermissionError):
        # One or the other, by system, when another program has locked the byte.
        return False
    return True


def unlock_byte(descriptor: int, at: int) -> None:
    """Unlock a byte that this program has locked."""
    if sys.platform == "win32":
        os.lseek(descriptor, at & _MOST, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
    else:
        fcntl.lockf(descriptor, fcntl.LOCK_UN, 1, at)
