"""Bugs to be planted, each of a kind that somebody might make: the simulation has to find them."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Any, Final

import pytest
from msgspec.structs import replace

from engine.view import Viewer
from netcode.client import reconnection
from netcode.client.reconnection import Connected, Connection, News
from netcode.client.session import Session
from netcode.protocol.codec import encode
from netcode.protocol.fields import FamilyLetter
from netcode.protocol.messages import Act, ClientMessage, State, Welcome
from netcode.storage.commit_then_send import CarryOut, Journal
from netcode.storage.store import Store
from netcode.table.effects import Effect
from netcode.table.errors import NotAllowedError
from netcode.table.games import Games
from netcode.table.journal_entries import (
    Entry,
    KeptAct,
    KeptLine,
    KeptTable,
    PendingEntries,
    Snapshot,
)
from netcode.table.live_game import LiveGame
from netcode.table.people.key_ring import KeyRing, key_hash
from netcode.table.people.participants import Participants
from netcode.table.people.seats import Seat
from netcode.table.relayed_game import RelayedGame
from netcode.table.request_checks import Requests
from netcode.table.restoring import restore_participants
from netcode.transport import outbox

Plant = Callable[[pytest.MonkeyPatch], None]


def an_act_that_has_counted_is_not_known(patch: pytest.MonkeyPatch) -> None:
    def play_act(self: Requests, connection: int, seat: Seat, act: Act, now: float) -> None:
        if act.revision != self.games.revision:
            raise NotAllowedError("late")
        self.control.act(self.games.place_of(seat), act.action, act.number, now)
        seat.acted = act.number

    patch.setattr(Requests, "_act", play_act)


def the_revision_of_an_act_is_not_looked_at(patch: pytest.MonkeyPatch) -> None:
    def play_act(self: Requests, connection: int, seat: Seat, act: Act, now: float) -> None:
        if act.number <= seat.acted:
            return
        self.control.act(self.games.place_of(seat), act.action, act.number, now)
        seat.acted = act.number

    patch.setattr(Requests, "_act", play_act)


def everybody_is_told_before_it_is_kept(patch: pytest.MonkeyPatch) -> None:
    submit = Journal.submit

    def submit_later(self: Journal, table: int, effects: list[Effect], carry_out: CarryOut) -> None:
        carry_out(effects)
        submit(self, table, effects, lambda _: None)

    patch.setattr(Journal, "submit", submit_later)


def a_commit_drops_some_entries(patch: pytest.MonkeyPatch) -> None:
    commit = Store.commit

    def drop(self: Store, entries: Sequence[tuple[int, Entry]], at: int) -> None:
        kept = [
            each for each in entries if not (isinstance(each[1], KeptAct) and each[1].step % 9 == 8)
        ]
        commit(self, kept, at)

    patch.setattr(Store, "commit", drop)


def changed_keys_are_not_kept(patch: pytest.MonkeyPatch) -> None:
    flush = PendingEntries.flush

    def forget(self: PendingEntries, table: KeptTable) -> list[Entry]:
        same = len(table.seats) == len(self.kept.seats) and table.phase == self.kept.phase
        return flush(self, self.kept if same else table)

    patch.setattr(PendingEntries, "flush", forget)


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
        self: Games, kept: Snapshot, live: LiveGame | None, relayed: RelayedGame | None
    ) -> None:
        restore(self, kept, live, relayed)
        self.revision = max(0, self.revision - 1)

    patch.setattr(Games, "restore", restore_wrongly)


def the_key_before_is_worthless_at_once(patch: pytest.MonkeyPatch) -> None:
    def change(self: KeyRing, used: bytes, key: bytes) -> None:
        self.hashes = key_hash(key), key_hash(key)

    patch.setattr(KeyRing, "change", change)


def the_first_key_stays_good(patch: pytest.MonkeyPatch) -> None:
    opens, change = KeyRing.opens, KeyRing.change
    first: list[bytes] = []

    def remember(self: KeyRing, used: bytes, key: bytes) -> None:
        first.append(used)
        change(self, used, key)

    patch.setattr(KeyRing, "change", remember)
    patch.setattr(KeyRing, "opens", lambda self, hashed: opens(self, hashed) or hashed in first)


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
    commit = Store.commit

    def drop(self: Store, entries: Sequence[tuple[int, Entry]], at: int) -> None:
        commit(self, [each for each in entries if not isinstance(each[1], KeptLine)], at)

    patch.setattr(Store, "commit", drop)


def who_reads_slowly_misses_what_happened(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(outbox, "_merged", lambda older, newer: newer)


def the_client_never_sends_an_act_again(patch: pytest.MonkeyPatch) -> None:
    async def converse(
        line: Connection, session: Session, name: str, spectator: bool
    ) -> AsyncGenerator[News, None]:
        await line.send(reconnection._hello(session, name, spectator))
        yield Connected(line)
        async with aclosing(aiter(line)) as messages:
            async for message in messages:
                session.receive(message)
                yield message

    patch.setattr(reconnection, "_converse", converse)


def the_client_speaks_before_it_is_welcome(patch: pytest.MonkeyPatch) -> None:
    async def send(self: Connection, message: ClientMessage) -> None:
        self._channel.send(encode(message))

    patch.setattr(Connection, "send", send)


def the_client_keeps_its_first_key(patch: pytest.MonkeyPatch) -> None:
    welcome = Session._welcome

    def keep(self: Session, message: Welcome) -> None:
        key = self.key
        welcome(self, message)
        self.key = key or message.key

    patch.setattr(Session, "_welcome", keep)


def the_client_has_no_heartbeat(patch: pytest.MonkeyPatch) -> None:
    async def lie_still(self: Connection) -> None:
        pass

    patch.setattr(Connection, "_beat", lie_still)


def _plants() -> dict[str, Plant]:
    found: dict[str, Any] = {
        name: value
        for name, value in globals().items()
        if callable(value) and getattr(value, "__module__", "") == __name__ and name[0] != "_"
    }
    return found


PLANTS: Final = _plants()
"""By name."""
