"""Stores the keys to the player's seats, so that no seat is lost with a closed terminal.

The keys are in the user's state folder, in a file that only this user can read. A key opens one
seat at one table. Without the file, the player must join again.
"""

import hashlib
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from driflamme_tui.preferences.remembered import (
    INVITATION_PART,
    StoredValue,
    WayBack,
    recall,
    state_path,
    with_latest,
)
from netcode.file_locks import lock_file
from netcode.private_files import UnsafeFolderError, make_private_folder, open_private_file
from netcode.protocol.fields import KEY_BYTES

FILE: Final = "seats.json"

_KEYS: Final = StoredValue(FILE, dict[str, str], {})
MOST: Final = 100
"""Maximum number of entries with keys; a seat may have several entries. The oldest are dropped. The
number is high, since a player needs the key for a game that lasts for days.
"""


def seat_at(place: str, secret: bytes | None) -> str:
    """Return the name of a seat's key at a place.

    With the secret of a table, the name also contains a hash of the secret.
    """
    return place if secret is None else f"{place}/{hashlib.sha256(secret).hexdigest()[:16]}"


def has_key(folder: Path, seat: str) -> bool:
    """Return True if a folder of another user's files has a key to a seat."""
    return any(seat in _KEYS.recall(each) for each in folder.rglob(FILE))


def has_any_key(folder: Path) -> bool:
    """Return True if a folder of another user's files has a key to any seat."""
    return any(_KEYS.recall(each) for each in folder.rglob(FILE))


class LockedSeat:
    """The player's seat at a table, which this program has locked, and the key to it.

    Friends may share an account, and with it names and keys. The lock prevents a second program
    from taking the seat. The system releases the lock when the program ends in any way.
    """

    def __init__(self, address: str, name: str) -> None:
        """Try to lock the seat of the player with this name at a table.

        `is_locked` is False if another program has the lock.
        """
        self._name = name
        self._former: str | None = None
        """The key that last opened the seat, perhaps by another address; None before the first."""
        self._locks: dict[str, int] = {}
        """The locks by address. Each invitation leads to the seat by an address of its own."""
        self.address = address
        """The address by which the seat is reached now."""
        self._lock(address)

    def _lock(self, address: str) -> None:
        # The path of a socket may be invalid text, so encode it like a file name.
        entry = _entry(self._name, address).encode(errors="surrogateescape")
        path = state_path(f"seat-{hashlib.sha256(entry).hexdigest()[:16]}.lock")
        try:
            make_private_folder(path.parent)
            lock = open_private_file(path)
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
        """Use the address of a new invitation, which leads to the same seat.

        The former address stays locked too. Does nothing if the seat is not locked, or cannot be
        locked at that address.
        """
        if self.is_locked and address not in self._locks:
            self._lock(address)
        if address in self._locks:
            self.address = address

    @property
    def is_locked(self) -> bool:
        """True if this program has the lock."""
        return bool(self._locks)

    def release(self) -> None:
        """Release the lock, so that another program can take the seat."""
        while self._locks:
            os.close(self._locks.popitem()[1])

    def recall(self) -> bytes | None:
        """Return the stored key; None without a valid key, or if another program has the seat."""
        try:
            key = bytes.fromhex(_KEYS.recall().get(_entry(self._name, self.address), ""))
        except ValueError:
            return None
        return self._recalled(key) if self.is_locked and len(key) == KEY_BYTES else None

    def recall_near(self, place: str) -> bytes | None:
        """Return the player's latest key at a place, for any invitation.

        Returns None without such a key, or if another program has the seat.
        """
        if not self.is_locked:
            return None
        seats = re.compile(f"{re.escape(_entry(self._name, place))}{INVITATION_PART}")
        found = [entry for entry in _KEYS.recall() if seats.fullmatch(entry)]
        for entry in reversed(found):
            key = _key_at(entry.removeprefix(_entry(self._name, "")), self._name)
            if key is not None:
                # Leave `_former` unchanged: if the host gives another key, the found key is of
                # another table at the place, and `remember` must not replace it.
                return key
        return None

    def _recalled(self, key: bytes) -> bytes:
        self._former = key.hex()
        return key

    def remember(self, key: bytes | None, name: str = "") -> None:
        """Store the present key. Without a key, or if another program has the seat, do nothing.

        With a name, the key is also stored for a player of that name.
        """
        if not self.is_locked or key is None:
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
        """Delete the key to a lost seat, under all names. Do nothing if no key is stored.

        A key that another program has locked stays, since that program may have the seat.
        """
        if not self.is_locked:
            return
        lost = _KEYS.recall().get(_entry(self._name, self.address))
        if lost is not None:
            _KEYS.change(lambda keys: {entry: key for entry, key in keys.items() if key != lost})


def stored_key(place: str, name: str) -> bytes | None:
    """Return the key to a player's seat, also while another program has the seat.

    Returns None without a valid key.
    """
    with suppress(ValueError):
        key = bytes.fromhex(_KEYS.recall().get(_entry(name, place), ""))
        return key if len(key) == KEY_BYTES else None
    return None


def way_back(name: str = "") -> WayBack | None:
    """Return the way back to the latest seat that the player left but did not give up.

    With a name, it is the latest seat of the player of that name. Returns None if no key is stored,
    or if another program has the seat.
    """
    ways = (each for each in recall().back if name in ("", each.name))
    return next((each for each in ways if is_free(each.place, each.name)), None)


def is_free(place: str, name: str) -> bool:
    """Return True if the key to a player's seat is stored, and no other program has the seat."""
    return _key_at(place, name) is not None


def _key_at(address: str, name: str) -> bytes | None:
    seat = LockedSeat(address, name)
    try:
        return seat.recall()
    finally:
        seat.release()


def _entry(name: str, address: str) -> str:
    """Return the name under which the key to the seat of a player is stored."""
    return f"{name} @ {address}"
