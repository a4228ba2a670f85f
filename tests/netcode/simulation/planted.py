"""Plants bugs of the kinds that a developer might make; the simulation must find each."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias
from weakref import WeakKeyDictionary

import pytest
from msgspec.structs import replace

import netcode.table.table
from engine.views import Viewer
from netcode.client.connection import Connection
from netcode.client.session import Session
from netcode.protocol.fields import FamilyLetter, Message
from netcode.protocol.messages import Act, State, Welcome
from netcode.storage.journal import Execute, Journal
from netcode.table.connections import ConnectionState
from netcode.table.effects import Effect, Keep
from netcode.table.errors import StoreError
from netcode.table.games import Games
from netcode.table.live_game import LiveGame
from netcode.table.people.participants import Participants
from netcode.table.people.seats import KeptSeat, KeyRing, Participant, Seat, key_hash
from netcode.table.requests import Requests
from netcode.table.restoring import restore_participants
from netcode.table.snapshot import KeptGame, KeptTable, Snapshot
from netcode.table.table import Table
from tests.support.planted import Bug, Wrong

Called: TypeAlias = Callable[..., Any]


def some_answers_are_kept_with_the_next(patch: pytest.MonkeyPatch) -> None:
    kept, before = Games.kept, WeakKeyDictionary[Games, KeptGame]()

    def lag(self: Games) -> KeptGame:
        now = kept(self)
        if self not in before or len(now.actions) % 4:
            before[self] = now
        return before[self]

    patch.setattr(Games, "kept", lag)


def a_lost_key_opens_whatever_is_in_the_place_of_its_seat(patch: pytest.MonkeyPatch) -> None:
    opened_by, families = Participants.opened_by, dict[bytes, FamilyLetter]()

    def open_more(self: Participants, hashed: bytes) -> Participant | None:
        found = opened_by(self, hashed)
        for seat in self.seats:
            if seat.keys is not None:
                families[seat.keys.key] = seat.family
        return found or (self.seat_of(families[hashed]) if hashed in families else None)

    patch.setattr(Participants, "opened_by", open_more)


def execute_before_storing(right: Called) -> Called:
    def submit(self: Journal, table: int, effects: list[Effect], execute: Execute) -> None:
        execute(effects)
        right(self, table, effects, list)

    return submit


SENT_TOO_EARLY: Final[Bug] = Wrong(Journal.submit, execute_before_storing)
"""Bug: send messages before they are stored."""


def know_no_act(right: Called) -> Called:
    def act(self: Requests, state: ConnectionState, seat: Seat, act: Act, now: float) -> None:
        acted, seat.acted = seat.acted, 0
        try:
            right(self, state, seat, act, now)
        finally:
            seat.acted = seat.acted or acted

    return act


def look_at_no_revision(right: Called) -> Called:
    def act(self: Requests, state: ConnectionState, seat: Seat, act: Act, now: float) -> None:
        right(self, state, seat, replace(act, revision=self.games.revision), now)

    return act


def drop_an_answer(right: Called) -> Called:
    def kept(self: Games) -> KeptGame:
        whole: KeptGame = right(self)
        return replace(whole, actions=whole.actions[:7] + whole.actions[8:])

    return kept


def count_the_newest_as_kept(right: Called) -> Called:
    def committed(
        self: Journal, newest: dict[int, Keep], began: float, outcome: dict[int | None, StoreError]
    ) -> None:
        for number, kept in newest.items():
            newer = self._newest[number]
            if newer is not kept and not outcome:
                self._newest[number] = replace(newer, snapshot=kept.snapshot)
        right(self, newest, began, outcome)

    return committed


def keep_the_table_of_before(right: Called) -> Called:
    def kept(self: Table) -> KeptTable:
        before, now = self._kept, right(self)
        is_as_before = (
            before is not None
            and self.games.phase == before.game.phase
            and len(self.participants.seats) == len(before.table.seats)
        )
        return before.table if is_as_before and before is not None else now

    return kept


def keep_no_talk(right: Called) -> Called:
    return lambda self: replace(right(self), talk=())


def forget_what_counted(right: Called) -> Called:
    def restore(kept: Snapshot) -> Participants:
        participants: Participants = right(kept)
        for seat in participants.seats:
            seat.acted = 0
        return participants

    return restore


def count_on_from_too_low(right: Called) -> Called:
    def restore(self: Games, kept: Snapshot, *games: object) -> None:
        right(self, kept, *games)
        self.revision = max(0, kept.game.revision - 1)

    return restore


def change_the_key(right: Called) -> Called:
    def seat(self: ConnectionState, participant: Participant, key: bytes) -> None:
        key = key_hash(key)
        participant.keys = KeyRing.of(key)
        right(self, participant, key)

    return seat


def keep_no_keys(right: Called) -> Called:
    def kept(self: Seat) -> KeptSeat:
        seat: KeptSeat = right(self)
        seat.keys = self.keys and KeyRing()
        return seat

    return kept


def see_with_the_eyes_of_others(right: Called) -> Called:
    def state(
        self: LiveGame, viewer: Viewer, you: FamilyLetter | None, revision: int, since: int
    ) -> State:
        is_other = isinstance(viewer, int) and revision % 10 == 0
        seen = (viewer + 1) % 3 if is_other and isinstance(viewer, int) else viewer
        state_sent: State = right(self, seen, you, revision, since)
        return state_sent

    return state


def leave_events_out(right: Called) -> Called:
    def state(self: LiveGame, *arguments: object) -> State:
        state_sent: State = right(self, *arguments)
        return replace(state_sent, events=state_sent.events[:5])

    return state


def send_no_act_again(right: Called) -> Called:
    sent: list[Act] = []

    def send(self: Connection, message: Message) -> None:
        if not any(message is each for each in sent):
            right(self, message)
        if isinstance(message, Act):
            sent.append(message)

    return send


def forget_the_key(right: Called) -> Called:
    def welcome(self: Session, message: Welcome) -> None:
        right(self, message)
        self.key = None

    return welcome


def record_no_holder(_right: Called) -> Called:
    return lambda _self, _seat: None


def never_beat(right: Called) -> Called:
    async def beat(self: Connection) -> None:
        self._received_at = 0.0

    return beat


PLANTS: Final[dict[str, Bug]] = {
    "an_act_that_has_counted_is_not_known": Wrong(Requests._act, know_no_act),
    "the_revision_of_an_act_is_not_looked_at": Wrong(Requests._act, look_at_no_revision),
    "everybody_is_told_before_it_is_kept": SENT_TOO_EARLY,
    "a_commit_drops_some_answers": Wrong(Games.kept, drop_an_answer),
    "some_answers_are_kept_with_the_next": some_answers_are_kept_with_the_next,
    "what_comes_during_a_commit_counts_as_kept": Wrong(
        Journal._committed, count_the_newest_as_kept
    ),
    "most_changes_of_a_table_are_not_kept": Wrong(Table._kept_table, keep_the_table_of_before),
    "what_counted_is_forgotten_with_a_crash": Wrong(
        restore_participants, forget_what_counted, imported_by=netcode.table.table
    ),
    "a_resumed_table_counts_on_from_too_low": Wrong(Games.restore, count_on_from_too_low),
    "a_key_changes_with_each_use": Wrong(ConnectionState.seat, change_the_key),
    "the_keys_of_a_table_are_not_kept": Wrong(Seat.kept, keep_no_keys),
    "a_lost_key_opens_whatever_is_in_the_place_of_its_seat": (
        a_lost_key_opens_whatever_is_in_the_place_of_its_seat
    ),
    "somebody_sees_with_the_eyes_of_others": Wrong(LiveGame.state, see_with_the_eyes_of_others),
    "an_event_is_left_out": Wrong(LiveGame.state, leave_events_out),
    "the_bot_in_the_seat_of_somebody_sent_away_is_not_recorded": Wrong(
        Games.hand_over, record_no_holder
    ),
    "what_was_said_is_not_kept": Wrong(Table._kept_table, keep_no_talk),
    "the_client_never_sends_an_act_again": Wrong(Connection.send, send_no_act_again),
    "the_client_forgets_its_key": Wrong(Session._welcome, forget_the_key),
    "the_client_has_no_heartbeat": Wrong(Connection._beat, never_beat),
}
