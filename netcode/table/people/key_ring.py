"""The keys that prove whose a seat is, kept as hashes only."""

import hmac
from hashlib import sha256


class KeyRing:
    """The keys that open one seat, kept as hashes only and compared in constant time.

    Each resume changes the key. The one before it stays good until the new one has been heard of,
    as the message that brings it may be lost.
    """

    __slots__ = ("hashes",)

    def __init__(self, key: bytes) -> None:
        hashed = key_hash(key)
        self.hashes = hashed, hashed
        """What is kept of the present key and of the one before."""

    @classmethod
    def of_hashes(cls, current: bytes, previous: bytes) -> "KeyRing":
        """Return the keys of which these hashes were kept."""
        ring = cls.__new__(cls)
        ring.hashes = current, previous
        return ring

    def opens(self, hashed: bytes) -> bool:
        """Whether the key of this hash opens the seat."""
        current, previous = self.hashes
        # Not `or`: both are always compared, so that time tells nothing.
        return hmac.compare_digest(current, hashed) | hmac.compare_digest(previous, hashed)

    def change(self, used: bytes, key: bytes) -> None:
        """Replace the key after it, or the one before it, was used; `used` is its hash."""
        self.hashes = key_hash(key), used

    def confirm(self) -> None:
        """Let only the current key open the seat, as its person has it."""
        current, _ = self.hashes
        self.hashes = current, current


def key_hash(key: bytes) -> bytes:
    """Return what is kept of a key; with 256 random bits in it, a plain hash is enough."""
    return sha256(key).digest()
