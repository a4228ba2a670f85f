"""What is kept of a table so that it can be brought back: entries, which are values.

Of keys there are hashes only. `effects.Keep` asks for it, `restoring.py` makes a table of it.
"""

from random import Random
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.cards import MAXIMUM_PLAYERS
from engine.cards import Seat as SeatIndex
from engine.record import Record
from netcode.protocol.evening import Evening
from netcode.protocol.fields import (
    ActNumber,
    BotName,
    FamilyLetter,
    Name,
    Phase,
    Revision,
    Secret,
    SpokenCode,
)
from netcode.protocol.messages import Line, TableSettings
from netcode.table.finished_game import Ending
from netcode.table.people.seats import Absence

NUMBER_BITS: Final = 62
"""How many bits a table's number has, which is drawn by lot; SQLite has room for 63."""

MOST_FORMER: Final = 16
"""How many former invitations of a table are kept, by which those who have a seat come back."""

MAXIMUM_MUTED: Final = 100
"""How many names are remembered as muted: many more than fit at a table."""

_STEP = b"\xa5entry"
"""How the body of a step begins, after the length of its array."""

_Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]


def new_number(rng: Random) -> int:
    """Return a number for a new table, which no other table of this user has."""
    return rng.randrange(1, 1 << NUMBER_BITS)


class KeptSeat(Struct, frozen=True):
    """A seat and whose it is."""

    family: FamilyLetter
    name: Name
    bot: BotName | None
    keys: tuple[_Hash, _Hash] | None
    """Hashes of the present key and of the one before; None for a bot."""
    host: bool
    left: bool
    """Whether its person, being away, said that they leave."""
    absence: Absence
    """What happens while its person is away, as the host has decided."""
    second: FamilyLetter | None = None
    """The other family, at a table for two."""


class Sealings(Struct, frozen=True):
    """What the next sealing of a table says of those before."""

    table: Annotated[bytes, Meta(max_length=16)] = b""
    """What they call the table, drawn by lot for the first; empty before."""
    broken: Annotated[tuple[_Hash, ...], Meta(max_length=16)] = ()
    """The deals that were broken off since the last game began."""


class KeptTable(Struct, frozen=True):
    """All about a table but its games, to replace what was kept of it before."""

    settings: TableSettings
    phase: Phase
    seats: tuple[KeptSeat, ...]
    paused: bool
    """Whether the host has stopped the game for a while."""
    muted: Annotated[tuple[str, ...], Meta(max_length=MAXIMUM_MUTED)]
    """Who may not chat, by what names that look the same have in common."""
    owner: _Hash | None
    """The hash of the owner's key."""
    games: Annotated[int, Meta(ge=0)]
    """How many have been started."""
    revision: Revision
    """When this was kept; each act since has added one."""
    silenced: bool = False
    """Whether no spectator may chat."""
    evening: Evening = Evening()
    """What the games that came to their end have brought everybody."""
    acted: tuple[Revision, ...] = ()
    """By seat, the number of the last act that counted when this was kept; 0 beyond the last."""
    silent: bool = True
    """Whether nothing was said that anybody is still told of."""
    sealings: Sealings = Sealings()
    """What its next sealing says, if its games are sealed."""


class KeptGame(Struct, frozen=True):
    """A game has begun."""

    number: int
    """Counts the games of the table, from 1."""
    revision: Revision
    """The revision of its first position."""
    record: Record | None
    """The deal and the settings, without actions; None if it is sealed."""


class KeptAct(Struct, frozen=True):
    """An action has counted."""

    game: int
    step: Annotated[int, Meta(ge=1)]
    """Counts the actions of the game, from 1."""
    seat: Annotated[int, Meta(ge=0, lt=MAXIMUM_PLAYERS)]
    number: ActNumber | None
    """As its player numbered it; None if a bot acted."""
    token: str


class KeptParcel(Struct, frozen=True):
    """Something of a sealed game, whose sealing is the first."""

    game: int
    place: Annotated[int, Meta(ge=0)]
    """Counts those of the game, from 0, in the order in which they came."""
    body: bytes
    signature: bytes

    @property
    def is_step(self) -> bool:
        """Whether it is an answer, or another step of the game."""
        return self.body[1:7] == _STEP


class KeptEnd(Struct, frozen=True):
    """A game has come to its end, or nobody will go on with it."""

    game: int
    record: Record
    """With every action."""
    ending: Ending
    own: tuple[SeatIndex, ...]
    """The seats of the user whose machine this is."""


class KeptLine(Struct, frozen=True):
    """Something has been said."""

    number: Annotated[int, Meta(ge=0)]
    """Counts the lines of the table, from 0."""
    line: Line


class Opened(Struct, frozen=True):
    """The table has been opened on the network; the shell says so before anybody can come."""

    secret: Secret
    """What its invitation holds."""
    code: SpokenCode
    """What can be said aloud instead: see `spoken_code.py`."""
    bind: str | None = None
    """The address it listened on; None for all."""
    port: Annotated[int, Meta(ge=0, le=65_535)] = 0
    """0 if it did not listen on TCP."""
    public: str | None = None
    """What its invitation says for an address, if that was chosen."""
    plain: bool = False
    """Whether it was opened without encryption."""
    unix: str | None = None
    """The path of the socket it listened on."""
    club: bool = False
    """Whether it is one of a club's tables, which are asleep while nobody is there."""
    former: Annotated[tuple[Secret, ...], Meta(max_length=MOST_FORMER)] = ()
    """The secrets of earlier invitations, the latest first: see `Invited`."""


class Invited(Struct, frozen=True):
    """The table has a new invitation."""

    secret: bytes
    code: str
    former: tuple[bytes, ...]
    """The secrets before it, the latest first, with which only a key to a seat lets one in."""


class Ended(Struct, frozen=True):
    """The table was closed with nothing left to finish."""


Entry: TypeAlias = (
    KeptTable | KeptGame | KeptAct | KeptParcel | KeptEnd | KeptLine | Opened | Invited | Ended
)


class Snapshot(Struct, frozen=True):
    """Everything that was kept of a table."""

    opened: Opened
    table: KeptTable
    game: KeptGame | None
    """The latest; None unless it is under way or just over."""
    acts: tuple[KeptAct, ...]
    """Of that game, in order."""
    talk: tuple[KeptLine, ...] = ()
    """What was said last, in order."""
    parcels: tuple[KeptParcel, ...] = ()
    """Of that game, if it is sealed, in order."""

    def of_game(self) -> tuple[Entry, ...]:
        """Return the entries of its game alone."""
        return () if self.game is None else (self.game, *self.acts, *self.parcels)


class PendingEntries:
    """The entries of one input, which are to be kept; a table that has not changed makes none."""

    def __init__(self, kept: KeptTable) -> None:
        """Begin with what is known without being kept, or was kept before."""
        self.kept = kept
        self._entries: list[Entry] = []

    def add(self, entry: Entry) -> None:
        """Have something kept."""
        self._entries.append(entry)

    def flush(self, table: KeptTable) -> list[Entry]:
        """Return the entries so far, with the table's own if it has changed, and begin anew."""
        # Acts are entries of their own; a table need not be kept anew for each.
        before = replace(self.kept, revision=table.revision, acted=table.acted)
        if table != before:
            self.kept = table
            self._entries.append(table)
        entries, self._entries = self._entries, []
        return entries
