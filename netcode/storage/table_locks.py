"""Locks tables, so that no table is open in two programs.

Each table has one byte of a small file beside the database. A program locks the byte of a table
while it has the table open. The system releases the lock when the program ends, even if it is
killed. Logs of sealed games use bytes far behind the bytes of all tables. The file stays empty and
is never deleted.
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
    """This program's only descriptor of a lock file, with the store that has each byte locked.

    POSIX releases all locks of a program on a file when the program closes any descriptor of it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.descriptor = open_private_file(path)
        self.holders: dict[int, TableLocks] = {}
        self.users = 0


_files: Final[dict[Path, _LockFile]] = {}


class TableLocks:
    """The tables that one store has locked. All methods raise OSError if files cannot be locked."""

    def __init__(self, path: Path) -> None:
        """Begin without locks; `path` is the lock file."""
        # Resolve the folder only: the file itself must not be a symbolic link.
        self._path = path.parent.resolve() / path.name
        with _guard:
            self._file = _files.get(self._path) or _LockFile(self._path)
            _files[self._path] = self._file
            self._file.users += 1
        self._closed = False

    def take(self, number: int) -> bool:
        """Lock a table; return True if this store has it locked now."""
        with _guard:
            holder = self._file.holders.get(number)
            if holder is not None:
                return holder is self
            if not lock_byte(self._file.descriptor, number):
                return False
            self._file.holders[number] = self
        return True

    def give_up(self, number: int) -> None:
        """Unlock a table if this store has it locked."""
        with _guard:
            if self._file.holders.get(number) is self:
                del self._file.holders[number]
                unlock_byte(self._file.descriptor, number)

    @contextmanager
    def briefly(self) -> Iterator[Callable[[int], bool]]:
        """Yield a function that locks a table until the end of the context.

        The function returns False if any program, including this one, has the table locked.
        """
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
        """Return True if any program has a table locked, including this program."""
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
