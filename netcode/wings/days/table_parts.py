"""The part of a table with games for days: its clock in hours, conditional answers and calls."""

from collections.abc import Callable
from math import ceil, inf
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.views import View
from netcode.protocol.fields import FamilyLetter, Message
from netcode.system_clock import server_time
from netcode.table.errors import NotAllowedError
from netcode.table.parts import PartPlace, TablePart, TablePartKind
from netcode.table.people.seats import KeyRing, Participant, Seat
from netcode.wings.days.conditional_answers import outcome
from netcode.wings.days.day_record import (
    CALL_AFTER_S,
    HOST_AWAITED_S,
    MAXIMUM_OVERDUE,
    YIELDS_AFTER_S,
    DaysRecord,
    PlayerRecord,
    decode_record,
)
from netcode.wings.days.messages import (
    CallSet,
    Condition,
    Conditions,
    SetCall,
    SetConditions,
)
from netcode.wings.days.patient_time import PatientTime
from netcode.wings.days.pauses import HOUR_S, Pauses
from netcode.wings.days.settings import BANK, HOURS, NAME, lasts_for_days
from netcode.wings.days.turn_notes import note_of

LEAST_S: Final = HOUR_S
"""Minimum seconds for a decision, even with an empty bank."""

TOUCH_S: Final = HOUR_S
"""Minimum seconds between two stored times at which a person was at the table."""


class CallReport(Struct, frozen=True):
    """A report to the host's part: call a player."""

    name: str
    address: str
    hours_left: int
    """Whole hours until a bot answers."""
    names: tuple[str, ...]
    question_at: int
    """The Unix time of the question.

    It identifies the call at its table, also in a repeated report.
    """


class CallForgotten(Struct, frozen=True):
    """A report to the host's part: the table has stored that a call was made."""

    question_at: int
    """The Unix time of the question, as in the `CallReport`."""


class _Player(Struct):
    """The record of a seat's player, and the last compared keys of the seat."""

    keys: KeyRing | None
    record: PlayerRecord


