"""Seats and spectators: what somebody has at a table, and how they are there.

A seat is a place in the game and, at a table for two, a second family's opposite.
"""

import hmac
from collections.abc import Iterable
from hashlib import sha256
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from netcode.protocol.fields import BotName, FamilyLetter, Hash, Name

NONE: Final = bytes(32)
"""What is kept in the place of a key that is not there: nothing has this hash."""


class KeyRing(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The keys that open one seat, kept as hashes only and compared in constant time.

    A key opens its seat for as long as that is its person's: so nobody is locked out by a change
    that they never heard of, or that a host forgot which could keep nothing. Who has proved in
    another way whose they are is offered a second key, which is the only one once it is used.
    """

    key: Hash = NONE
    """The hash of the key; of a seat whose person is not to come back there is none."""
    offered: Hash = NONE
    """That of the one that is offered besides."""

    @classmethod
    def of(cls, key: bytes) -> "KeyRing":
        """Return the keys of a seat that has one only."""
        return cls(key_hash(key))

    @property
    def is_closed(self) -> bool:
        """Whether no key opens the seat, and none is to be given out."""
        return self.key == NONE

    def opens(self, hashed: bytes) -> bool:
        """Whether the key of this hash opens the seat."""
        # Not `or`: both are always compared, so that time tells nothing.
        return hmac.compare_digest(self.key, hashed) | hmac.compare_digest(self.offered, hashed)

    def offering(self, key: bytes) -> "KeyRing":
        """Return the ring with one more key, in the place of one that was offered before."""
        return KeyRing(self.key, key_hash(key))

    def used(self, hashed: bytes) -> "KeyRing":
        """Return the ring once somebody has come with the key of this hash, which opens it."""
        return KeyRing(hashed) if hmac.compare_digest(self.offered, hashed) else self

    def changed(self, key: bytes) -> "KeyRing":
        """Return the ring with another key; the one before stays good until one is offered."""
        return KeyRing(key_hash(key), self.key)


def key_hash(key: bytes) -> bytes:
    """Return what is kept of a key; with 256 random bits in it, a plain hash is enough."""
    return sha256(key).digest()


Absence: TypeAlias = Literal["grace", "wait", "bot"]
"""What happens while a person is away: a bot answers after a grace, nobody does, or at once."""


class Spectator(Struct, eq=False, weakref=True):
    """Somebody who watches; forgotten as soon as their connection has ended."""

    name: str
    connection: int
    keys: KeyRing
    host: bool = False
    family: None = None
    """They play none."""


class KeptSeat(Struct, forbid_unknown_fields=True):
    """What is kept of a family's place at the table, or two families', and of who plays it."""

    family: FamilyLetter
    name: Name
    second: FamilyLetter | None = None
    """The other family, at a table for two."""
    bot: BotName | None = None
    """None for a person."""
    keys: KeyRing | None = None
    """None for a bot."""
    host: bool = False
    left: bool = False
    """Whether its person, being away, said that they leave."""
    absence: Absence = "grace"
    """What happens while its person is away, as the host has decided."""
    admits: bool = False
    """Whether its person, being away, may come back by name alone, as the host has decided."""
    newcomer: bool = False
    """Whether its person has come since the game that is over, and had no part in it."""


class Seat(KeptSeat, eq=False, weakref=True):
    """A seat as it is while the table is awake."""

    connection: int | None = None
    """None for a bot and for a person who is away."""
    ready: bool = False
    """Whether its person waits for the game to begin."""
    acted: int = 0
    """The number of the last act that counted."""
    away_since: float = 0.0
    """When its person went away, while they are."""
    stood_in: bool = False
    """Whether a bot has answered since its person went away."""
    lapses: int = 0
    """For how many decisions in a row its person, being there, let the clock run out."""

    def kept(self) -> KeptSeat:
        """Return what is to be kept of it, as it is now."""
        return KeptSeat(*[getattr(self, name) for name in KeptSeat.__struct_fields__])

    @property
    def present(self) -> bool:
        """Whether it is somebody who can answer."""
        return self.bot is not None or self.connection is not None

    @property
    def families(self) -> tuple[FamilyLetter, ...]:
        """The families that it plays."""
        return (self.family,) if self.second is None else (self.family, self.second)


Participant: TypeAlias = Seat | Spectator


def places_of(seats: Iterable[Seat], families: str) -> tuple[int, ...]:
    """Return the places of a game, given its families, that some seats have."""
    own = {family for seat in seats for family in seat.families}
    return tuple(place for place, family in enumerate(families) if family in own)
