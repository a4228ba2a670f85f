"""Seats, spectators and the keys that prove whose they are.

A seat is what somebody has at a table: a family's place in the game and, at a table for two, a
second family's opposite. All who are at a table are `participants.py`.
"""

import hmac
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, TypeAlias

from netcode.protocol.fields import FamilyLetter

Absence: TypeAlias = Literal["grace", "wait", "bot"]
"""What happens while a person is away: a bot answers after a short grace, nobody does, or a bot
does at once."""


class KeyRing:
    """The keys that open one seat, kept as hashes only and compared in constant time.

    Each resume changes the key. The one it was opened with stays good until the new one has
    been heard of: the message that brings it may be lost with the connection.
    """

    __slots__ = ("_current", "_previous")

    def __init__(self, key: bytes) -> None:
        self._current = key_hash(key)
        self._previous = self._current

    @classmethod
    def of_hashes(cls, current: bytes, previous: bytes) -> "KeyRing":
        """Return the keys of which these hashes were kept."""
        ring = cls.__new__(cls)
        ring._current, ring._previous = current, previous
        return ring

    @property
    def hashes(self) -> tuple[bytes, bytes]:
        """What is kept of the present key and of the one before."""
        return self._current, self._previous

    def opens(self, hashed: bytes) -> bool:
        """Whether the key of this hash opens the seat."""
        # Not `or`: both are always compared, so that time tells nothing.
        return hmac.compare_digest(self._current, hashed) | hmac.compare_digest(
            self._previous, hashed
        )

    def change(self, used: bytes, key: bytes) -> None:
        """Replace the key after it, or the one before it, was used; `used` is its hash."""
        self._previous = used
        self._current = key_hash(key)

    def confirm(self) -> None:
        """Let only the current key open the seat, as its person has it."""
        self._previous = self._current


@dataclass(slots=True, eq=False, weakref_slot=True)
class Spectator:
    """Somebody who watches; forgotten as soon as their connection has ended."""

    name: str
    connection: int
    keys: KeyRing
    host: bool = False


@dataclass(slots=True, eq=False, weakref_slot=True)
class Seat:
    """A family's place at the table, or two families', and who plays it."""

    family: FamilyLetter
    name: str
    second: FamilyLetter | None = None
    """The other family, at a table for two."""
    bot: str | None = None
    """None for a person."""
    connection: int | None = None
    """None for a bot and for a person who is away."""
    keys: KeyRing | None = None
    """None for a bot."""
    host: bool = False
    ready: bool = False
    """Whether its person waits for the game to begin."""
    acted: int = 0
    """The number of the last act that counted."""
    away_since: float = 0.0
    """When its person went away, while they are."""
    left: bool = False
    """Whether its person, being away, said that they leave."""
    absence: Absence = "grace"
    """What happens while its person is away, as the host has decided."""
    stood_in: bool = False
    """Whether a bot has answered since its person went away."""
    lapses: int = 0
    """For how many decisions in a row its person, being there, let the clock run out."""

    @property
    def present(self) -> bool:
        """Whether it is somebody who can answer."""
        return self.bot is not None or self.connection is not None

    @property
    def families(self) -> tuple[FamilyLetter, ...]:
        """The families that it plays."""
        return (self.family,) if self.second is None else (self.family, self.second)


Participant: TypeAlias = Seat | Spectator


def family_of(participant: Participant) -> FamilyLetter | None:
    """Return the family that a participant plays, if they do."""
    return participant.family if isinstance(participant, Seat) else None


def key_hash(key: bytes) -> bytes:
    """Return what is kept of a key; with 256 random bits in it, a plain hash is enough."""
    return sha256(key).digest()
