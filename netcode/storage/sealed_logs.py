"""Where a player's own program keeps what it knows and has signed in sealed games.

A file for each game key, by whose public half it is found again. What a record says is left to
`sealed`; here it is whole, on disk before `keep` returns, and nobody else's to read.
"""

import os
import sys
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from netcode.file_locks import lock_file

if sys.platform == "darwin":
    import fcntl

KEPT_S: Final = 90 * 24 * 3600
"""Seconds for which the secrets of a game are kept of which not all has come."""

MAXIMUM_RECORD: Final = 1 << 16
"""Most bytes of a record: many times what any has."""

_HEAD: Final = 8
"""Bytes before a record: its length and its checksum."""


class SealedLogFile:
    """An open file, locked for this program: records that were kept, and room for more."""

    def __init__(self, path: Path, *, is_new: bool = False) -> None:
        """Open a file, or make one; raises OSError, also if another program has it."""
        self._path = path
        flags = os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0)
        self._file = os.open(path, flags | (os.O_CREAT | os.O_EXCL if is_new else 0), 0o600)
        try:
            if not lock_file(self._file):
                raise BlockingIOError(f"{path} is another program's")
            self.records: tuple[bytes, ...] = tuple(self._read())
            if is_new and sys.platform != "win32":
                # The name of a new file is its folder's to keep.
                folder = os.open(path.parent, os.O_RDONLY)
                os.fsync(folder)
                os.close(folder)
        except OSError:
            os.close(self._file)
            raise

    def keep(self, records: Iterable[bytes]) -> None:
        """Append records; once this returns they outlive the program and the machine."""
        data = b"".join(
            len(each).to_bytes(4, "big") + zlib.crc32(each).to_bytes(4, "big") + each
            for each in records
        )
        if data:
            while data:
                data = data[os.write(self._file, data) :]
            _sync(self._file)

    def close(self) -> None:
        """Let another program have the file."""
        os.close(self._file)

    def delete(self) -> None:
        """Close the file for good."""
        self.close()
        self._path.unlink(missing_ok=True)

    def _read(self) -> Iterator[bytes]:
        """Yield the whole records, and cut off what is not one: the program ended in it."""
        data = b"".join(iter(lambda: os.read(self._file, 1 << 16), b""))
        at = 0
        while at + _HEAD <= len(data):
            length, checksum = (int.from_bytes(data[at + i : at + i + 4], "big") for i in (0, 4))
            record = data[at + _HEAD : at + _HEAD + length]
            # After a power cut there may be zeros, which as a record would be a whole one.
            if not 0 < length <= MAXIMUM_RECORD or len(record) < length:
                break
            if zlib.crc32(record) != checksum:
                break
            yield record
            at += _HEAD + length
        if at < len(data):
            os.ftruncate(self._file, at)


class SealedLogs:
    """The files of one user, in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def create(self, key: bytes) -> SealedLogFile:
        """Make the file of a public key; raises OSError."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return SealedLogFile(self._path(key), is_new=True)

    def open(self, key: bytes) -> SealedLogFile | None:
        """Return the file of a public key; None if there is none, or another program has it."""
        with suppress(OSError):
            return SealedLogFile(self._path(key))
        return None

    def unfinished(self) -> Iterator[SealedLogFile]:
        """Yield all files that no program has open; close each. What is too old is deleted."""
        for path in self._folder.glob("*.log"):
            with suppress(OSError):
                is_old = path.stat().st_mtime < time.time() - KEPT_S
                file = SealedLogFile(path)
                if is_old:
                    file.delete()
                else:
                    yield file

    def _path(self, key: bytes) -> Path:
        return self._folder / f"{key[:8].hex()}.log"


def _sync(file: int) -> None:
    """Have the disk itself keep what was written."""
    if sys.platform == "darwin":
        # There fsync only hands it to the disk, which may forget it.
        fcntl.fcntl(file, fcntl.F_FULLFSYNC)
    else:
        os.fsync(file)
