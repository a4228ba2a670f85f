"""The kinds of games at a table: the ordinary one, and those of wings.

A wing is loaded when a table plays its kind of game, or when somebody sends one of its messages.
"""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from engine.cards import Seat as SeatIndex
from netcode.protocol.fields import Message, TableNotice
from netcode.protocol.messages import Lobby, Reason
from netcode.protocol.refusal_sentences import PART_MISSING
from netcode.protocol.table_settings import TableSettings
from netcode.registry import brought, failure_of
from netcode.table.broadcast import Invited
from netcode.table.connections import Connections
from netcode.table.dealt import Dealt
from netcode.table.errors import NotAllowedError, failed_part, missing_part
from netcode.table.games import Games
from netcode.table.parts import part_kinds
from netcode.table.people.participants import Participants
from netcode.table.people.seats import Participant, Seat
from netcode.table.play import Kind, Play
from netcode.table.snapshot import Snapshot
from netcode.table.wing_records import WingRecords


class Around(NamedTuple):
    """The parts of the table that a kind of game uses."""

    rng: Random
    participants: Participants
    connections: Connections
    games: Games
    """A weak reference to the games of the table."""
    invited: Invited
    unix_time: Callable[[], float]
    notices: dict[type[TableNotice], TableNotice]
    """Facts for interpreters at the table. A kind of game that needs them sends each once, and
    again when it is replaced.
    """
    records: WingRecords
    """The records that wings store with the table."""


class KindOfWing(NamedTuple):
    """The seam `kind`: a kind of game from a wing."""

    name: str
    """The kind's name in `TableSettings.kind`."""
    make: Callable[[Around], Kind]
    restore: Callable[[Snapshot], Play | None]
    """Returns the stored game, or None; raises StoreError."""
    record_version: int = 1
    """The newest version of the wing's record with a table that this program reads."""


class Kinds:
    """The kinds of games of one table."""

    def __init__(self) -> None:
        """Begin without a table."""
        self._of_wings: dict[str, Kind] = {}

    def attach(self, around: Around) -> None:
        """Attach to a table, with the ordinary kind."""
        self._around = around
        self._dealt = Dealt(around.rng, around.participants, around.unix_time)

    def of(self, settings: TableSettings) -> Kind:
        """Return the kind of game of some settings."""
        name = settings.kind
        if name is None:
            return self._dealt
        if name not in self._of_wings:
            found = kind_of_wing(name)
            self._of_wings[name] = _Absent() if found is None else found.make(self._around)
        return self._of_wings[name]

    def handle(
        self, connection: int, participant: Participant, message: Message, now: float
    ) -> bool:
        """Handle a message of a wing at a table of any kind; raises NotAllowedError."""
        for each in brought("netcode", "kind", KindOfWing):
            if each.name not in self._of_wings:
                self._of_wings[each.name] = each.make(self._around)
        kinds = self._of_wings.values()
        return any(kind.handle(connection, participant, message, now) for kind in kinds)

    def notices_changed(self) -> None:
        """Let all kinds send a notice that is new or replaced."""
        for kind in self._of_wings.values():
            kind.notices_changed()

    def complete(self, lobby: Lobby) -> Lobby:
        """Return a lobby with the contributions of all kinds of wings."""
        for kind in self._of_wings.values():
            lobby = kind.complete(lobby)
        return lobby


def kind_of_wing(name: str) -> KindOfWing | None:
    """Return the kind of game of a name; None if this program lacks the wing."""
    found = brought("netcode", "kind", KindOfWing)
    return next((each for each in found if each.name == name), None)


def record_versions() -> dict[str, int]:
    """Return the wings that store a record with a table, and the newest version that each reads."""
    kinds = brought("netcode", "kind", KindOfWing)
    return {each.name: each.record_version for each in (*kinds, *part_kinds())}


def restore_of_wing(name: str, kept: Snapshot) -> Play | None:
    """Return a stored game of a wing; raises StoreError, also if the wing is missing."""
    found = kind_of_wing(name)
    if found is None:
        if why := failure_of("netcode", "kind", name):
            raise failed_part(name, why)
        raise missing_part(name)
    return found.restore(kept)


class _Absent(Kind):
    """A kind of game whose wing is missing in this program."""

    def begin(self, number: int, first: SeatIndex | None, settings: TableSettings) -> Play:
        """Raise NotAllowedError."""
        raise NotAllowedError(PART_MISSING)

    def missing(self, persons: object, seated: int) -> Reason:
        """Return the reason: the part is missing."""
        return Reason(code=PART_MISSING)

    def bring(self, seat: Seat, key: bytes | None) -> None:
        """Ignore the key of a player."""
