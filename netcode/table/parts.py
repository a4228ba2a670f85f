"""Defines the seam `table_parts`: parts that wings add to every table that others can join.

A part follows the people and the games of its table, and receives the messages of its wing. It
shows values in everybody's lobby, and stores a record with the table. It sees no card, except the
cards that a player sees for whom it answers. A part that raises an unexpected error is left out of
its table.
"""

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from math import inf
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from engine.views import View
from netcode.isolation import IsolatedParts, attempt
from netcode.protocol.codec import encode
from netcode.protocol.fields import Message, PartMessage, Phase, ShownValue, checked_struct
from netcode.protocol.messages import Lobby, ShownParts
from netcode.protocol.table_settings import TableSettings
from netcode.registry import wing_values
from netcode.table.chat import Conversation
from netcode.table.connections import Connections
from netcode.table.effects import Report
from netcode.table.errors import NotAllowedError
from netcode.table.games import Games
from netcode.table.people.absence import ORDINARY
from netcode.table.people.participants import Participants
from netcode.table.people.seats import Participant, Seat
from netcode.table.people.time_control import TimeControl
from netcode.table.snapshot import Snapshot, WingRecord
from netcode.table.wing_records import WingRecords

ALARM_PAUSE_S: Final = 0.05
"""Minimum seconds before an alarm of a part, so that no part keeps the server busy."""


class TablePart:
    """A part of one table. Each method does nothing by default.

    A table builds its parts before its first input, and again after a restart.
    """

    def __init__(self, place: "PartPlace") -> None:
        self.place = place

    def receive(self, participant: Participant, message: Message, now: float) -> bool:
        """Handle a message of this wing, and return True; return False for other messages.

        Raises NotAllowedError to refuse a message.
        """
        return False

    def joined(self, participant: Participant) -> None:
        """Handle the arrival of a player or spectator, who may have been here before.

        A player whose connection is replaced by another arrives without a departure.
        """

    def left(self, participant: Participant) -> None:
        """Handle the departure of a player or spectator. Players may return."""

    def started(self) -> None:
        """Handle the beginning of a game."""

    def answered(self, seat: Seat) -> None:
        """Handle an answer from a seat, by its player or a bot. Sealed games report no answers."""

    def finished(self) -> None:
        """Handle the end of a game that was played to its end."""

    def abandoned(self) -> None:
        """Handle the early end of a game."""

    def pause_changed(self) -> None:
        """Handle the beginning or end of a pause."""

    def answer_for(self, seat: Seat, look: Callable[[], View]) -> str | None:
        """Return an answer (token) in place of a player who is asked; None to let them answer.

        The table calls this only after `place.offer_answers(should_answer=True)`: once for each
        question to a person, and again after a message of a wing. `look` returns the game as the
        player may know it.
        """
        return None

    def input_ended(self) -> None:
        """Handle the end of an input, before the table is stored.

        A part that stores its record once for each input does so here.
        """

    def alarm_at(self, now: float) -> float:
        """Return the time at which the table should call `alarm`; infinity for never.

        The table calls this after each input, so it must not change stored or shown values. `now`
        is the server's clock, in seconds.
        """
        return inf

    def alarm(self, now: float) -> None:
        """Do everything that is due at `now`, in seconds of the server's clock."""

    def report_done(self, value: object) -> None:
        """Handle the confirmation that a report of this value has had its effect."""


class StoredNote(NamedTuple):
    """A wing's note about a table that is not in memory."""

    wakes_at: float
    """The Unix time at which the table must be in memory; infinity for never."""
    value: object
    """The contents, which only the wing reads."""


class TablePartKind(Struct, frozen=True):
    """The seam `table_parts`: the part that a wing brings to tables."""

    name: str
    build: Callable[["PartPlace"], TablePart]
    record_version: int = 1
    """The version of the part's record: the part writes this version, and reads no newer one."""
    note_of: Callable[[Snapshot], StoredNote] | None = None
    """Returns the wing's note about a stored table that is not in memory. None if the wing makes no
    notes.
    """


