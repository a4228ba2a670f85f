"""The keys to the seats that one has at tables, so that a closed terminal loses no seat.

They lie in the user's state folder in a file that nobody else may read. A key opens one seat at
one table; a file that is missing or damaged only means joining anew.
"""

import hashlib
import os
import re
from pathlib import Path
from typing import Final

from driflamme_tui.preferences.remembered import (
    INVITED,
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
        self._name = name
        self._former: str | None = None
        """The key that led to the seat last, maybe under other addresses, too."""
        self._locks: dict[str, int] = {}
        """The locks of the addresses that lead to the seat: of each invitation, one."""
        self.address = address
        """The address that leads to the seat now."""
        self._lock(address)

    def _lock(self, address: str) -> None:
        # The path of a socket may be no text.
        entry = _entry(self._name, address).encode(errors="surrogateescape")
        path = state_path(f"seat-{hashlib.sha256(entry).hexdigest()[:16]}.lock")
        try:
            own_folder(path.parent)
            lock = open_own(path)
        except (OSError, UnsafeFolderError):
            return
        try:
            is_locked = lock_file(lock)
        except OSError:
            is_locked = False
        if is_locked:
            self._locks[address] = lock
        else:
            os.close(lock)

    def move(self, address: str) -> None:
        """Have another address lead to the seat, too: that of a new invitation."""
        if self.held and address not in self._locks:
            self._lock(address)
        if address in self._locks:
            self.address = address

    @property
    def held(self) -> bool:
        """Whether it is this program that has the lock."""
        return bool(self._locks)

    def release(self) -> None:
        """Let another program have the seat."""
        while self._locks:
            os.close(self._locks.popitem()[1])

    def recall(self) -> bytes | None:
        """Return the key that was remembered, unless another program sits there."""
        try:
            key = bytes.fromhex(_KEYS.recall().get(_entry(self._name, self.address), ""))
        except ValueError:
            return None
        return self._recalled(key) if self.held and len(key) == KEY_BYTES else None

    def recall_near(self, place: str) -> bytes | None:
        """Return the player's latest key at a place, whichever invitation led to that seat."""
        if not self.held:
            return None
        seats = re.compile(f"{re.escape(_entry(self._name, place))}{INVITED.pattern}")
        found = [entry for entry in _KEYS.recall() if seats.fullmatch(entry)]
        for entry in reversed(found):
            key = _key_at(entry.removeprefix(_entry(self._name, "")), self._name)
            if key is not None:
                return self._recalled(key)
        return None

    def _recalled(self, key: bytes) -> bytes:
        self._former = key.hex()
        return key

    def remember(self, key: bytes | None, name: str = "") -> None:
        """Remember the present key, unless another program sits there.

        By a name it leads back here, too, who comes under that.
        """
        if not self.held or key is None:
            return
        present = [_entry(name or self._name, address) for address in self._locks]

        def renewed(keys: dict[str, str]) -> dict[str, str]:
            former = [entry for entry, each in keys.items() if each == self._former]
            for entry in (*former, *present):
                keys = with_latest(keys, entry, key.hex(), MOST)
            return keys

        _KEYS.change(renewed)
        self._recalled(key)

    def forget(self) -> None:
        """Forget the key to a seat that is lost for good, under whatever name it leads there."""
        if not self.held:
            # The key is another program's, which may sit there.
            return
        lost = _KEYS.recall().get(_entry(self._name, self.address))
        if lost is not None:
            _KEYS.change(lambda keys: {entry: key for entry, key in keys.items() if key != lost})


def way_back() -> WayBack | None:
    """Return the way back to the latest seat that the player has left without giving it up.

    There is a key to that seat, and no other program sits there.
    """
    ways = (each for each in recall().back if _key_at(each.place, each.name) is not None)
    return next(ways, None)


def _key_at(address: str, name: str) -> bytes | None:
    seat = OwnSeat(address, name)
    try:
        return seat.recall()
    finally:
        seat.release()


def _entry(name: str, address: str) -> str:
    """Return what the key to the seat of a player of this name is kept under."""
    return f"{name} @ {address}"
