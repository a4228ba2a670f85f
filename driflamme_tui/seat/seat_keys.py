"""The keys to the seats that one has at tables, so that a closed terminal loses no seat.

They lie in the user's state folder in a file that nobody else may read. A key opens one seat at
one table and changes with each use; a file that is missing or damaged only means joining anew.
"""

import fcntl
import hashlib
import os
from typing import Final

from driflamme_tui.preferences.state_file import read_state, state_path, write_state
from netcode.protocol.fields import KEY_BYTES

FILE: Final = "seats.json"
"""The name of the file that holds the keys."""
MOST: Final = 20
"""Maximum number of seats that are remembered; the oldest are dropped."""


class SeatLock:
    """A lock on a seat, so that no second program takes it from the one that sits there.

    Friends may share an account, and with it names and keys; the system releases the lock when the
    program ends, however it ends.
    """

    def __init__(self, address: str, name: str) -> None:
        """Try to lock the seat of a player of this name at a table."""
        self.address, self.name = address, name
        self._file: int | None = None
        entry = hashlib.sha256(_entry(address, name).encode()).hexdigest()[:16]
        path = state_path(f"seat-{entry}.lock")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.release()

    @property
    def held(self) -> bool:
        """Whether it is this program that has the lock."""
        return self._file is not None

    def release(self) -> None:
        """Let another program have the seat."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


class OwnSeat(SeatLock):
    """One's seat at a table: locked by this program, with the key that leads back to it."""

    def recall(self) -> bytes | None:
        """Return the key that was remembered, unless another program sits there."""
        return recall_key(self.address, self.name) if self.held else None

    def remember(self, key: bytes | None) -> None:
        """Remember the present key, unless another program sits there."""
        if self.held and key is not None:
            remember_key(self.address, self.name, key)

    def forget(self) -> None:
        """Forget the key to a seat that is lost for good."""
        forget_key(self.address, self.name)


def recall_key(address: str, name: str) -> bytes | None:
    """Return the key to the seat that a player of this name had at a table, if there is one."""
    try:
        key = bytes.fromhex(_read()[_entry(address, name)])
    except (KeyError, ValueError):
        return None
    return key if len(key) == KEY_BYTES else None


def remember_key(address: str, name: str, key: bytes) -> None:
    """Remember the present key to a seat."""
    keys = _read()
    keys.pop(_entry(address, name), None)
    keys[_entry(address, name)] = key.hex()
    write_state(FILE, dict(list(keys.items())[-MOST:]))


def forget_key(address: str, name: str) -> None:
    """Forget the key to a seat that one has left for good."""
    keys = _read()
    if keys.pop(_entry(address, name), None) is not None:
        write_state(FILE, keys)


def _entry(address: str, name: str) -> str:
    return f"{name} @ {address}"


def _read() -> dict[str, str]:
    return read_state(FILE, dict[str, str], {})
