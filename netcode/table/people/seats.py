"""Seats and spectators: the state of each participant, and whether they are present.

A seat is a place in the game and, at a table for two, also the opposite place.
"""

import hmac
from collections.abc import Iterable
from hashlib import sha256
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from netcode.protocol.fields import BotName, FamilyLetter, Hash, Name

NONE: Final = bytes(32)
"""The value for a missing key: no key has this hash."""


class KeyRing(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The keys to one seat, stored as hashes and compared in constant time.

    A key is valid as long as its person has the seat. So nobody loses a seat because a new key was
    lost on the way, or because a host without working storage forgot it. A person who proved their
    identity in another way is offered a second key. After its first use it is the only valid key.
    """

    key: Hash = NONE
    """The hash of the key; `NONE` if the person may not come back."""
    offered: Hash = NONE
    """The hash of the offered key."""

    @classmethod
    def of(cls, key: bytes) -> "KeyRing":
        """Return the ring of a seat with one key."""
        return cls(key_hash(key))

    @property
    def is_closed(self) -> bool:
        """True if no key opens the seat, and none may be given."""
        return self.key == NONE

    def opens(self, hashed: bytes) -> bool:
        """Return True if a key with this hash opens the seat."""
        # Compare both, so that timing reveals nothing.
        return hmac.compare_digest(self.key, hashed) | hmac.compare_digest(self.offered, hashed)

    def offering(self, key: bytes) -> "KeyRing":
        """Return the ring with an offered key, in place of an earlier offer."""
        return KeyRing(self.key, key_hash(key))

    def used(self, hashed: bytes) -> "KeyRing":
        """Return the ring after a valid key with this hash was used."""
        return KeyRing(hashed) if hmac.compare_digest(self.offered, hashed) else self

    def changed(self, key: bytes) -> "KeyRing":
        """Return the ring with another key. The one before stays valid until one is offered."""
        return KeyRing(key_hash(key), self.key)


def key_hash(key: bytes) -> bytes:
    """Return the hash of a key. With 256 random bits a plain hash is enough."""
    return sha256(key).digest()


Absence: TypeAlias = Literal["grace", "wait", "bot"]
"""The handling of a person's absence: a bot answers after a grace, nobody answers, or a bot answers
at once.
"""


class Spectator(Struct, eq=False, weakref=True):
    """A spectator, who is forgotten when the connection ends."""

    name: str
    connection: int
    keys: KeyRing
    host: bool = False
    family: None = None
    """A spectator plays no family."""


class KeptSeat(Struct, forbid_unknown_fields=True):
    """The stored state of a seat with one or two families."""

    family: FamilyLetter
    name: Name
    second: FamilyLetter | None = None
    """The other family at a table for two."""
    bot: BotName | None = None
    """The kind of bot; None for a person."""
    keys: KeyRing | None = None
    """The keys of a person; None for a bot."""
    host: bool = False
    left: bool = False
    """True if its absent person has left."""
    absence: Absence = "grace"
    """The handling of the person's absence, by the host's decision."""
    admits: bool = False
    """True if its absent person may come back by name alone, by the host's decision."""
    newcomer: bool = False
    """True if its person came after the finished game and did not play it."""


class Seat(KeptSeat, eq=False, weakref=True):
    """A seat of a table in memory."""

    connection: int | None = None
    """The person's connection; None for a bot and for an absent person."""
    ready: bool = False
    """True if its person is ready for the game."""
    acted: int = 0
    """The number of the last act that counted."""
    away_since: float = 0.0
    """The time at which its absent person went away."""
    has_bot_answered: bool = False
    """True if a bot has answered since its person went away."""
    lapses: int = 0
    """Number of decisions in a row for which its present person let the clock run out."""

    def kept(self) -> KeptSeat:
        """Return the stored state of the seat."""
        return KeptSeat(*[getattr(self, name) for name in KeptSeat.__struct_fields__])

    @property
    def present(self) -> bool:
        """True if the seat's player can answer."""
        return self.bot is not None or self.connection is not None

    @property
    def families(self) -> tuple[FamilyLetter, ...]:
        """The families of the seat."""
        return (self.family,) if self.second is None else (self.family, self.second)


Participant: TypeAlias = Seat | Spectator


def places_of(seats: Iterable[Seat], families: str) -> tuple[int, ...]:
    """Return the positions of some seats in a game with these families."""
    own = {family for seat in seats for family in seat.families}
    return tuple(place for place, family in enumerate(families) if family in own)
