"""The tables behind one server: which secret or spoken code belongs to which.

A table is awake, as a `Table`, or asleep, as what the journal has of it. Who may come in is
`door.py`'s, waking and putting to sleep `club.py`'s.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from heapq import nsmallest
from typing import Final

from netcode.fields import MAXIMUM_TABLES, SECRET_BYTES
from netcode.keeping import MOST_FORMER, Invited
from netcode.messages import TableInfo
from netcode.pace import TokenBucket
from netcode.spoken import guesses_at_table, renewed, room_of
from netcode.table import Table

MOST_TABLES: Final = 10_000
"""That one club has, awake and asleep: each has a room of its own, of 32,768."""


@dataclass(slots=True, eq=False)
class Place:
    """A table and how one gets there."""

    number: int
    """In the journal."""
    secret: bytes
    code: str
    """The spoken code; it begins with the room."""
    table: Table | None
    """None while it is asleep."""
    asleep: TableInfo | None = None
    """How it was when it fell asleep."""
    former: tuple[bytes, ...] = ()
    """The secrets of earlier invitations, the latest first: who has one needs a key to a seat."""
    guesses: TokenBucket = field(default_factory=guesses_at_table)
    """Those at its code that it still allows."""

    @property
    def room(self) -> str:
        """What the table is called among those of its server."""
        return room_of(self.code)

    def info(self) -> TableInfo:
        """Return the table as members of its club see it from outside."""
        if self.table is None:
            assert self.asleep is not None
            return self.asleep
        summary = self.table.summary()
        return TableInfo(
            room=self.room,
            secret=self.secret,
            phase=summary.phase,
            edition=summary.edition,
            names=summary.names,
        )


class Hall:
    """All tables of a server."""

    def __init__(
        self,
        places: Iterable[Place] = (),
        *,
        is_open: bool = False,
        club_secret: bytes | None = None,
        invite: Callable[[Place], str] = lambda place: "",
    ) -> None:
        """Begin with some tables.

        Args:
            places: Of a server that is no club, one.
            is_open: Whether whoever gets to the server may come in without a secret.
            club_secret: Makes its holders members of the club that the server is.
            invite: Returns the invitation to a table, from its secret.
        """
        self.is_open = is_open
        self._club_secret = club_secret
        self.invite = invite
        self._by_secret: dict[bytes, Place] = {}
        self._by_former: dict[bytes, Place] = {}
        self._by_room: dict[str, Place] = {}
        for place in places:
            self.add(place)

    @property
    def places(self) -> Iterator[Place]:
        """All of them, in the order in which they came."""
        return iter(self._by_room.values())

    @property
    def is_club(self) -> bool:
        """Whether members may open tables here."""
        return self._club_secret is not None

    @property
    def club_secret(self) -> bytes:
        """What members show; only a club has it."""
        assert self._club_secret is not None
        return self._club_secret

    @property
    def only_place(self) -> Place | None:
        """The table, if there is one only."""
        return next(self.places) if len(self._by_room) == 1 else None

    @property
    def rooms(self) -> frozenset[str]:
        """The rooms that are taken."""
        return frozenset(self._by_room)

    @property
    def has_room(self) -> bool:
        """Whether there may be another table."""
        return len(self._by_room) < MOST_TABLES

    def add(self, place: Place) -> None:
        """Add a table, whose secret and room are its own."""
        self._by_secret[_hash(place.secret)] = place
        self._by_former.update({_hash(secret): place for secret in place.former})
        self._by_room[place.room] = place

    def remove(self, place: Place) -> None:
        """Forget a table."""
        del self._by_secret[_hash(place.secret)]
        for secret in place.former:
            del self._by_former[_hash(secret)]
        del self._by_room[place.room]

    def renew(self, place: Place, random_bytes: Callable[[int], bytes]) -> Invited:
        """Give a table a new secret and code; return what is to be kept of that."""
        self.remove(place)
        place.former = (place.secret, *place.former)[:MOST_FORMER]
        place.secret, place.code = random_bytes(SECRET_BYTES), renewed(place.code, random_bytes)
        self.add(place)
        return Invited(place.secret, place.code, place.former)

    def by_secret(self, secret: bytes) -> Place | None:
        """Return the table that a secret opens."""
        # By its hash, so that how long it takes tells nothing of the secrets that there are.
        return self._by_secret.get(_hash(secret))

    def by_former(self, secret: bytes) -> Place | None:
        """Return the table that a secret opened before it got a new invitation."""
        return self._by_former.get(_hash(secret))

    def by_room(self, room: str) -> Place | None:
        """Return the table of that room."""
        return self._by_room.get(room)

    def infos(self) -> list[TableInfo]:
        """Return what members are told of the tables, those where something goes on first."""
        # Only those that are told of are described: members ask often, and tables are many. One
        # that locks somebody out is for those whom its host invites.
        told = (place for place in self.places if not place.former)
        first = nsmallest(MAXIMUM_TABLES, told, key=_liveliness)
        return [place.info() for place in first]


def _liveliness(place: Place) -> tuple[bool, bool]:
    """Return what orders tables by how likely somebody wants to go there, these first."""
    table = place.table
    if table is None:
        return True, place.asleep is None or place.asleep.phase != "lobby"
    return False, table.phase != "lobby"


def _hash(secret: bytes) -> bytes:
    return sha256(secret).digest()
