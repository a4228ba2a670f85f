"""The keys that prove whose a seat is, kept as hashes only."""

import hmac
from hashlib import sha256
from typing import Final

from msgspec import Struct

NONE: Final = bytes(32)
"""What is kept in the place of a key that is not there: nothing has this hash."""


class KeyRing(Struct, eq=False):
    """The keys that open one seat, kept as hashes only and compared in constant time.

    A key opens its seat for as long as that is its person's: so nobody is locked out by a change
    that they never heard of, or that a host forgot which could keep nothing. Who has proved in
    another way whose they are is offered a second key, which is the only one once it is used.
    """

    hashes: tuple[bytes, bytes]
    """What is kept of the key, and of the one that is offered besides."""

    @classmethod
    def of(cls, key: bytes) -> "KeyRing":
        """Return the keys of a seat that has one only."""
        return cls((key_hash(key), NONE))

    @classmethod
    def closed(cls) -> "KeyRing":
        """Return the keys of a seat whose person is not to come back."""
        return cls((NONE, NONE))

    @property
    def is_closed(self) -> bool:
        """Whether no key opens the seat, and none is to be given out."""
        return self.hashes[0] == NONE

    def opens(self, hashed: bytes) -> bool:
        """Whether the key of this hash opens the seat."""
        key, offered = self.hashes
        # Not `or`: both are always compared, so that time tells nothing.
        return hmac.compare_digest(key, hashed) | hmac.compare_digest(offered, hashed)

    def offer(self, key: bytes) -> None:
        """Let one more key open the seat, in the place of one that was offered before."""
        self.hashes = self.hashes[0], key_hash(key)

    def use(self, hashed: bytes) -> None:
        """Note that somebody has come with the key of this hash, which opens the seat."""
        if hmac.compare_digest(self.hashes[1], hashed):
            self.hashes = hashed, NONE

    def change(self, key: bytes) -> None:
        """Have another key; the one before stays good until one is offered."""
        self.hashes = key_hash(key), self.hashes[0]


def key_hash(key: bytes) -> bytes:
    """Return what is kept of a key; with 256 random bits in it, a plain hash is enough."""
    return sha256(key).digest()
