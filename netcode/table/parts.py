"""The seam `table_parts`: the parts that wings add to every table to which others can come.

A part follows the people and the games of its table, and receives the messages of its wing. It
shows values in everybody's lobby, and stores a record with the table. It sees no card.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import NamedTuple

from msgspec.structs import replace

from netcode.protocol.fields import Message, PartMessage, Phase, ShownValue, checked
from netcode.protocol.messages import Lobby, ShownParts
from netcode.protocol.table_settings import TableSettings
from netcode.registry import brought
from netcode.table.connections import Connections
from netcode.table.games import Games
from netcode.table.people.participants import Participants
from netcode.table.people.seats import Participant, Seat
from netcode.table.snapshot import WingRecord
from netcode.table.wing_records import WingRecords


class TablePart:
    """A part of one table; each method does nothing by default.

    A table builds its parts before its first input, also after a restart.
    """

    def __init__(self, place: "PartPlace") -> None:
        """Begin at a table."""
        self.place = place

    def receive(self, participant: Participant, message: Message, now: float) -> bool:
        """Handle a message of this wing; return False for others. Raises NotAllowedError."""
        return False

    def joined(self, participant: Participant) -> None:
        """Handle the arrival of a player or spectator, for the first time or again."""

    def left(self, participant: Participant) -> None:
        """Handle the departure of a player or spectator. A player may come back."""

    def started(self) -> None:
        """Handle the beginning of a game."""

    def answered(self, seat: Seat) -> None:
        """Handle an answer from a seat, by its player or a bot, if the table asks the players."""

    def finished(self) -> None:
        """Handle the end of a finished game."""

    def abandoned(self) -> None:
        """Handle the early end of an unfinished game."""


class TablePartKind(NamedTuple):
    """The seam `table_parts`: the part that a wing brings to tables."""

    name: str
    """The name of the wing."""
    build: Callable[["PartPlace"], TablePart]
    record_version: int = 1
    """The version of the record that the part stores, and the newest version that it reads."""


class PartPlace:
    """A table as one of its parts sees it."""

    def __init__(self, kind: TablePartKind, parts: "Parts") -> None:
        """Begin for a kind of part at the table of `parts`."""
        self._kind = kind
        self._parts = parts

    @property
    def settings(self) -> TableSettings:
        """The host's settings."""
        return self._parts.games.settings

    @property
    def phase(self) -> Phase:
        """The phase of the table."""
        return self._parts.games.phase

    @property
    def people(self) -> list[Participant]:
        """The seats, also those of bots and of absent players, and the spectators."""
        return self._parts.participants.everybody

    def unix_time(self) -> float:
        """Return the Unix time."""
        return self._parts.unix_time()

    @property
    def stored(self) -> WingRecord | None:
        """The stored record; None if there is none."""
        return self._parts.records.get(self._kind.name)

    def store(self, data: bytes) -> None:
        """Store a record with the table, in place of an earlier one.

        The table sends no message of the same input before the record is on disk. Raises ValueError
        if the record is too long.
        """
        self._parts.records.store(self._kind.name, self._kind.record_version, data)

    def show(self, **values: ShownValue) -> None:
        """Show values to everybody, in `Lobby.parts`; raises ValueError if they are not valid."""
        self._parts.show(self._kind.name, values)

    def send(self, message: PartMessage, to: Participant | None = None) -> None:
        """Send a message to a player or spectator, or to everybody; the absent miss it.

        It follows the lobby of the same input.
        """
        self._parts.outbox.append((message, to))


class Parts:
    """The parts of one table, which follow its games as one `GameListener`."""

    participants: Participants
    games: Games
    """A weak reference to the games of the table."""

    def __init__(
        self, connections: Connections, records: WingRecords, unix_time: Callable[[], float]
    ) -> None:
        """Begin without a table."""
        self._connections = connections
        self.records = records
        self.unix_time = unix_time
        self.shown: ShownParts = {}
        """The values that the parts show. A change replaces the mapping, and never modifies it."""
        self.outbox: list[tuple[PartMessage, Participant | None]] = []
        """The messages of the present input, with their receivers; None stands for everybody."""
        self._present: list[Participant] = []
        self._is_alone = True

    def attach(self, participants: Participants, games: Games, *, is_alone: bool) -> None:
        """Attach to a table; a table for one person and bots (`is_alone`) has no parts."""
        self.participants, self.games, self._is_alone = participants, games, is_alone

    @cached_property
    def all(self) -> tuple[TablePart, ...]:
        """The parts, which are built for the first input."""
        kinds = () if self._is_alone else part_kinds()
        self.shown = {kind.name: {} for kind in kinds}
        return tuple([kind.build(PartPlace(kind, self)) for kind in kinds])

    def show(self, name: str, values: Mapping[str, ShownValue]) -> None:
        """Show the values of a part, in place of earlier ones; raises ValueError."""
        if self.shown.get(name) != values:
            self.shown = {**self.shown, **checked({name: values}, ShownParts)}

    def complete(self, lobby: Lobby) -> Lobby:
        """Return a lobby with the values that the parts show."""
        return replace(lobby, parts=self.shown) if self.all else lobby

    def handle(
        self, _connection: int, participant: Participant, message: Message, now: float
    ) -> bool:
        """Handle a message of a wing; return False if no part has it. Raises NotAllowedError."""
        return any(part.receive(participant, message, now) for part in self.all)

    def see_people(self) -> None:
        """Let the parts handle the arrivals and departures since the last call."""
        if not self.all:
            return
        there = [participant for _, participant in self.participants.connected()]
        gone = [each for each in self._present if each not in there]
        come = [each for each in there if each not in self._present]
        self._present = there
        for part in self.all:
            for each in gone:
                part.left(each)
            for each in come:
                part.joined(each)

    def send_messages(self) -> None:
        """Send the messages of the parts. Call it after the lobby of the same input was sent."""
        outbox, self.outbox = self.outbox, []
        for message, to in outbox:
            for connection, participant in self.participants.connected():
                if to is None or to is participant:
                    self._connections.send(connection, message)

    # The games

    def started(self) -> None:
        """Let the parts handle the beginning of a game."""
        for part in self.all:
            part.started()

    def answered(self, seat: Seat) -> None:
        """Let the parts handle an answer."""
        for part in self.all:
            part.answered(seat)

    def finished(self) -> None:
        """Let the parts handle the end of a finished game."""
        for part in self.all:
            part.finished()

    def abandoned(self) -> None:
        """Let the parts handle the early end of an unfinished game."""
        for part in self.all:
            part.abandoned()


def part_kinds() -> tuple[TablePartKind, ...]:
    """Return the kinds of parts of all wings."""
    return brought("netcode", "table_parts", TablePartKind)