class PartPlace:
    """A table as its parts see it."""

    def __init__(self, kind: TablePartKind, parts: "Parts") -> None:
        self._kind = kind
        self._parts = parts

    @property
    def settings(self) -> TableSettings:
        """The settings of the table, which the host can change in the lobby."""
        return self._parts.games.settings

    @property
    def phase(self) -> Phase:
        """The phase of the table: lobby, playing or result."""
        return self._parts.games.phase

    @property
    def people(self) -> list[Participant]:
        """The seats, including the seats of bots and of absent players, and the spectators."""
        return self._parts.participants.everybody

    @property
    def deciding_seat(self) -> Seat | None:
        """The seat that must answer; None if the table asks nobody."""
        return self._parts.games.deciding_seat

    @property
    def round(self) -> int:
        """The round of the running game.

        It is 0 without a running game, and in a sealed game, whose cards the table does not know.
        """
        games = self._parts.games
        if games.play is None or games.phase != "playing" or not games.kind.asks_bots:
            return 0
        return games.play.seen_by(None).round

    @property
    def is_paused(self) -> bool:
        """True while the host has paused the game."""
        return self._parts.games.paused

    @property
    def line_count(self) -> int:
        """Number of lines of chat so far."""
        return self._parts.conversation.line_count

    @property
    def overdue(self) -> tuple[int, ...]:
        """The decisions of the running game that a bot made because the time was up.

        A decision is given by the index of its first event. The table does not store these
        decisions. A part that stores them can set them when it is built.
        """
        return self._parts.games.overdue

    @overdue.setter
    def overdue(self, decisions: tuple[int, ...]) -> None:
        self._parts.games.overdue = decisions

    @property
    def has_host_part(self) -> bool:
        """True if the host has a part of the wing's name, which receives reports."""
        return self._kind.name in self._parts.host_parts

    def unix_time(self) -> float:
        """Return the present Unix time, in seconds."""
        return self._parts.unix_time()

    @property
    def stored(self) -> WingRecord | None:
        """The wing's record at this table; None before the first `store`."""
        return self._parts.records.get(self._kind.name)

    def store(self, data: bytes) -> None:
        """Store a record with the table; it replaces the earlier one.

        Messages of the same input are sent after the record is on disk. Raises ValueError if the
        record is too long.
        """
        self._parts.records.store(self._kind.name, self._kind.record_version, data)

    def rest(self) -> None:
        """Let the table skip `answered`, `input_ended` and `alarm_at` while all its parts rest.

        The rest ends with any other call of a part, and when the settings change. A part rests at
        a table that does not use its wing, so that it costs no time. It wants no alarm then.
        """
        self._parts.rest(self._kind.name)

    def show(self, **values: ShownValue) -> None:
        """Show values to everybody in `Lobby.parts`. They replace all earlier ones of this part.

        Raises ValueError for invalid values.
        """
        self._parts.show(self._kind.name, values)

    def send(self, message: PartMessage, to: Participant | None = None) -> None:
        """Send a message to a player or spectator, or with `to` None to everybody.

        The table sends the message after the lobby of the same input. Absent people do not receive
        it. Raises TypeError if the message cannot be encoded.
        """
        encode(message)
        self._parts.outbox.append((message, to))

    def set_time_control(self, control: TimeControl | None) -> None:
        """Set the table's treatment of time and absent people; None for the ordinary one."""
        self._parts.set_time_control(self._kind.name, control)

    def offer_answers(self, *, should_answer: bool) -> None:
        """Let the table call `answer_for`; with `should_answer` False, stop these calls."""
        if should_answer:
            self._parts.answering.add(self._kind.name)
        else:
            self._parts.answering.discard(self._kind.name)

    def report(self, value: object) -> None:
        """Pass a value to the host's part with the wing's name, once the table is stored.

        The host's part confirms the report by `TablePart.report_done`. A confirmation is lost if
        the host's program ends before it, or if the table leaves the memory meanwhile.
        """
        self._parts.reports.append(Report(self._kind.name, value))

    def end_game(self, now: float) -> None:
        """Bring the table back to its lobby. A running game ends as unfinished."""
        self._parts.games.end(now)


