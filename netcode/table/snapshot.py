"""The stored state of a table, from which it can be restored: the table, and its game.

Each value is complete, and is stored again when it has changed. Keys are stored as hashes.
`effects.Keep` stores it, and `restoring.py` makes a table from it.
"""

from random import Random
from typing import Annotated, Final

from msgspec import Meta, Struct, field
from msgspec.structs import asdict, replace

from engine.cards import MAXIMUM_PLAYERS
from netcode.protocol.evening import Evening
from netcode.protocol.fields import (
    MAXIMUM_LINES,
    SECRET_BYTES,
    Hash,
    Phase,
    Revision,
    Secret,
    SpokenCode,
    Strict,
)
from netcode.protocol.messages import Line
from netcode.protocol.table_settings import TableSettings
from netcode.table.people.seats import KeptSeat

NUMBER_BITS: Final = 62
"""Number of bits of a table's random number. SQLite has room for 63."""

MOST_FORMER: Final = 16
"""Maximum number of a table's former invitations, with which people with a seat come back."""

MAXIMUM_MUTED: Final = 100
"""Maximum number of muted names: many more than fit at a table."""
_Count = Annotated[int, Meta(ge=0)]


def new_number(rng: Random) -> int:
    """Return the number of a new table, unique for this user."""
    return rng.randrange(1, 1 << NUMBER_BITS)


class Location(Strict, frozen=True):
    """The place where a server listens, as its host asks for it and as the journal stores it.

    A field that is None stands for the default, or at a resumed table for its former place.
    """

    bind: str | None = None
    """The address; by default all of this machine."""
    port: Annotated[int, Meta(ge=0, le=65_535)] | None = None
    """The TCP port; 0 for any free one."""
    public: str | None = None
    """Addresses before those of this machine in invitations, separated by commas. Those without a
    port use the port on which this machine listens.
    """
    plain: bool | None = None
    """True without encryption: then everybody who reaches it may join."""
    unix: str | None = None
    """The path of an unencrypted socket instead of a port."""
    announced: bool | None = None
    """True if the table is announced on the local network; by default it is."""

    @property
    def encrypted(self) -> bool:
        """True if connections are encrypted."""
        return not self.plain and self.unix is None

    def changed_by(self, wanted: "Location") -> "Location":
        """Return this place with everything that `wanted` sets."""
        return replace(
            self, **{name: said for name, said in asdict(wanted).items() if said is not None}
        )


_Name = Annotated[str, Meta(max_length=20)]

MOST_RECORD: Final = 2000
"""Maximum characters of an optional part's record."""

_Record = Annotated[str, Meta(max_length=MOST_RECORD)]

MOST_PARTS: Final = 16
"""Maximum number of optional parts of a table."""


class Opened(Strict, frozen=True):
    """How others reach a table: its invitation, its place, and its optional parts."""

    secret: Secret
    """The secret in the table's invitation."""
    code: SpokenCode
    """The table's spoken code: see `spoken_code.py`."""
    location: Location = Location()
    parts: Annotated[dict[_Name, _Record], Meta(max_length=MOST_PARTS)] = field(
        default_factory=dict
    )
    """The records of the table's optional parts, by name. Only the part reads its record."""
    former: Annotated[tuple[Secret, ...], Meta(max_length=MOST_FORMER)] = ()
    """The secrets of former invitations, latest first. A Hello with one also needs a key to a
    seat.
    """

    def renewed(self, secret: bytes, code: str) -> "Opened":
        """Return a copy with a new invitation. The present secret becomes a former one."""
        former = (self.secret, *self.former)[:MOST_FORMER]
        return replace(self, secret=secret, code=code, former=former)


UNOPENED: Final = Opened(bytes(SECRET_BYTES), "0" * 8)
"""The value for a table that only its own program reaches."""


MOST_WING_BYTES: Final = 16 * 1024
"""Maximum bytes that a wing stores with a table. Each change of the table writes them again."""


class WingRecord(Strict, frozen=True, array_like=True):
    """The record of a wing at a table, which only that wing reads."""

    version: Annotated[int, Meta(ge=1)]
    """The version of the record's form."""
    data: Annotated[bytes, Meta(max_length=MOST_WING_BYTES)]


class KeptTable(Strict, frozen=True, weakref=True):
    """Everything about a table except its games."""

    settings: TableSettings
    seats: Annotated[tuple[KeptSeat, ...], Meta(max_length=MAXIMUM_PLAYERS)] = ()
    owner: Hash | None = None
    """The hash of the owner's key."""
    opened: Opened = UNOPENED
    paused: bool = False
    """True if the host has paused the game."""
    silenced: bool = False
    """True if all spectators are muted."""
    muted: Annotated[tuple[str, ...], Meta(max_length=MAXIMUM_MUTED)] = ()
    """The common forms of muted names."""
    said: _Count = 0
    """Number of lines of chat so far."""
    talk: Annotated[tuple[Line, ...], Meta(max_length=MAXIMUM_LINES)] = ()
    """The last lines, oldest first."""
    evening: Evening = Evening()
    """The results of all finished games."""
    wings: Annotated[dict[_Name, WingRecord], Meta(max_length=MOST_PARTS)] = field(
        default_factory=dict
    )
    """The records of wings, by name."""


class KeptGame(Strict, frozen=True, weakref=True):
    """The games of a table: their number, and the present or last one."""

    begun: _Count = 0
    """Number of games so far."""
    revision: Revision = 0
    phase: Phase = "lobby"
    acted: Annotated[tuple[Revision, ...], Meta(max_length=MAXIMUM_PLAYERS)] = ()
    """The number of each seat's last act that counted."""
    record: str = ""
    """Deal, settings, players and beginning, as JSON of a `Record`; "" without a game, and for a
    game that the table does not deal.
    """
    actions: tuple[str, ...] = ()
    """The answers so far, as tokens."""
    pieces: tuple[tuple[bytes, bytes], ...] = field(default=(), name="parcels")
    """The parts of a game that the table does not deal, in order. They restore the game."""


class Snapshot(Struct, frozen=True):
    """The whole stored state of a table."""

    table: KeptTable
    game: KeptGame = KeptGame()
