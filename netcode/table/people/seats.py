"""Defines seats and spectators: the state of each participant, and their presence.

A seat is a place in the game. At a table for two it is two opposite places.
"""

import hmac
import math
from collections.abc import Iterable
from hashlib import sha256
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from netcode.protocol.fields import BotName, FamilyLetter, Hash, Name

NONE: Final = bytes(32)
"""The value that stands for no key: no key has this hash."""


class KeyRing(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The keys to one seat, stored as hashes and compared in constant time.

    A key stays valid as long as its person has the seat. So nobody loses a seat because a new key
    was lost on the way, or because a host without working storage forgot it. A person who proved
    their identity in another way is offered a second key. After its first use it is the only valid
    key.
    """

    key: Hash = NONE
    """The hash of the key; `NONE` if the person may not return."""
    offered: Hash = NONE
    """The hash of a second valid key, offered or former; `NONE` without such a key."""

    @classmethod
    def of(cls, key: bytes) -> "KeyRing":
        """Return a ring whose only valid key is `key`."""
        return cls(key_hash(key))

    @property
    def is_closed(self) -> bool:
        """True if no key opens the seat, and none may be offered."""
        return self.key == NONE

    @staticmethod
    def are_related(before: "KeyRing | None", now: "KeyRing | None") -> bool:
        """Return True if a key of an earlier ring of a seat still belongs to its present ring.

        None stands for a seat without a person.
        """
        if before is None or now is None:
            return before is now
        own = {before.key, before.offered} - {NONE}
        return bool(own & {now.key, now.offered}) or before == now

    def opens(self, hashed: bytes) -> bool:
        """Return True if a key with this hash opens the seat."""
        # Compare both, so that timing does not reveal which one fits.
        return hmac.compare_digest(self.key, hashed) | hmac.compare_digest(self.offered, hashed)

    def offering(self, key: bytes) -> "KeyRing":
        """Return the ring with an offered key, which replaces an earlier offer."""
        return KeyRing(self.key, key_hash(key))

    def used(self, hashed: bytes) -> "KeyRing":
        """Return the ring after a valid key with this hash was used.

        If it was the second key, it becomes the only valid key. Use of the first key changes
        nothing.
        """
        return KeyRing(hashed) if hmac.compare_digest(self.offered, hashed) else self

    def changed(self, key: bytes) -> "KeyRing":
        """Return a ring with a new key and the present key.

        The present key stays valid until a key is offered.
        """
        return KeyRing(key_hash(key), self.key)


def key_hash(key: bytes) -> bytes:
    """Return the hash of a key. A key has 256 random bits, so a plain hash is enough."""
    return sha256(key).digest()


Absence: TypeAlias = Literal["grace", "wait", "bot"]
"""The treatment of a person's absence. With `grace` a bot answers after some seconds, with `wait`
nobody answers, and with `bot` a bot answers at once.
"""


class Spectator(Struct, eq=False, weakref=True):
    """A person at a table without a seat, whom the table forgets when the connection ends."""

    name: str
    connection: int
    keys: KeyRing
    host: bool = False
    refused_at: float = -math.inf
    """The time of the host's last refusal of their wish for a bot's seat."""
    family: None = None
    """Always None: a spectator plays no family."""


class KeptSeat(Struct, forbid_unknown_fields=True):
    """The stored state of a seat with one or two families."""

    family: FamilyLetter
    name: Name
    second: FamilyLetter | None = None
    """The second family at a table for two; otherwise None."""
    bot: BotName | None = None
    """The kind of bot; None for a person."""
    keys: KeyRing | None = None
    """The keys of a person; None for a bot."""
    host: bool = False
    left: bool = False
    """True if the absent person has left for good."""
    absence: Absence = "grace"
    """The treatment of the person's absence, which the host decides."""
    admits: bool = False
    """True if the host lets the absent person return by name without a key."""
    newcomer: bool = False
    """True if the person arrived after the finished game and did not play it."""


class Seat(KeptSeat, eq=False, weakref=True):
    """A seat of a table in memory, with the state that is not stored."""

    connection: int | None = None
    """The person's connection; None for a bot and for an absent person."""
    ready: bool = False
    """True if the person is ready for the next game."""
    acted: int = 0
    """The number of the person's last act that was executed."""
    away_since: float = 0.0
    """The time at which the absent person lost the connection. It is infinity after a restart,
    until the first person arrives.
    """
    has_bot_answered: bool = False
    """True if a bot has answered since the person became absent."""
    lapses: int = 0
    """Number of consecutive decisions for which the present person let the clock run out."""

    def kept(self) -> KeptSeat:
        """Return the stored state of the seat."""
        return KeptSeat(*[getattr(self, name) for name in KeptSeat.__struct_fields__])

    @property
    def present(self) -> bool:
        """True if the seat's player can answer: a bot, or a person with a connection."""
        return self.bot is not None or self.connection is not None

    @property
    def families(self) -> tuple[FamilyLetter, ...]:
        """The seat's family, followed by its second family at a table for two."""
        return (self.family,) if self.second is None else (self.family, self.second)


Participant: TypeAlias = Seat | Spectator


def places_of(seats: Iterable[Seat], families: str) -> tuple[int, ...]:
    """Return the seats' positions in a game with these families."""
    own = {family for seat in seats for family in seat.families}
    return tuple(place for place, family in enumerate(families) if family in own)
