"""The keys to the seats that one has at tables, so that a closed terminal loses no seat.

They lie in the user's state folder in a file that nobody else may read. A key opens one seat at
one table; a file that is missing or damaged only means joining anew.
"""

import hashlib
import os
from pathlib import Path
from typing import Final

from driflamme_tui.preferences.remembered import (
    Kept,
    WayBack,
    recall,
    state_path,
    with_latest,
)
from netcode.file_locks import lock_file
from netcode.own_files import UnsafeFolderError, open_own, own_folder
from netcode.protocol.fields import KEY_BYTES

FILE: Final = "seats.json"
"""The name of the file."""

_KEYS: Final = Kept(FILE, dict[str, str], {})
MOST: Final = 20
"""Maximum number of seats that are remembered; the oldest are dropped."""


def seat_at(place: str, secret: bytes | None) -> str:
    """Return what the key to a seat is kept under, at the table of a secret at a place."""
    return place if secret is None else f"{place}/{hashlib.sha256(secret).hexdigest()[:16]}"


def has_key(folder: Path, seat: str) -> bool:
    """Return whether there is a key to a seat among the files of another user, in a folder."""
    return any(seat in _KEYS.recall(each) for each in folder.rglob(FILE))


def has_any_key(folder: Path) -> bool:
    """Return whether there is a key to any seat among the files of another user, in a folder."""
    return any(_KEYS.recall(each) for each in folder.rglob(FILE))


class OwnSeat:
    """One's seat at a table: locked by this program, with the key that leads back to it.

    Friends may share an account, and with it names and keys: a lock keeps a second program from
    taking the seat of the one that sits there. The system releases it when the program ends,
    however it ends.
    """

    def __init__(self, address: str, name: str) -> None:
        """Try to lock the seat of a player of this name at a table."""
        self._address = address
        self._entry = f"{name} @ {address}"
        self._file: int | None = None
        # The path of a socket may be no text.
        entry = self._entry.encode(errors="surrogateescape")
        path = state_path(f"seat-{hashlib.sha256(entry).hexdigest()[:16]}.lock")
        try:
            own_folder(path.parent)
            self._file = open_own(path)
            if not lock_file(self._file):
                self.release()
        except (OSError, UnsafeFolderError):
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

    def recall(self) -> bytes | None:
        """Return the key that was remembered, unless another program sits there."""
        try:
            key = bytes.fromhex(_KEYS.recall().get(self._entry, ""))
        except ValueError:
            return None
        return key if self.held and len(key) == KEY_BYTES else None

    def remember(self, key: bytes | None, name: str = "") -> None:
        """Remember the present key, unless another program sits there.

        By a name it leads back here, too, who comes under that.
        """
        if self.held and key is not None:
            entry = f"{name} @ {self._address}" if name else self._entry
            _KEYS.change(lambda keys: with_latest(keys, entry, key.hex(), MOST))

    def forget(self) -> None:
        """Forget the key to a seat that is lost for good, under whatever name it leads there."""
        lost = _KEYS.recall().get(self._entry)
        if lost is not None:
            _KEYS.change(lambda keys: {entry: key for entry, key in keys.items() if key != lost})


def way_back() -> WayBack | None:
    """Return the way back to a seat that the player has left without giving it up.

    There is a key to that seat, and no other program sits there.
    """
    back = recall().back
    if back is None:
        return None
    seat = OwnSeat(back.place, back.name)
    try:
        return back if seat.recall() is not None else None
    finally:
        seat.release()
