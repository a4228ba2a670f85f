"""Tables in a journal, for tests of restoring."""

import os
import sqlite3
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.notation import format_position
from netcode.protocol.messages import SetReady, Start
from netcode.protocol.table_settings import TableSettings
from netcode.storage.store import Store
from netcode.table.effects import Effect, Keep
from netcode.table.errors import StoreError
from netcode.table.live_game import LiveGame
from netcode.table.snapshot import KeptGame, KeptTable, Location, Snapshot, TableAccess
from netcode.table.table import Table
from tests.support.dates import unix_time
from tests.support.pretend import Network, Participant, play_on, seated, snapshot_of

OPENED = TableAccess(bytes(range(12)), "H7KDPX2A", Location(port=4000))


def store_at(path: Path) -> Store:
    """Return the journal at a path, opened without syncing.

    Tests kill the program but not the machine, so the journal need not reach the physical disk.
    """
    store = Store.open(path)
    store._database.execute("PRAGMA synchronous = OFF")
    return store


class KeptNetwork(Network):
    """A table that is stored at a path before any message is sent."""

    def __init__(self, path: Path, number: int = 1) -> None:
        super().__init__(Random(1), settings=TableSettings(first="r", pace_ms=0))
        self.number = number
        # These bytes are unique, so tests can search for them.
        self.table._attendance.new_key = partial(Random(number).randbytes, 32)
        self.store = store_at(path)
        self.execute(self.table.open(OPENED))

    def keep(self, effects: list[Effect]) -> None:
        for effect in effects[:1]:
            if isinstance(effect, Keep):
                self.store.commit({self.number: effect}, int(self.now))

    def execute(self, effects: list[Effect]) -> None:
        self.keep(effects)
        super().execute(effects)


def at_play(path: Path, actions: int = 8, number: int = 1) -> tuple[KeptNetwork, list[Participant]]:
    """Return a stored table after this many actions of a game, and its three players."""
    network = KeptNetwork(path, number)
    guests = seated(network, "abc")
    for participant in guests[1:]:
        participant.send(SetReady(ready=True))
    guests[0].send(Start())
    play_on(guests, actions)
    return network, guests


_stopped: dict[int, tuple[KeptNetwork, bytes]] = {}


def stopped(path: Path, actions: int = 8, number: int = 1) -> KeptNetwork:
    """Return a table whose program has ended after this many actions of a game.

    The first journal for each `actions` is cached. A call for a new path copies this journal.
    """
    alone = number == 1 and not path.exists()
    if alone and actions in _stopped:
        network, journal = _stopped[actions]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(journal)
        return network
    network, _ = at_play(path, actions, number)
    network.store.close()
    if alone:
        _stopped[actions] = network, path.read_bytes()
    return network


def used_on(path: Path, days: Iterable[int]) -> None:
    """Close a table on each of these days, counted from 1970."""
    for day in days:
        store = Store.open(path)
        store.commit({1000 + day: Keep(None)}, day * 86_400)
        store.close()


def restored(path: Path) -> Table:
    store = Store.open(path)
    try:
        found = store.unfinished()
        assert found is not None
        return Table.restore(
            store.load(found.table), Random(1), lambda: os.urandom(32), unix_time=unix_time
        )
    finally:
        store.close()


def change(path: Path, *statements: str) -> None:
    """Execute statements on a database, without its CHECK constraints."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA ignore_check_constraints = 1")
    for statement in statements:
        database.execute(statement)
    database.commit()
    database.close()


def refusal(path: Path) -> str:
    """Return the sentence that refuses to restore the table."""
    with pytest.raises(StoreError) as caught:
        restored(path)
    return caught.value.sentence()


def change_kept(
    path: Path,
    number: int = 1,
    *,
    table: Mapping[str, Any] | None = None,
    game: Mapping[str, Any] | None = None,
    seats: Mapping[str, Any] | None = None,
    place: int | None = None,
) -> None:
    """Change stored fields of a table, of its game, or of its seats.

    `place` is the index of the only changed seat; None changes all seats.
    """
    database = sqlite3.connect(path)
    for name, column, fields in (("tables", "id", table), ("games", "table_id", game)):
        where = f"FROM {name} WHERE {column} = {number}"
        (kept,) = database.execute(f"SELECT kept {where}").fetchone()
        values = msgspec.msgpack.decode(kept) | (fields or {})
        if name == "tables":
            for each in values["seats"] if place is None else [values["seats"][place]]:
                each |= seats or {}
        database.execute(
            f"UPDATE {name} SET kept = ? WHERE {column} = ?",
            (msgspec.msgpack.encode(values), number),
        )
    database.commit()
    database.close()


def ask(path: Path, query: str) -> list[tuple[Any, ...]]:
    """Return the rows of a database query."""
    database = sqlite3.connect(path)
    try:
        return database.execute(query).fetchall()
    finally:
        database.close()


def assert_comes_back(table: Table, keep: Keep) -> None:
    """Assert that the state stored last restores the present table, with everybody away."""
    kept = keep.snapshot
    assert kept is not None
    read = Snapshot(
        msgspec.msgpack.decode(msgspec.msgpack.encode(kept.table), type=KeptTable),
        msgspec.msgpack.decode(msgspec.msgpack.encode(kept.game), type=KeptGame),
    )
    assert read == kept
    again = Table.restore(read, Random(1), lambda: bytes(32), unix_time=unix_time)
    assert _known(again) == _known(table)
    if again.participants.has_persons:
        now = snapshot_of(again)
        # The owner's key is the only one that becomes invalid.
        assert replace(now.table, owner=read.table.owner) == read.table
        assert now.game == read.game
        assert _chat(again) == _chat(table)


def _known(table: Table) -> tuple[Any, ...]:
    """Return the state of a table without presence, chat and results."""
    games = table.games
    game: list[Any] = []
    live = games.play
    if isinstance(live, LiveGame):
        viewers = [None, *range(len(live.families))]
        game = [(format_position(live.seen_by(each)), live.events_for(each)) for each in viewers]
    elif live is not None:
        game = list(live.first_messages())
    lobby = table._broadcast.lobby()
    seats = [(seat.family, seat.second, seat.name, seat.bot, seat.host) for seat in lobby.seats]
    people = [(seat.acted, seat.keys, seat.left, seat.absence) for seat in table.participants.seats]
    state = (lobby.phase, lobby.settings, lobby.paused, lobby.dealing, games.revision, games.begun)
    return (*state, seats, people, table.record(), game, table._wing_records.all)


def _chat(table: Table) -> tuple[Any, ...]:
    conversation = table.conversation
    evening = table._broadcast.lobby().evening
    return evening, conversation.since(0), conversation.all_muted, conversation.silenced
