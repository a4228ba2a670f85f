"""Finds the kinds of games at a table: the ordinary kind, and the kinds of wings.

A wing is loaded when a table plays its kind of game, or when a client sends a wing's message.
"""

from collections.abc import Callable
from functools import partial
from random import Random

from msgspec import Struct

from engine.cards import Seat as SeatIndex
from netcode.isolation import IsolatedParts, attempt
from netcode.protocol.fields import Message, TableNotice
from netcode.protocol.messages import Lobby, Reason
from netcode.protocol.refusal_sentences import PART_MISSING
from netcode.protocol.table_settings import TableSettings
from netcode.registry import failure_of, wing_values
from netcode.table.broadcast import Invited
from netcode.table.connections import Connections
from netcode.table.dealt import DealtKind
from netcode.table.errors import NotAllowedError, failed_part, missing_part
from netcode.table.games import Games
from netcode.table.parts import part_kinds
from netcode.table.people.participants import Participants
from netcode.table.people.seats import Participant, Seat
from netcode.table.play import Kind, Play
from netcode.table.snapshot import Snapshot
from netcode.table.wing_records import WingRecords


class Around(Struct, frozen=True):
    """The parts of a table that a kind of game can use."""

    rng: Random
    participants: Participants
    connections: Connections
    games: Games
    """A weak reference to the games of the table."""
    invited: Invited
    unix_time: Callable[[], float]
    notices: dict[type[TableNotice], TableNotice]
    """Facts for the interpreters at the table. A kind of game that needs these facts sends each
    fact once, and again after a change.
    """
    records: WingRecords
    """The records that wings store with the table."""


class KindOfWing(Struct, frozen=True):
    """The seam `kind`: a kind of game from a wing."""

    name: str
    """The kind's name in `TableSettings.kind`."""
    make: Callable[[Around], Kind]
    restore: Callable[[Snapshot], Play | None]
    """Returns the stored game of a snapshot; None for a snapshot without a game. Raises StoreError
    if the game cannot be restored.
    """
    record_version: int = 1
    """The newest version of the wing's record that this program can read."""


class Kinds:
    """The kinds of games of one table."""

    def __init__(self) -> None:
        self._of_wings: dict[str, Kind] = {}
        self._besides = IsolatedParts[Kind]()
        """The kinds of wings that see notices and complete lobbies. Failed kinds are left out."""

    def attach(self, around: Around) -> None:
        """Use the parts of a table, and its ordinary kind of game."""
        self._around = around
        self._dealt = DealtKind(around.rng, around.participants, around.unix_time)

    def of(self, settings: TableSettings) -> Kind:
        """Return the kind of game that settings select."""
        name = settings.kind
        if name is None:
            return self._dealt
        if name not in self._of_wings:
            found = kind_of_wing(name)
            self._of_wings[name] = _Absent() if found is None else self._made(found)
        return self._of_wings[name]

    def _made(self, found: KindOfWing) -> Kind:
        """Return a wing's kind for this table; the kind of a missing wing if making it fails."""
        return self._besides.add(partial(found.make, self._around)) or _Absent()

    def handle(
        self, connection: int, participant: Participant, message: Message, now: float
    ) -> bool:
        """Pass a message of a wing to all kinds of games; return False if none handles it.

        Raises NotAllowedError if a kind refuses the message.
        """
        for each in wing_values("netcode", "kind", KindOfWing):
            if each.name not in self._of_wings:
                self._of_wings[each.name] = self._made(each)
        # Keep a kind that fails: one odd message must not end a game for the others.
        return any(
            attempt(
                kind,
                partial(kind.handle, connection, participant, message, now),
                False,
                NotAllowedError,
            )
            for kind in self._of_wings.values()
        )

    def notices_changed(self) -> None:
        """Notify all kinds that a notice is new or was replaced."""
        self._besides.each(lambda kind: kind.notices_changed())

    def complete(self, lobby: Lobby) -> Lobby:
        """Return a lobby to which the kinds of wings have added their values."""
        return self._besides.changed(lobby, lambda kind, lobby: kind.complete(lobby))


def kind_of_wing(name: str) -> KindOfWing | None:
    """Return the kind of game with a name; None if this program lacks its wing."""
    found = wing_values("netcode", "kind", KindOfWing)
    return next((each for each in found if each.name == name), None)


def record_versions() -> dict[str, int]:
    """Return the newest version of each wing's record that this program reads, by wing."""
    kinds = wing_values("netcode", "kind", KindOfWing)
    return {each.name: each.record_version for each in (*kinds, *part_kinds())}


def restore_of_wing(name: str, kept: Snapshot) -> Play | None:
    """Return the stored game of a wing; None if none is stored.

    Raises StoreError if the wing is missing, or if the game cannot be restored.
    """
    found = kind_of_wing(name)
    if found is None:
        if why := failure_of("netcode", "kind", name):
            raise failed_part(name, why)
        raise missing_part(name)
    return found.restore(kept)


class _Absent(Kind):
    """The kind of a game whose wing this program lacks."""

    def begin(self, number: int, first: SeatIndex | None, settings: TableSettings) -> Play:
        """Raise NotAllowedError, because the wing is missing."""
        raise NotAllowedError(PART_MISSING)

    def missing(self, persons: object, seated: int) -> Reason:
        """Return the reason why no game can begin: the wing is missing."""
        return Reason(code=PART_MISSING)

    def bring(self, seat: Seat, key: bytes | None) -> None:
        """Ignore the key that a player brings."""
