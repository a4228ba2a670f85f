"""Tables in a journal, for the tests of what comes back out of it."""

import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from netcode.protocol.messages import SetReady, Start
from netcode.storage.store import Store
from netcode.table.errors import StoreError
from netcode.table.journal_entries import Ended
from netcode.table.table import Table
from tests.netcode.crashes import OPENED, CrashingNetwork
from tests.netcode.pretend import Participant, play_on, seated


def at_play(
    path: Path, actions: int = 20, **options: Any
) -> tuple[CrashingNetwork, list[Participant]]:
    """Return a table in the middle of a game, which is kept at the path."""
    network = CrashingNetwork(path, Random(1), **options)
    guests = seated(network, "abc")
    for participant in guests[1:]:
        participant.say(SetReady(ready=True))
    guests[0].say(Start())
    play_on(guests, actions)
    return network, guests


_stopped: dict[int, tuple[CrashingNetwork, bytes]] = {}


def stopped(path: Path, actions: int = 20, **options: Any) -> CrashingNetwork:
    """Return a table in the middle of a game whose program has come to its end.

    Of those that are alone in their journal each is played once, and the journal is copied.
    """
    alone = not options and not path.exists()
    if alone and actions in _stopped:
        network, journal = _stopped[actions]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(journal)
        return network
    network, _ = at_play(path, actions, **options)
    network.store.close()
    if alone:
        _stopped[actions] = network, path.read_bytes()
    return network


def used_on(path: Path, days: Iterable[int]) -> None:
    """Open a table on each of some days, counted from 1970, and close it again."""
    for day in days:
        store = Store.open(path)
        store.commit([(1000 + day, OPENED), (1000 + day, Ended())], day * 86_400)
        store.close()


def restored(path: Path) -> Table:
    store = Store.open(path)
    try:
        found = store.unfinished()
        assert found is not None
        return Table.restore(store.load(found.table), Random(1), lambda: os.urandom(32))
    finally:
        store.close()


def change(path: Path, *statements: str) -> None:
    """Do something to the database behind the back of the program."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA ignore_check_constraints = 1")
    for statement in statements:
        database.execute(statement)
    database.commit()
    database.close()


def refusal(path: Path) -> str:
    """Return the sentence with which the table is not brought back."""
    with pytest.raises(StoreError) as caught:
        restored(path)
    return caught.value.sentence()


def ask(path: Path, query: str) -> list[tuple[Any, ...]]:
    """Return what the database says."""
    database = sqlite3.connect(path)
    try:
        return database.execute(query).fetchall()
    finally:
        database.close()
