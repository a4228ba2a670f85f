"""What is kept of a table so that it can be brought back: two values, of table and game.

They are what the table is, whole; each is kept anew when it differs from what was kept of it last.
Of keys there are hashes only. `effects.Keep` asks for it, `restoring.py` makes a table of it.
"""

from random import Random
from typing import Annotated, Final

from msgspec import Meta, Raw, Struct, field
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
"""How many bits a table's number has, which is drawn by lot; SQLite has room for 63."""

MOST_FORMER: Final = 16
"""How many former invitations of a table are kept, by which those who have a seat come back."""

MAXIMUM_MUTED: Final = 100
"""How many names are remembered as muted: many more than fit at a table."""
_Count = Annotated[int, Meta(ge=0)]


def new_number(rng: Random) -> int:
    """Return a number for a new table, which no other table of this user has."""
    return rng.randrange(1, 1 << NUMBER_BITS)


class Location(Strict, frozen=True):
    """Where something listens: what its host asks for, and what the journal keeps of it.

    None stands for the usual; of a table that is resumed, for what it was before.
    """

    bind: str | None = None
    """The address; usually all of this machine."""
    port: Annotated[int, Meta(ge=0, le=65_535)] | None = None
    """The TCP port; 0 for any that is free."""
    public: str | None = None
    """The addresses that invitations have before those of this machine, with commas between them.

    Those without a port have the port on which this machine listens."""
    plain: bool | None = None
    """Whether nothing is encrypted, and everybody who reaches it is let in."""
    unix: str | None = None
    """The path of a socket to listen on instead of a port; nothing is encrypted there."""
    announced: bool | None = None
    """Whether the local network is told that a table is there; usually it is."""

    @property
    def encrypted(self) -> bool:
        """Whether connections are encrypted."""
        return not self.plain and self.unix is None

    def changed_by(self, asked: "Location") -> "Location":
        """Return this location with all that somebody asks for now."""
        return replace(
            self, **{name: said for name, said in asdict(asked).items() if said is not None}
        )


_Name = Annotated[str, Meta(max_length=20)]
_Record = Annotated[str, Meta(max_length=2000)]

MOST_PARTS: Final = 16
"""Maximum number of optional parts of a table."""


class Opened(Strict, frozen=True):
    """How others get to a table: its invitation, where it listens, and its optional parts."""

    secret: Secret
    """What its invitation holds."""
    code: SpokenCode
    """What can be said aloud instead: see `spoken_code.py`."""
    location: Location = Location()
    parts: Annotated[dict[_Name, _Record], Meta(max_length=MOST_PARTS)] = field(
        default_factory=dict
    )
    """The records of its optional parts, by their names: each part alone reads its own."""
    former: Annotated[tuple[Secret, ...], Meta(max_length=MOST_FORMER)] = ()
    """The secrets of earlier invitations, the latest first: they open with a key to a seat."""

    def renewed(self, secret: bytes, code: str) -> "Opened":
        """Return how they do with a new invitation; the one before opens less from then on."""
        former = (self.secret, *self.former)[:MOST_FORMER]
        return replace(self, secret=secret, code=code, former=former)


UNOPENED: Final = Opened(bytes(SECRET_BYTES), "0" * 8)
"""Of a table that nobody gets to but from within its program."""


NO_MEMORY: Final = Raw(b"\x80")
"""An empty map in MessagePack."""


class KeptTable(Strict, frozen=True, weakref=True):
    """All about a table but its games."""

    settings: TableSettings
    seats: Annotated[tuple[KeptSeat, ...], Meta(max_length=MAXIMUM_PLAYERS)] = ()
    owner: Hash | None = None
    """The hash of the owner's key."""
    opened: Opened = UNOPENED
    paused: bool = False
    """Whether the host has stopped the game for a while."""
    silenced: bool = False
    """Whether no spectator may chat."""
    muted: Annotated[tuple[str, ...], Meta(max_length=MAXIMUM_MUTED)] = ()
    """Who may not chat, by what names that look the same have in common."""
    said: _Count = 0
    """How many lines there have been."""
    talk: Annotated[tuple[Line, ...], Meta(max_length=MAXIMUM_LINES)] = ()
    """The last of them, in order."""
    evening: Evening = Evening()
    """What the games that came to their end have brought everybody."""
    memory: Raw = field(default=NO_MEMORY, name="sealings")
    """What the kind of its games keeps from one game to the next, in MessagePack."""


class KeptGame(Strict, frozen=True, weakref=True):
    """A table's games: how many there were, and all of the one under way or just over."""

    begun: _Count = 0
    """How many games have begun."""
    revision: Revision = 0
    phase: Phase = "lobby"
    acted: Annotated[tuple[Revision, ...], Meta(max_length=MAXIMUM_PLAYERS)] = ()
    """By seat, the number of the last act that counted."""
    record: str = ""
    """Deal, settings, players and beginning, as the JSON of a `Record`; empty without a game,
    and if the table does not deal it."""
    actions: tuple[str, ...] = ()
    """The answers since, as tokens."""
    pieces: tuple[tuple[bytes, bytes], ...] = field(default=(), name="parcels")
    """Of a game that the table does not deal: all that makes it again, in order."""


class Snapshot(Struct, frozen=True):
    """Everything that is kept of a table."""

    table: KeptTable
    game: KeptGame = KeptGame()