class DaysPart(TablePart):
    """The part of one table: its clock in hours, conditional answers and calls."""

    def __init__(self, place: PartPlace) -> None:
        """Begin with the stored record."""
        super().__init__(place)
        stored = place.stored
        self._record = DaysRecord() if stored is None else decode_record(stored.data)
        kept = self._record.players
        self._players = {
            seat: _Player(seat.keys, kept.get(seat.family, PlayerRecord()))
            for seat in self._seats()
        }
        if stored is not None and place.phase != "lobby":
            place.overdue = self._record.overdue
        self._returns_from_restart = self._record.was_present
        """True until the asked player, who was present when the program ended, comes back."""
        self._record = self._record.opened(int(self._unix()), self._pauses())
        self._left_at = 0.0
        """The Unix time at which the asked player left without an answer; 0 before that."""
        self._reported_at = 0
        """The Unix time of the question whose call this program has reported; 0 before the first.
        """
        self._steer()
        self._show()

    # The methods that the table calls

    def receive(self, participant: Participant, message: Message, now: float) -> bool:
        """Set an address for calls, or conditional answers; return False for any other message.

        Raises NotAllowedError for a spectator, for invalid conditions, and for an address if the
        table calls nobody or has no game for days. A player may always send an empty address.
        """
        if not isinstance(message, SetCall | SetConditions):
            return False
        if not isinstance(participant, Seat):
            raise NotAllowedError("not_seated")
        if isinstance(message, SetCall):
            if message.address and not self._lasts:
                raise NotAllowedError("no_days")
            if message.address and not self.place.has_host_part:
                raise NotAllowedError("no_calls")
            self._change(participant, address=message.address)
            self.place.send(CallSet(message.address), to=participant)
        else:
            self._set_conditions(participant, message.conditions)
        return True

    def joined(self, participant: Participant) -> None:
        """Send a player their address and conditional answers, and record their presence."""
        if isinstance(participant, Seat):
            record = self._player(participant).record
            if record.address:
                self.place.send(CallSet(record.address), to=participant)
            if record.conditions or self._lasts:
                # The player's program may remember conditions that the table has dropped since.
                self.place.send(Conditions(record.conditions), to=participant)
            if self._asks(participant) and not self._is_continued():
                # The player reads the question now, so nobody needs to call them.
                self._record = replace(self._record, was_called=True)
        self._touch(participant)

    def left(self, participant: Participant) -> None:
        """Record the visit.

        If the player still owes an answer, the time until a call starts now.
        """
        if isinstance(participant, Seat) and self._asks(participant):
            self._left_at = self._unix()
            question_at = int(self._left_at)
            self._record = replace(self._record, question_at=question_at, calls_from=0)
        self._touch(participant)

    def started(self) -> None:
        """Give all players full banks and no conditional answers, and ask the first player."""
        for seat in self._seats():
            if self._player(seat).record.conditions:
                self.place.send(Conditions(()), to=seat)
            self._change(seat, conditions=(), bank_s=self._whole_bank_s)
        self._record = replace(self._record, overdue=(), late="", left_s=None)
        self._ask()

    def answered(self, seat: Seat) -> None:
        """Charge a person's bank for an answer, record an overdue one, and ask the next player."""
        if not self._lasts:
            return
        overdue = self.place.overdue[-MAXIMUM_OVERDUE:]
        if overdue != self._record.overdue:
            self._record = replace(self._record, overdue=overdue, late=seat.name)
        elif seat.bot is None:
            self._record = replace(self._record, touched_at=int(self._unix()))
        if seat.bot is None and self._record.out_at:
            left_s = ceil(self._pauses().running_s(self._unix(), self._record.out_at))
            bank_s = self._player(seat).record.bank_s
            self._change(seat, bank_s=min(bank_s, left_s))
        self._ask()

    def finished(self) -> None:
        """Stop the clock: the table asks nobody after the end."""
        self._ask_nobody()

    def abandoned(self) -> None:
        """Stop the clock: the table asks nobody in the lobby."""
        self._ask_nobody()

    def pause_changed(self) -> None:
        """Stop the clock, or let it run again with the same time left."""
        record, now = self._record, self._unix()
        if not self._lasts or record.deciding is None or not record.out_at:
            return
        if self.place.is_paused:
            # Do not round: each pause would cost the asked player a part of a second.
            left_s = self._pauses().running_s(now, record.out_at)
            self._record = replace(record, left_s=left_s)
        elif record.left_s is not None:
            out_at = self._pauses().ends_at(now, record.left_s)
            self._record = replace(record, left_s=None, out_at=out_at)
        self._steer()

    def answer_for(self, seat: Seat, look: Callable[[], View]) -> str | None:
        """Return a player's conditional answer to the present question; None if they must answer.

        If fewer conditional answers remain, stores these and sends them to the player.
        """
        conditions = self._player(seat).record.conditions
        if not conditions or not self._lasts:
            return None
        token, left = outcome(look(), conditions)
        if left != conditions:
            self._change(seat, conditions=left)
            self.place.send(Conditions(left), to=seat)
        return token

    def input_ended(self) -> None:
        """Update the record from the table, store it, and show its public values.

        Do nothing at a table that has never had a game for days.
        """
        if not self._lasts and self.place.stored is None:
            self._players.clear()
            self.place.rest()
            return
        self._compare_seats()
        self._record = self._whole()
        self.place.store(self._record.encoded())
        self._steer()
        self._show()

    def alarm_at(self, now: float) -> float:
        """Return the server time at which `alarm` must check for a call, or end the game.

        Returns infinity for never.
        """
        if not self._lasts:
            return inf
        due = self._call_at()
        if self.place.phase != "lobby":
            # The table itself frees the seats of a lobby.
            due = min(due, self._record.given_up_at)
        return server_time(due, now, self._unix())

    def alarm(self, now: float) -> None:
        """Call a player, or end the game of a table without visits, if it is time."""
        unix_now = self._unix()
        if self.place.phase != "lobby" and unix_now >= self._record.given_up_at:
            self.place.end_game(now)
        elif unix_now >= self._call_at():
            self._call()

    def report_done(self, value: object) -> None:
        """Record that a call was made, and let the host's part forget it."""
        if not isinstance(value, CallReport):
            return
        if value.question_at == self._record.question_at:
            self._record = replace(self._record, was_called=True)
        self.place.report(CallForgotten(value.question_at))

    # The clock

    @property
    def _lasts(self) -> bool:
        return lasts_for_days(self.place.settings)

    @property
    def _whole_bank_s(self) -> int:
        return HOUR_S * int(self.place.settings.value(BANK))

    def _unix(self) -> float:
        return self.place.unix_time()

    def _pauses(self) -> Pauses:
        return Pauses.of(self.place.settings)

    def _ask(self) -> None:
        """Start the clock of the player who must answer."""
        seat = self.place.deciding_seat
        if not self._lasts or seat is None:
            self._ask_nobody()
            return
        now, out_at, left_s = self._unix(), 0.0, None
        if seat.bot is None:
            hours_s = HOUR_S * int(self.place.settings.value(HOURS))
            bank_s = self._player(seat).record.bank_s
            time_s = max(LEAST_S, hours_s + bank_s)
            out_at = self._pauses().ends_at(now, time_s)
            left_s = time_s if self.place.is_paused else None
        self._record = replace(
            self._record,
            deciding=seat.family,
            question_at=int(now),
            calls_from=0,
            out_at=out_at,
            left_s=left_s,
            round=self.place.round,
            was_called=False,
        )
        self._returns_from_restart, self._left_at = False, 0.0
        self._steer()

    def _ask_nobody(self) -> None:
        if self._record.deciding is not None or self._lasts:
            self._record = replace(self._record, deciding=None, out_at=0, left_s=None, round=0)
            self._steer()

    def _asks(self, seat: Seat) -> bool:
        return self._record.deciding is not None and seat is self.place.deciding_seat

    def _touch(self, participant: Participant) -> None:
        """Record that a person came or went. Visits to a paused game do not prolong it."""
        if not self._lasts:
            return
        now = int(self._unix())
        if participant.host:
            self._record = replace(self._record, host_at=now)
        is_new = not self._record.touched_at <= now < self._record.touched_at + TOUCH_S
        if is_new and not self.place.is_paused:
            self._record = replace(self._record, touched_at=now)

    def _see_host(self) -> None:
        """Record that the host is present, at most once in `TOUCH_S`.

        A table without such a time records the present time, even if the host is absent.
        """
        now, seen_at = int(self._unix()), self._record.host_at
        is_present = any(each.host and each.connection is not None for each in self.place.people)
        if not seen_at or (is_present and not seen_at <= now < seen_at + TOUCH_S):
            self._record = replace(self._record, host_at=now)

    def _see_absent(self) -> None:
        """Record the time from which each person has been absent from the lobby."""
        now, in_lobby = int(self._unix()), self.place.phase == "lobby"
        for seat, player in self._players.items():
            is_absent = in_lobby and not seat.present
            gone_at = (player.record.gone_at or now) if is_absent else 0
            if gone_at != player.record.gone_at:
                player.record = replace(player.record, gone_at=gone_at)

    def _see_lines(self) -> None:
        """Record the lines of chat that each present person has received."""
        lines = self.place.line_count
        for seat, player in self._players.items():
            if seat.bot is None and seat.connection is not None:
                player.record = replace(player.record, lines=lines)

    # Calls

    def _is_continued(self) -> bool:
        """Return True if a return of the asked player only continues an earlier visit.

        Their connection was replaced, or was lost for less than `CALL_AFTER_S`, or this program was
        restarted. A return after a restart counts only once.
        """
        self._returns_from_restart = False
        return self._record.was_present or 0 <= self._unix() - self._left_at < CALL_AFTER_S

    def _call_at(self) -> float:
        """Return the Unix time at which to call the asked player; infinity for never."""
        seat = self.place.deciding_seat
        if seat is None or seat.present or self._record.question_at == self._reported_at:
            return inf
        due, now = self._whole().call_at(self._pauses()), self._unix()
        # A call that is late, because the program did not run, waits for the end of the night.
        runs_at = self._pauses().ends_at(now, 0)
        # A sum of floats may differ from `now` a little.
        return runs_at if due <= now < runs_at - 1 else due

    def _call(self) -> None:
        """Report that the asked player must be called.

        The call stays due until the host's part confirms it. If the program is killed before, the
        next one reports it again. Without an asked player, do nothing.
        """
        seat = self.place.deciding_seat
        if seat is None:
            return
        hours_left = int(max(0.0, self._record.out_at - self._unix()) // HOUR_S)
        address = self._player(seat).record.address
        names, question_at = tuple([each.name for each in self._seats()]), self._record.question_at
        self._reported_at = question_at
        self.place.report(CallReport(seat.name, address, hours_left, names, question_at))

    # Conditional answers

    def _set_conditions(self, seat: Seat, conditions: tuple[Condition, ...]) -> None:
        """Set the conditional answers of a player, and send them back to the player.

        Raises NotAllowedError without a running game for days, and for a card of another family.
        """
        if not self._lasts:
            raise NotAllowedError("no_days")
        if self.place.phase != "playing":
            raise NotAllowedError("no_game")
        if any(each.card[0] not in seat.families for each in conditions):
            raise NotAllowedError("no_such_card")
        self._change(seat, conditions=conditions)
        # The table may need a conditional answer before this input ends.
        self.place.offer_answers(should_answer=True)
        self.place.send(Conditions(conditions), to=seat)

    # The players

    def _seats(self) -> list[Seat]:
        return [each for each in self.place.people if isinstance(each, Seat)]

    def _player(self, seat: Seat) -> _Player:
        """Return the record of the present player of a seat.

        The record is replaced by a new one if other keys than before open the seat, since another
        person may then have the seat.
        """
        player = self._players.get(seat)
        if player is None or not KeyRing.are_related(player.keys, seat.keys):
            is_late = self._lasts and self.place.phase == "playing"
            record = PlayerRecord(bank_s=self._whole_bank_s if is_late else 0)
            player = self._players[seat] = _Player(seat.keys, record)
        player.keys = seat.keys
        return player

    def _change(self, seat: Seat, **changes: object) -> None:
        player = self._player(seat)
        player.record = replace(player.record, **changes)

    def _compare_seats(self) -> None:
        """Drop the records of players who have lost their seats, and update the other records."""
        self._players = {seat: self._player(seat) for seat in self._seats()}
        if not self._lasts:
            return
        if not self._record.touched_at:
            self._record = replace(self._record, touched_at=int(self._unix()))
        self._see_host()
        self._see_absent()
        self._see_lines()
        seat = self.place.deciding_seat
        was_present = seat is not None and seat.bot is None and seat.present
        # After a restart the player is absent until their program returns.
        if was_present or not self._returns_from_restart:
            calls_from = 0 if was_present else self._record.calls_from
            self._record = replace(self._record, was_present=was_present, calls_from=calls_from)
        if seat is not None and (seat.bot is None) != bool(self._record.out_at):
            # The settings or the player of the seat have changed: a person has the whole time from
            # now on, and a bot has no clock.
            self._ask()

    def _whole(self) -> DaysRecord:
        """Return the table's record with the records of all players."""
        usual = PlayerRecord()
        records = [(each, self._player(each).record) for each in self._seats() if each.bot is None]
        players: dict[FamilyLetter, PlayerRecord] = {
            seat.family: record for seat, record in records if record != usual
        }
        return replace(self._record, players=players, has_calls=self.place.has_host_part)

    def _steer(self) -> None:
        """Set the table's time control from the record.

        Offer the table answers if a player has conditional answers.
        """
        if not self._lasts:
            self.place.set_time_control(None)
            self.place.offer_answers(should_answer=False)
            return
        record = self._record
        control = PatientTime(
            self.place.unix_time,
            bot_answers_at=record.out_at or inf,
            keeps_seats_until=record.given_up_at,
            seats_yield_at={
                family: float(each.gone_at + YIELDS_AFTER_S)
                for family, each in record.players.items()
                if each.gone_at
            },
            host_awaited_until=record.host_at + HOST_AWAITED_S if record.host_at else inf,
        )
        self.place.set_time_control(control)
        has_conditions = any(each.conditions for each in record.players.values())
        self.place.offer_answers(should_answer=has_conditions)

    def _show(self) -> None:
        record = self._record
        is_running = record.deciding is not None and record.left_s is None
        until = ceil(record.out_at) if is_running else 0
        self.place.show(until=until, late=record.late, calls=self.place.has_host_part)


SEAM: Final = TablePartKind(NAME, DaysPart, note_of=note_of)
