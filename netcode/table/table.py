"""Defines the table as a state machine: messages in, effects out.

The table decides seats, turns, legality, and the messages to each client. It does no I/O. The
server numbers the connections, passes the time of its clock in seconds as `now`, and executes the
list of effects that the table returns.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from math import inf
from random import Random
from typing import Self
from weakref import proxy

from engine.actions import Action
from engine.record import Record
from netcode.limits import GUESSES_NOTICED
from netcode.protocol.evening import Evening
from netcode.protocol.fields import Message, TableNotice
from netcode.protocol.messages import Act, Hello, Refused
from netcode.protocol.table_settings import TableSettings
from netcode.table.attendance import Attendance
from netcode.table.broadcast import Broadcast, Invited
from netcode.table.chat import Conversation
from netcode.table.connections import Connections
from netcode.table.effects import Alarm, Effect, Keep, Think
from netcode.table.errors import NotAllowedError, refuse_misfit
from netcode.table.games import Games
from netcode.table.kinds import Around, Kinds
from netcode.table.parts import Parts
from netcode.table.people.host_role import HostRole
from netcode.table.people.participants import Participants
from netcode.table.people.seats import Seat
from netcode.table.requests import Requests
from netcode.table.restoring import refuse_unreadable, restore_participants, restore_play
from netcode.table.seat_wishes import SeatWishes
from netcode.table.snapshot import KeptGame, KeptTable, Snapshot, TableAccess
from netcode.table.wing_records import WingRecords


class Table:
    """A table: its participants, its settings, and its games in sequence."""

    def __init__(
        self,
        rng: Random,
        new_key: Callable[[], bytes],
        *,
        owner_key: bytes | None = None,
        opener: int | None = None,
        settings: TableSettings | None = None,
        bots: Iterable[str] = (),
        unix_time: Callable[[], float],
        is_alone: bool = False,
    ) -> None:
        """Open a table.

        `rng` decides the deals, so it must be unpredictable in real games. `new_key` returns 32
        unpredictable bytes. `unix_time` returns the Unix time, for records of games and for parts
        of wings. `bots` get the first seats.

        With an `owner_key`, its owner is the host. Without one, the first person on the connection
        `opener` is the host. Without either, or if that connection ends before, the first person
        with a seat is the host, and the role can pass to others.

        With `is_alone` the table is for one person, and has no parts of wings.

        Raises NotAllowedError if a table cannot have the settings or the bots.
        """
        self._new_key = new_key
        settings = settings or TableSettings()
        refuse_misfit(settings)
        participants = self.participants = Participants(two=settings.two)
        for bot in bots:
            participants.add_bot(bot)
        host_role = self._host_role = HostRole(participants, owner_key, opener)
        connections = self._connections = Connections()
        records = self._wing_records = WingRecords()
        parts = self._parts = Parts(connections, records, unix_time)
        kinds = self._kinds = Kinds()
        games = self.games = Games(participants, host_role, settings, unix_time, kinds.of, parts)
        conversation = self.conversation = Conversation()
        self._notices: dict[type[TableNotice], TableNotice] = {}
        # Avoid reference cycles, so that the memory of a sleeping table is freed at once.
        invited = self._invited = Invited()
        around = Around(
            rng, participants, connections, proxy(games), invited, unix_time, self._notices, records
        )
        kinds.attach(around)
        parts.attach(participants, proxy(games), conversation, is_alone=is_alone)
        self._attendance = Attendance(new_key, participants, host_role, games, connections)
        wishes = SeatWishes(participants, games, connections, self._attendance)
        self._broadcast = Broadcast(
            participants,
            games,
            conversation,
            connections,
            invited,
            wishes,
            (kinds.complete, parts.complete),
        )
        self._requests = Requests(
            participants,
            games,
            conversation,
            connections,
            self._attendance,
            wishes,
            invited,
            (parts.handle, kinds.handle),
            rng,
        )
        self._alarm_at: float | None = None
        """The time at which the server will call `alarm`; None if it will not."""
        self._kept: Snapshot | None = None
        """The last state that the server was asked to store; None if nothing is stored."""
        self._part_alarm_at = inf
        """The time of the next alarm that a part of the table wants; infinity for none."""
        self._beside: object = None
        """The last compared values, besides the game, that an answer may change."""
        self._is_closed = False

    @classmethod
    def restore(
        cls,
        kept: Snapshot,
        rng: Random,
        new_key: Callable[[], bytes],
        owner_key: bytes | None = None,
        *,
        unix_time: Callable[[], float],
        is_alone: bool = False,
    ) -> Self:
        """Restore a stored table with all persons absent.

        Raises StoreError if the stored state is invalid, or if it needs a wing that is missing.

        `owner_key` replaces the former owner's key, which becomes invalid. With None the table has
        no owner.
        """
        refuse_unreadable(kept.table)
        settings = kept.table.settings
        table = cls(
            rng,
            new_key,
            owner_key=owner_key,
            settings=settings,
            unix_time=unix_time,
            is_alone=is_alone,
        )
        participants = restore_participants(kept)
        table.participants.seats = participants.seats
        table._wing_records.restore(kept.table.wings)
        table.games.restore(kept, restore_play(kept, participants))
        if participants.has_persons:
            table.conversation.restore(kept.table)
        else:
            # Nobody of the former evening has a seat, so begin a new one without its chat lines.
            table.games.evening = Evening()
        table._invited.opened, table._kept = kept.table.opened, kept
        return table

    def set_invitation(self, link: str, *, is_secret: bool = True) -> None:
        """Set the link; `is_secret` is True if guests need its secret.

        Call this before anybody joins.
        """
        self._invited.link, self._invited.is_secret = link, is_secret

    def set_notice(self, notice: TableNotice) -> None:
        """Set a fact for the interpreters at the table; it replaces one of the same type.

        Interpreters that lack it receive it with the effects of the next input or of `changed`.
        """
        self._notices[type(notice)] = notice
        self._kinds.notices_changed()

    def allow_local_guests(self) -> None:
        """Record that guests play with programs on this machine, which then has their cards.

        So this table can begin no game that must hide cards from this machine.
        """
        self.games.has_local_guests = True

    def serve_host_parts(self, names: Iterable[str]) -> None:
        """Record the names of the host's parts, which receive reports of the table's parts.

        Call this before anybody joins.
        """
        self._parts.host_parts = frozenset(names)

    @property
    def kept(self) -> Snapshot | None:
        """The last state that the server was asked to store.

        It is None before the first one, and after the stored table was deleted.
        """
        return self._kept

    def offer_key(self, name: str) -> bytes | None:
        """Return a new key to a person's seat; None if the seat is unknown or may have no key.

        Call this for a person who has proved their identity. Store the key by the effects of
        `changed` before you send it. The present key stays valid until the new one is used.
        """
        seat = self.participants.called(name)
        if not isinstance(seat, Seat) or seat.newcomer or seat.keys is None:
            return None
        if seat.keys.is_closed:
            return None
        key = self._new_key()
        seat.keys = seat.keys.offering(key)
        return key

    def changed(self) -> list[Effect]:
        """Return the effects of a change that was made without an input."""
        return self._flush(None)

    def record(self) -> Record | None:
        """Return the record of the present or last game, with every card.

        Returns None in the lobby, and before the cards are dealt.
        """
        return None if self.games.play is None else self.games.play.record()

    # Inputs of a table

    def open(self, opened: TableAccess) -> list[Effect]:
        """Set the table's invitation and place, and return the effects.

        Call this before anybody joins.
        """
        self._invited.opened, self._kept = opened, None
        return self._flush(None)

    def receive(
        self, connection: int, message: Message, now: float, network: str = "", port: int = 0
    ) -> list[Effect]:
        """Handle a message from a connection. The sender of a refused message gets a Refused.

        `network` and `port` are stored for a connection that is new to the table.
        """
        state = self._connections.state_of(connection, network, port)
        is_answer = isinstance(message, Act) or type(message) in self.games.kind.answers
        if not state.dismissed:
            try:
                self._requests.handle(connection, state, message, now)
            except NotAllowedError as refusal:
                is_answer = False
                number = message.number if isinstance(message, Act) else None
                refused = Refused(code=refusal.code, values=refusal.values, number=number)
                self._connections.send(connection, refused)
                if state.participant is None or isinstance(message, Hello):
                    # Count the refusal as a strike, so that strangers cannot try many names and
                    # keys.
                    self._connections.strike(connection)
        return self._flush(now, is_answer=is_answer)

    def disconnected(self, connection: int, now: float) -> list[Effect]:
        """Handle the end of a connection, by either side."""
        participant = self._connections.forget(connection)
        if participant is not None:
            self._attendance.connection_ended(participant, now)
        return self._flush(now)

    def opener_gone(self, connection: int, now: float) -> list[Effect]:
        """Stop waiting for the person who opened the table if this connection was theirs."""
        self._host_role.give_up_opener(connection)
        return self._flush(now)

    def alarm(self, now: float) -> list[Effect]:
        """Do all work that is due, and return the effects.

        The server calls this after an Alarm, and may call it at any time.
        """
        self._alarm_at = None
        games = self.games
        is_overdue = now >= self._host_overdue_at(now)
        if is_overdue:
            keeps_host = games.phase == "playing" and games.time_control.keeps_host
            if keeps_host or not self._host_role.replace_overdue():
                # The host stays, so undo the decisions that only the host could undo.
                games.unfreeze(now)
        if now >= games.starts_at():
            games.begin(now)
        self._attendance.free_seats(now)
        self._parts.alarm(now)
        return self._flush(now)

    def report_done(self, part: str, value: object, now: float) -> list[Effect]:
        """Handle the confirmation that a Report has had its effect."""
        self._parts.report_done(part, value)
        return self._flush(now)

    def answer(self, seat: int, revision: int, action: Action, now: float) -> list[Effect]:
        """Play a bot's answer to a Think. Ignore an answer that is late or illegal."""
        self.games.act_for(seat, revision, action, now)
        return self._flush(now, is_answer=True)

    def renew(self, opened: TableAccess, link: str) -> list[Effect]:
        """Send everybody a new invitation. The server calls this after a Reinvite."""
        self._invited.opened, self._invited.link = opened, link
        self._invited.wrong_guesses = 0
        return self._flush(None)

    def see_guesses(self, wrong: int) -> list[Effect]:
        """Send the host the number of wrong guesses at the code, if it is worth a warning.

        The first number sent is at least `GUESSES_NOTICED`, and each later one at least twice the
        one before.
        """
        if wrong < max(GUESSES_NOTICED, 2 * self._invited.wrong_guesses):
            return []
        self._invited.wrong_guesses = wrong
        return self._flush(None)

    def send_link(self, link: str) -> list[Effect]:
        """Send everybody a new link. Code and secret stay the same."""
        self._invited.link = link
        return self._flush(None)

    def close(self, reason: str, *, for_good: bool = True) -> list[Effect]:
        """Send everybody a Goodbye with the code `reason` of `refusal_sentences.py`.

        If `for_good` is False, the table can be resumed later. If it is True, the table can be
        resumed only if a game is running.
        """
        self.games.keep_unsettled()
        self._is_closed = for_good and self.games.phase != "playing"
        for connection, _ in self.participants.connected():
            self._connections.dismiss(connection, reason)
        return self._flush(None)

    # Effects

    def _flush(self, now: float | None, *, is_answer: bool = False) -> list[Effect]:
        """Return the effects: first the state to store, then the messages that depend on it.

        If `is_answer` is True and only the game has changed, as after most answers, the rest of the
        state is not compared. If `now` is None, no clock is sent, no bot is asked, and no alarm is
        set.
        """
        if now is not None:
            self._answer_for_people(now)
        self._parts.see_people()
        self._parts.input_ended()
        if now is not None:
            self._part_alarm_at = self._parts.alarm_at(now)
        is_same_beside_game = self._compare_beside_game()
        lobby, table = None, None if self._kept is None else self._kept.table
        if table is None or not (is_answer and is_same_beside_game):
            self._settle()
            lobby, table = self._broadcast.lobby(), self._kept_table()
        think = None if now is None else self.games.tick(now)
        self._broadcast.send_changes(now, lobby)
        self._parts.send_messages()
        alarm = None if now is None or lobby is None else self._next_alarm(now)
        effects = self._take_effects(think, alarm)
        keep = self._keep(table)
        return effects if keep is None else [keep, *effects]

    def _compare_beside_game(self) -> bool:
        """Return True if a dealt game is running, and an answer has changed nothing besides it.

        Remembers the compared values for the next call.
        """
        games, parts, before = self.games, self._parts, self._beside
        is_dealt = games.play is None or games.play.is_dealt
        self._beside = (
            games.phase,
            is_dealt,
            [(seat.lapses, seat.has_bot_answered) for seat in self.participants.seats],
            self._wing_records.all,
            parts.shown,
            self._part_alarm_at,
            parts.time_control(),
        )
        return is_dealt and games.phase == "playing" and self._beside == before

    def _settle(self) -> None:
        """Choose a host if there is none. End the evening of a table that everybody has left."""
        self._host_role.settle()
        if not self.participants.spectators and not self.participants.has_persons:
            self.conversation.forget()
            self.games.evening = Evening()

    def _take_effects(self, think: Think | None, alarm: Alarm | None) -> list[Effect]:
        """Return the effects of the present input in order, and begin a new list."""
        effects, self._connections.effects = self._connections.effects, []
        if think is not None:
            effects.append(think)
        if alarm is not None:
            effects.append(alarm)
        effects += self._parts.take_reports()
        return effects

    def _keep(self, table: KeptTable) -> Keep | None:
        """Return the effect that stores the present state; None if nothing is new."""
        games, before = self.games, self._kept
        kept = None if self._is_closed else _snapshot(before, table, games.kept())
        if kept is before and not games.ended:
            return None
        keep = Keep(kept, tuple(games.ended), games.moves)
        self._kept, games.moves = kept, 0
        games.ended.clear()
        return keep

    def _answer_for_people(self, now: float) -> None:
        """Play the answers that parts of the table give for people, until no part has an answer."""
        while (answer := self._parts.answer()) is not None:
            # If the rules forbid the answer, the person decides.
            with suppress(NotAllowedError):
                self.games.act(*answer, now)

    def _host_overdue_at(self, now: float) -> float:
        """Return the time from which the others continue without the host; infinity for never."""
        games = self.games
        return self._host_role.overdue_at(
            is_frozen=games.is_frozen, awaited_until=games.awaits_host_until(now)
        )

    def _kept_table(self) -> KeptTable:
        """Return the state of the table to store, without its games."""
        games, conversation = self.games, self.conversation
        return KeptTable(
            settings=games.settings,
            seats=tuple([seat.kept() for seat in self.participants.seats]),
            owner=self._host_role.owner,
            opened=self._invited.opened,
            paused=games.paused,
            silenced=conversation.silenced,
            muted=conversation.all_muted,
            renamed=conversation.renamed,
            line_count=conversation.line_count,
            talk=conversation.lines,
            evening=games.evening,
            wings=dict(self._wing_records.all),
        )

    def _next_alarm(self, now: float) -> Alarm | None:
        """Return an Alarm if the server must call `alarm` earlier than planned; otherwise None."""
        self._host_role.watch(now)
        due = min(
            self._host_overdue_at(now),
            self.games.frees_seat_at(now),
            self.games.starts_at(),
            self.games.looks_at(now),
            self._part_alarm_at,
        )
        if due == inf or (self._alarm_at is not None and due >= self._alarm_at):
            return None
        self._alarm_at = due
        return Alarm(max(0.0, due - now))


def _snapshot(before: Snapshot | None, table: KeptTable, game: KeptGame) -> Snapshot:
    """Return a snapshot that has the objects of the last one for all parts that have not changed.

    Then these parts are not written again.
    """
    if before is None:
        return Snapshot(table, game)
    if table is not before.table and table == before.table:
        table = before.table
    if game == before.game:
        game = before.game
    is_same = table is before.table and game is before.game
    return before if is_same else Snapshot(table, game)