class Parts:
    """The parts of one table. They follow its games as one `GameListener`."""

    participants: Participants
    games: Games
    """A weak reference to the games of the table."""

    def __init__(
        self, connections: Connections, records: WingRecords, unix_time: Callable[[], float]
    ) -> None:
        """Begin before the table exists; call `attach` next."""
        self._connections = connections
        self.records = records
        self.unix_time = unix_time
        self.shown: ShownParts = {}
        """The values that the parts show. A change replaces the mapping and leaves the old one
        unchanged.
        """
        self.outbox: list[tuple[PartMessage, Participant | None]] = []
        """The messages to send after the present input, each with its receiver; None stands for
        everybody.
        """
        self.reports: list[Report] = []
        """The reports of the present input."""
        self.host_parts: frozenset[str] = frozenset()
        """The names of the host's parts, which receive reports."""
        self.answering: set[str] = set()
        """The names of the parts that may answer in place of players."""
        self._controls: dict[str, TimeControl] = {}
        self._control = ORDINARY
        self._question: tuple[int, int] | None = None
        """The last question that the parts have seen: the number of its game, and its revision.

        None if they have seen none, or may answer the present one again.
        """
        self._resting: set[str] = set()
        """The names of the parts that rest at a table with the settings `_rest_settings`."""
        self._rest_settings: TableSettings | None = None
        self._present: list[tuple[int, Participant]] = []
        """The present people, each with the number of their connection."""
        self._names: list[tuple[TablePart, str]] = []
        self._is_alone = True

    def attach(
        self,
        participants: Participants,
        games: Games,
        conversation: Conversation,
        *,
        is_alone: bool,
    ) -> None:
        """Store the people, games and conversation of the table, before any other call.

        A table for one person and bots (`is_alone`) has no parts.
        """
        self.participants, self.games, self._is_alone = participants, games, is_alone
        self.conversation = conversation

    @cached_property
    def all(self) -> IsolatedParts[TablePart]:
        """The parts of the table. They are built on first use."""
        kinds = () if self._is_alone else part_kinds()
        self.shown = {kind.name: {} for kind in kinds}
        found = IsolatedParts[TablePart](self._left_out)
        for kind in kinds:
            part = found.add(partial(kind.build, PartPlace(kind, self)))
            if part is None:
                self._hide(kind.name)
            else:
                self._names.append((part, kind.name))
        return found

    def rest(self, name: str) -> None:
        """Let a part rest. The calls are skipped while all parts rest."""
        if self._rest_settings is not self.games.settings:
            # With other settings, a part that rested may have work.
            self._wake()
            self._rest_settings = self.games.settings
        self._resting.add(name)

    @property
    def _are_resting(self) -> bool:
        """True if all parts rest, and the settings have not changed since."""
        return self._rest_settings is self.games.settings and len(self._resting) == len(self.all)

    def _wake(self) -> None:
        """End the rest of all parts."""
        self._resting.clear()
        self._rest_settings = None

    def _call(self, call: Callable[[TablePart], object]) -> None:
        """Make a call for each part, which ends the rest of all parts."""
        self._wake()
        self.all.each(call)

    def _left_out(self, failed: TablePart) -> None:
        """Hide a part that has failed, as at a table without it. Its record stays stored."""
        for part, name in self._names:
            if part is failed:
                self._hide(name)

    def _hide(self, name: str) -> None:
        self._wake()
        self.answering.discard(name)
        self.set_time_control(name, None)
        self.shown = {each: values for each, values in self.shown.items() if each != name}

    def show(self, name: str, values: Mapping[str, ShownValue]) -> None:
        """Show the values of a part; they replace its earlier ones.

        Raises ValueError for invalid values.
        """
        if self.shown.get(name) != values:
            self.shown = {**self.shown, **checked_struct({name: values}, ShownParts)}

    def complete(self, lobby: Lobby) -> Lobby:
        """Return a lobby with the values that the parts show."""
        return replace(lobby, parts=self.shown) if self.all else lobby

    def handle(
        self, _connection: int, participant: Participant, message: Message, now: float
    ) -> bool:
        """Pass a message to the parts; return False if no part handles it.

        The parts may then also answer the present question again. Raises NotAllowedError if a part
        refuses the message.
        """
        self._question = None
        self._wake()
        return any(
            self.all.results(lambda part: part.receive(participant, message, now), NotAllowedError)
        )

    def see_people(self) -> None:
        """Notify the parts of the people who have come or gone since the last call.

        A person whose connection was replaced by another has come, and has not gone.
        """
        if not self.all:
            return
        there = self.participants.connected()
        if there == self._present:
            return
        people = [each for _, each in there]
        gone = [each for _, each in self._present if each not in people]
        come = [arrival[1] for arrival in there if arrival not in self._present]
        self._present = there
        for each in gone:
            self._call(partial(_left, each))
        for each in come:
            self._call(partial(_joined, each))

    def input_ended(self) -> None:
        """Notify the parts that an input has ended."""
        if not self._are_resting:
            self.all.each(lambda part: part.input_ended())

    def alarm_at(self, now: float) -> float:
        """Return the time of the next alarm of a part; infinity for none.

        The time is at least `ALARM_PAUSE_S` after `now`.
        """
        if self._are_resting:
            return inf
        soonest = now + ALARM_PAUSE_S
        return min(self.all.results(lambda part: max(soonest, part.alarm_at(now))), default=inf)

    def alarm(self, now: float) -> None:
        """Call `alarm` of each part whose alarm is due at `now`."""
        self._call(lambda part: part.alarm(now) if part.alarm_at(now) <= now else None)

    def report_done(self, name: str, value: object) -> None:
        """Notify the part with this name that a report of this value has had its effect."""
        own = [part for part, each in self._names if each == name]
        self._call(lambda part: part.report_done(value) if part in own else None)

    def send_messages(self) -> None:
        """Send the messages of the parts. Call this after the lobby of the same input was sent."""
        outbox, self.outbox = self.outbox, []
        for message, to in outbox:
            for connection, participant in self.participants.connected():
                if to is None or to is participant:
                    self._connections.send(connection, message)

    def take_reports(self) -> list[Report]:
        """Return the reports of the parts since the last call, and clear them."""
        reports, self.reports = self.reports, []
        return reports

    def answer(self) -> tuple[Seat, str] | None:
        """Return the seat of the asked person, and a part's answer (token) in their place.

        Returns None if no part answers, if the parts have seen the question before, if no person is
        asked, and during a pause.
        """
        games = self.games
        play, seat = games.play, games.deciding_seat if self.answering else None
        if play is None or seat is None or seat.bot is not None or games.paused:
            return None
        question = games.begun, games.revision
        if question == self._question:
            return None
        self._question = question
        look = partial(play.seen_by, self.participants.viewer_of(seat))
        token = self.all.first(lambda part: part.answer_for(seat, look))
        return None if token is None else (seat, token)

    # The games

    def time_control(self) -> TimeControl:
        """Return the time control that a part has set; `ORDINARY` if no part has set one."""
        _ = self.all  # This builds the parts, and a part may set a time control.
        return self._control

    def set_time_control(self, name: str, control: TimeControl | None) -> None:
        """Set the treatment of time and absent people that a part wants; None for no wish.

        If several parts have a wish, the part that has had one for longest decides.
        """
        if control is None:
            self._controls.pop(name, None)
        else:
            # A change keeps the place of the part, so no part takes the decision from another.
            self._controls[name] = control
        self._control = next(iter(self._controls.values()), ORDINARY)

    def pause_changed(self) -> None:
        """Notify the parts that a pause has begun or ended."""
        self._call(lambda part: part.pause_changed())

    def started(self) -> None:
        """Notify the parts that a game began."""
        self._call(lambda part: part.started())

    def answered(self, seat: Seat) -> None:
        """Notify the parts that a player or bot has answered from a seat."""
        if not self._are_resting:
            self.all.each(lambda part: part.answered(seat))

    def finished(self) -> None:
        """Notify the parts that a game was played to its end."""
        self._call(lambda part: part.finished())

    def abandoned(self) -> None:
        """Notify the parts that a game ended early."""
        self._call(lambda part: part.abandoned())


def _left(participant: Participant, part: TablePart) -> None:
    part.left(participant)


def _joined(participant: Participant, part: TablePart) -> None:
    part.joined(participant)


def stored_notes(kept: Snapshot) -> dict[str, StoredNote]:
    """Return the notes of wings about a stored table, by wing. A wing that fails has no note."""
    notes = {}
    for kind in part_kinds():
        if kind.note_of is not None:
            note = attempt(kind.note_of, partial(kind.note_of, kept), None)
            if note is not None:
                notes[kind.name] = note
    return notes


def part_kinds() -> tuple[TablePartKind, ...]:
    """Return the kinds of parts of all wings, in the order of the wings' list."""
    return wing_values("netcode", "table_parts", TablePartKind)
