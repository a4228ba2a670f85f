"""Bugs to be planted, each of a kind that somebody might make: the simulation has to find them."""

from collections.abc import Callable, Mapping
from typing import Any, Final
from weakref import WeakKeyDictionary

import pytest
from msgspec.structs import replace

from engine.view import Viewer
from netcode.client.connection import Connection
from netcode.client.session import Session
from netcode.protocol.fields import FamilyLetter
from netcode.protocol.messages import Act, ClientMessage, State, Welcome
from netcode.storage.journal import CarryOut, Journal
from netcode.storage.store import Store
from netcode.table.connections import ConnectionState
from netcode.table.effects import Effect, Keep
from netcode.table.errors import NotAllowedError, StoreError
from netcode.table.games import Games
from netcode.table.live_game import LiveGame
from netcode.table.people.participants import Participants
from netcode.table.people.seats import KeyRing, Participant, Seat, key_hash
from netcode.table.requests import Requests
from netcode.table.restoring import restore_participants
from netcode.table.sealed_game import SealedGame
from netcode.table.snapshot import KeptGame, KeptTable, Snapshot
from netcode.table.table import Table
from netcode.transport import outbox

Plant = Callable[[pytest.MonkeyPatch], None]


def an_act_that_has_counted_is_not_known(patch: pytest.MonkeyPatch) -> None:
    def play_act(self: Requests, state: ConnectionState, seat: Seat, act: Act, now: float) -> None:
        if act.revision != self.games.revision:
            raise NotAllowedError("late")
        self.games.act(seat, act.action, now)
        seat.acted = act.number

    patch.setattr(Requests, "_act", play_act)


def the_revision_of_an_act_is_not_looked_at(patch: pytest.MonkeyPatch) -> None:
    def play_act(self: Requests, state: ConnectionState, seat: Seat, act: Act, now: float) -> None:
        if act.number <= seat.acted:
            return
        self.games.act(seat, act.action, now)
        seat.acted = act.number

    patch.setattr(Requests, "_act", play_act)


def everybody_is_told_before_it_is_kept(patch: pytest.MonkeyPatch) -> None:
    submit = Journal.submit

    def submit_later(self: Journal, table: int, effects: list[Effect], carry_out: CarryOut) -> None:
        carry_out(effects)
        submit(self, table, effects, lambda _: None)

    patch.setattr(Journal, "submit", submit_later)


def changed(
    patch: pytest.MonkeyPatch,
    *,
    table: Callable[[KeptTable], KeptTable] = lambda kept: kept,
    game: Callable[[KeptGame], KeptGame] = lambda kept: kept,
) -> None:
    """Have a store keep something else than it was given."""
    commit = Store.commit

    def commit_changed(self: Store, newest: Mapping[int, Keep], at: int) -> None:
        kept = {}
        for number, keep in newest.items():
            if keep.snapshot is not None:
                is_now = Snapshot(table(keep.snapshot.table), game(keep.snapshot.game))
                keep = replace(keep, snapshot=is_now)
            kept[number] = keep
        commit(self, kept, at)

    patch.setattr(Store, "commit", commit_changed)


def a_commit_drops_some_answers(patch: pytest.MonkeyPatch) -> None:
    def drop(kept: KeptGame) -> KeptGame:
        return replace(kept, actions=kept.actions[:7] + kept.actions[8:])

    changed(patch, game=drop)


def some_answers_are_kept_with_the_next(patch: pytest.MonkeyPatch) -> None:
    kept, before = Games.kept, WeakKeyDictionary[Games, KeptGame]()

    def lag(self: Games) -> KeptGame:
        now = kept(self)
        if self not in before or len(now.actions) % 4:
            before[self] = now
        return before[self]

    patch.setattr(Games, "kept", lag)


def what_comes_during_a_commit_counts_as_kept(patch: pytest.MonkeyPatch) -> None:
    committed = Journal._committed

    def forget_more(
        self: Journal,
        newest: Mapping[int, Keep],
        began: float,
        outcome: Mapping[int | None, StoreError],
    ) -> None:
        for number, kept in newest.items():
            newer = self._newest.get(number)
            if newer is not None and newer is not kept:
                self._newest[number] = replace(newer, snapshot=kept.snapshot)
        committed(self, newest, began, outcome)

    patch.setattr(Journal, "_committed", forget_more)


def most_changes_of_a_table_are_not_kept(patch: pytest.MonkeyPatch) -> None:
    kept_table = Table._kept_table

    def forget(self: Table) -> KeptTable:
        now, before = kept_table(self), self._kept
        if (
            before is None
            or len(now.seats) != len(before.table.seats)
            or self.games.phase != before.game.phase
        ):
            return now
        return before.table

    patch.setattr(Table, "_kept_table", forget)


