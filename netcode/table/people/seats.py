"""Seats and spectators: what somebody has at a table, and how they are there.

A seat is a place in the game and, at a table for two, a second family's opposite.
"""

from collections.abc import Iterable
from typing import Literal, TypeAlias

from msgspec import Struct

from netcode.protocol.fields import FamilyLetter
from netcode.table.people.key_ring import KeyRing

Absence: TypeAlias = Literal["grace", "wait", "bot"]
"""What happens while a person is away: a bot answers after a grace, nobody does, or at once."""


class Spectator(Struct, eq=False, weakref=True):
    """Somebody who watches; forgotten as soon as their connection has ended."""

    name: str
    connection: int
    keys: KeyRing
    host: bool = False


class Seat(Struct, eq=False, weakref=True):
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
    game_key: bytes | None = None
    """At a sealed table: the public key that its person has brought for the game to come."""
    carries: bool = False
    """Whether its person allows that a sealed table goes on at their machine."""
    acted: int = 0
    """The number of the last act that counted."""
    away_since: float = 0.0
    """When its person went away, while they are."""
    left: bool = False
    """Whether its person, being away, said that they leave."""
    absence: Absence = "grace"
    """What happens while its person is away, as the host has decided."""
    admits: bool = False
    """Whether its person, being away, may come back by name alone, as the host has decided."""
    newcomer: bool = False
    """Whether its person has come since the game that is over, and had no part in it."""
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


def places_of(seats: Iterable[Seat], families: str) -> tuple[int, ...]:
    """Return the places of a game, given its families, that some seats have."""
    own = {family for seat in seats for family in seat.families}
    return tuple(place for place, family in enumerate(families) if family in own)
