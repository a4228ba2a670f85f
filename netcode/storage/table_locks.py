"""Locks on tables: no table is open in two programs.

Each table is one byte of a small file beside the database. The program that has the table open
locks the byte until it ends in any way. Own logs of sealed games use bytes far behind all tables.
The file stays empty and is never deleted.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from netcode.file_locks import lock_byte, unlock_byte
from netcode.private_files import open_private_file

_guard: Final = threading.Lock()


class _LockFile:
    """This program's only descriptor of a lock file, and the owner of each byte.

    POSIX releases all locks of a program on a file when it closes any descriptor of that file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.descriptor = open_private_file(path)
        self.holders: dict[int, TableLocks] = {}
        self.users = 0


_files: Final[dict[Path, _LockFile]] = {}


class TableLocks:
    """The tables that one store has open. All methods raise OSError if locks are impossible."""

    def __init__(self, path: Path) -> None:
        """Begin without locks, with the lock file at a path."""
        # The file itself must not be a link.
        self._path = path.parent.resolve() / path.name
        with _guard:
            self._file = _files.get(self._path) or _LockFile(self._path)
            _files[self._path] = self._file
            self._file.users += 1
        self._closed = False

    def take(self, number: int) -> bool:
        """Lock a table; return True if this store has it now."""
        with _guard:
            holder = self._file.holders.get(number)
            if holder is not None:
                return holder is self
            if not lock_byte(self._file.descriptor, number):
                return False
            self._file.holders[number] = self
        return True

    def give_up(self, number: int) -> None:
        """Unlock a table, if this store has it."""
        with _guard:
            if self._file.holders.get(number) is self:
                del self._file.holders[number]
                unlock_byte(self._file.descriptor, number)

    @contextmanager
    def briefly(self) -> Iterator[Callable[[int], bool]]:
        """Yield a function that locks a table until the end of the context, if nobody has it."""
        locked: list[int] = []

        def lock(number: int) -> bool:
            if self.holds(number) or not self.take(number):
                return False
            locked.append(number)
            return True

        try:
            yield lock
        finally:
            for number in locked:
                self.give_up(number)

    def holds(self, number: int) -> bool:
        """Return True if this store has a table locked."""
        with _guard:
            return self._file.holders.get(number) is self

    def is_locked(self, number: int) -> bool:
        """Return True if any program has a table locked, even this one."""
        with _guard:
            if number in self._file.holders:
                return True
            if not lock_byte(self._file.descriptor, number):
                return True
            unlock_byte(self._file.descriptor, number)
        return False

    def close(self) -> None:
        """Unlock all tables."""
        if self._closed:
            return
        self._closed = True
        with _guard:
            file = self._file
            for number in [each for each, holder in file.holders.items() if holder is self]:
                del file.holders[number]
                unlock_byte(file.descriptor, number)
            file.users -= 1
            if not file.users:
                del _files[self._path]
                os.close(file.descriptor)