def what_counted_is_forgotten_with_a_crash(patch: pytest.MonkeyPatch) -> None:
    def forget(kept: Snapshot) -> Participants:
        participants = restore_participants(kept)
        for seat in participants.seats:
            seat.acted = 0
        return participants

    patch.setattr("netcode.table.table.restore_participants", forget)


def a_resumed_table_counts_on_from_too_low(patch: pytest.MonkeyPatch) -> None:
    restore = Games.restore

    def restore_wrongly(
        self: Games, kept: Snapshot, live: LiveGame | None, relayed: SealedGame | None
    ) -> None:
        restore(self, kept, live, relayed)
        self.revision = max(0, self.revision - 1)

    patch.setattr(Games, "restore", restore_wrongly)


def a_key_changes_with_each_use(patch: pytest.MonkeyPatch) -> None:
    seat = ConnectionState.seat

    def seat_anew(self: ConnectionState, participant: Participant, key: bytes) -> None:
        fresh = key_hash(key)
        participant.keys = KeyRing.of(fresh)
        seat(self, participant, fresh)

    patch.setattr(ConnectionState, "seat", seat_anew)


def the_keys_of_a_table_are_not_kept(patch: pytest.MonkeyPatch) -> None:
    def forget(kept: KeptTable) -> KeptTable:
        seats = (replace(each, keys=each.keys and KeyRing()) for each in kept.seats)
        return replace(kept, seats=tuple(seats))

    changed(patch, table=forget)


def a_lost_key_opens_whatever_is_in_the_place_of_its_seat(patch: pytest.MonkeyPatch) -> None:
    opened_by, families = Participants.opened_by, dict[bytes, FamilyLetter]()

    def open_more(self: Participants, hashed: bytes) -> Participant | None:
        found = opened_by(self, hashed)
        for seat in self.seats:
            if seat.keys is not None:
                families[seat.keys.key] = seat.family
        return found or (self.seat_of(families[hashed]) if hashed in families else None)

    patch.setattr(Participants, "opened_by", open_more)


def somebody_sees_with_the_eyes_of_others(patch: pytest.MonkeyPatch) -> None:
    state = LiveGame.state

    def peep(
        self: LiveGame, viewer: Viewer, you: FamilyLetter | None, revision: int, since: int
    ) -> State:
        if isinstance(viewer, int) and revision % 10 == 0:
            viewer = (viewer + 1) % 3
        return state(self, viewer, you, revision, since)

    patch.setattr(LiveGame, "state", peep)


def an_event_is_left_out(patch: pytest.MonkeyPatch) -> None:
    state = LiveGame.state

    def skip(
        self: LiveGame, viewer: Viewer, you: FamilyLetter | None, revision: int, since: int
    ) -> State:
        told = state(self, viewer, you, revision, since)
        return replace(told, events=told.events[:5])

    patch.setattr(LiveGame, "state", skip)


def what_was_said_is_not_kept(patch: pytest.MonkeyPatch) -> None:
    changed(patch, table=lambda kept: replace(kept, talk=()))


def who_reads_slowly_misses_what_happened(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(outbox, "_merged", lambda older, newer: newer)


def the_client_never_sends_an_act_again(patch: pytest.MonkeyPatch) -> None:
    say, said = Connection.say, list[Act]()

    def say_once(self: Connection, message: ClientMessage) -> None:
        if not any(message is each for each in said):
            say(self, message)
        if isinstance(message, Act):
            said.append(message)

    patch.setattr(Connection, "say", say_once)


def the_client_forgets_its_key(patch: pytest.MonkeyPatch) -> None:
    welcome = Session._welcome

    def forget(self: Session, message: Welcome) -> None:
        welcome(self, message)
        self.key = None

    patch.setattr(Session, "_welcome", forget)


def the_client_has_no_heartbeat(patch: pytest.MonkeyPatch) -> None:
    async def lie_still(self: Connection) -> None:
        pass

    patch.setattr(Connection, "_beat", lie_still)


def plants_of(module: Mapping[str, Any]) -> dict[str, Plant]:
    """Return the bugs that a module defines, by name."""
    own = {name: it for name, it in module.items() if callable(it) and name[0] != "_"}
    own = {name: it for name, it in own.items() if it.__module__ == module["__name__"]}
    return {name: it for name, it in own.items() if it not in (changed, plants_of)}


PLANTS: Final = plants_of(globals())
"""By name."""
