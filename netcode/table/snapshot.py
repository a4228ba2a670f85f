"""Defines the stored state of a table, from which it can be restored: the table, and its game.

Each of the two values is complete, and is stored again after a change. Keys are stored as hashes.
`effects.Keep` requests storing, and `restoring.py` makes a table from the stored state.
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
"""Number of bits of a table's random number. SQLite could store 63."""

MOST_FORMER: Final = 16
"""Maximum number of former invitations of a table, by which people with a seat can return."""

MAXIMUM_MUTED: Final = 100
"""Maximum number of muted names: many more than people at a table."""
_Count = Annotated[int, Meta(ge=0)]


def new_number(rng: Random) -> int:
    """Return a random number for a new table. Equal numbers are too unlikely to matter."""
    return rng.randrange(1, 1 << NUMBER_BITS)


class Location(Strict, frozen=True):
    """The place where a server listens: the host's wishes, which the journal stores.

    None stands for the default; at a resumed table, it stands for the former value.
    """

    bind: str | None = None
    """The address to listen on; by default all addresses of this machine."""
    port: Annotated[int, Meta(ge=0, le=65_535)] | None = None
    """The TCP port; 0 for any free port."""
    public: str | None = None
    """Addresses that come first in invitations, separated by commas. Addresses without a port get
    the port on which this machine listens.
    """
    plain: bool | None = None
    """True for connections without encryption: then anybody who can connect may join."""
    unix: str | None = None
    """The path of an unencrypted socket to listen on instead of a port."""
    announced: bool | None = None
    """True if the table is announced on the local network, which is the default."""

    @property
    def encrypted(self) -> bool:
        """True if connections are encrypted."""
        return not self.plain and self.unix is None

    def changed_by(self, wanted: "Location") -> "Location":
        """Return this place with all values that `wanted` sets."""
        return replace(
            self, **{name: wish for name, wish in asdict(wanted).items() if wish is not None}
        )


_Name = Annotated[str, Meta(max_length=20)]

MOST_RECORD: Final = 2000
"""Maximum characters of the record of an optional part."""

_Record = Annotated[str, Meta(max_length=MOST_RECORD)]

MOST_PARTS: Final = 16
"""Maximum number of optional parts of a table."""


class TableAccess(Strict, frozen=True):
    """The ways to join a table: its invitation, its place, and the records of hosting parts."""

    secret: Secret
    """The secret in the table's invitation."""
    code: SpokenCode
    """The table's spoken code: see `spoken_code.py`."""
    location: Location = Location()
    parts: Annotated[dict[_Name, _Record], Meta(max_length=MOST_PARTS)] = field(
        default_factory=dict
    )
    """The records of the table's hosting parts, by name. Only the part itself reads its record."""
    former: Annotated[tuple[Secret, ...], Meta(max_length=MOST_FORMER)] = ()
    """The secrets of former invitations, latest first. A Hello with a former secret also needs a
    key to a seat.
    """

    def renewed(self, secret: bytes, code: str) -> "TableAccess":
        """Return a copy with a new invitation. The present secret becomes a former one."""
        former = (self.secret, *self.former)[:MOST_FORMER]
        return replace(self, secret=secret, code=code, former=former)


NO_ACCESS: Final = TableAccess(bytes(SECRET_BYTES), "0" * 8)
"""The value for a table that only its own program can join."""


MOST_WING_BYTES: Final = 16 * 1024
"""Maximum bytes that a wing stores with a table. Each change of the table writes all these bytes
again.
"""


class WingRecord(Strict, frozen=True, array_like=True):
    """The record of a wing at a table. Only that wing reads it."""

    version: Annotated[int, Meta(ge=1)]
    """The version of the record's format."""
    data: Annotated[bytes, Meta(max_length=MOST_WING_BYTES)]


class KeptTable(Strict, frozen=True, weakref=True):
    """The stored state of a table, except its games."""

    settings: TableSettings
    seats: Annotated[tuple[KeptSeat, ...], Meta(max_length=MAXIMUM_PLAYERS)] = ()
    owner: Hash | None = None
    """The hash of the owner's key; None if the table has no owner."""
    opened: TableAccess = NO_ACCESS
    paused: bool = False
    """True if the host has paused the game."""
    silenced: bool = False
    """True if all spectators are muted."""
    muted: Annotated[tuple[str, ...], Meta(max_length=MAXIMUM_MUTED)] = ()
    """The names that the host has muted, in their common form."""
    renamed: Annotated[dict[str, str], Meta(max_length=MAXIMUM_MUTED)] = field(default_factory=dict)
    """The later names of muted people, in their common form, by the muted name."""
    line_count: _Count = 0
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
    """The stored state of a table's games: their number, and the present or last one."""

    begun: _Count = 0
    """Number of games so far."""
    revision: Revision = 0
    phase: Phase = "lobby"
    acted: Annotated[tuple[Revision, ...], Meta(max_length=MAXIMUM_PLAYERS)] = ()
    """For each seat, the number of its last act that was executed."""
    record: str = ""
    """The deal, settings, players and beginning, as JSON of a `Record`. It is "" if there is no
    game, or if the table does not deal its cards.
    """
    actions: tuple[str, ...] = ()
    """The answers so far, as tokens."""
    pieces: tuple[tuple[bytes, bytes], ...] = ()
    """For a game that the table does not deal: its parts in order, which restore the game."""


class Snapshot(Struct, frozen=True):
    """The whole stored state of a table."""

    table: KeptTable
    game: KeptGame = KeptGame()
