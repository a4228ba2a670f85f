"""The keys that prove whose a seat is, kept as hashes only."""

import hmac
from hashlib import sha256

from msgspec import Struct


class KeyRing(Struct, eq=False):
    """The keys that open one seat, kept as hashes only and compared in constant time.

    Each resume changes the key. The one before it stays good until the new one has been heard of,
    as the message that brings it may be lost. So do both if a further one is offered, which counts
    until it is used or another is.
    """

    hashes: tuple[bytes, bytes]
    """What is kept of the present key and of the one before."""

    offered: bytes = bytes(32)
    """The hash of the one that is offered, if one is."""

    @classmethod
    def of(cls, key: bytes) -> "KeyRing":
        """Return the keys of a seat that has had one only."""
        hashed = key_hash(key)
        return cls((hashed, hashed))

    @classmethod
    def closed(cls) -> "KeyRing":
        """Return the keys of a seat whose person is not to come back: nothing has this hash."""
        return cls((bytes(32), bytes(32)))

    @property
    def is_closed(self) -> bool:
        """Whether no key opens the seat, and none is to be given out."""
        return not any(self.hashes[0])

    def opens(self, hashed: bytes) -> bool:
        """Whether the key of this hash opens the seat."""
        current, previous = self.hashes
        # Not `or`: all are always compared, so that time tells nothing.
        return (
            hmac.compare_digest(current, hashed)
            | hmac.compare_digest(previous, hashed)
            | hmac.compare_digest(self.offered, hashed)
        )

    def offer(self, key: bytes) -> None:
        """Let one more key open the seat, in the place of one that was offered before."""
        self.offered = key_hash(key)

    def change(self, used: bytes, key: bytes) -> None:
        """Replace the key after it, or the one before it, was used; `used` is its hash."""
        self.hashes, self.offered = (key_hash(key), used), bytes(32)

    def confirm(self) -> None:
        """Let only the current key open the seat, as its person has it."""
        current, _ = self.hashes
        self.hashes = current, current


def key_hash(key: bytes) -> bytes:
    """Return what is kept of a key; with 256 random bits in it, a plain hash is enough."""
    return sha256(key).digest()
