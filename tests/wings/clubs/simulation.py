"""Clubs in the simulation: persons open tables, which are unloaded while nobody is there."""

from random import Random
from typing import Final

import pytest

from netcode.client.session import Session
from netcode.protocol.fields import Message
from netcode.protocol.table_settings import TableSettings
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.storage.journal import Journal
from netcode.table.table import Table
from netcode.wings.clubs.club_store import ClubStore
from netcode.wings.clubs.club_tables import ClubTables
from netcode.wings.clubs.messages import Club, OpenTable
from tests.support.pretend_workers import PretendWorkers

STORE: Final = ClubStore


def patch(patches: pytest.MonkeyPatch, table: type[Table], sleep_after_s: float) -> None:
    """Let clubs use this class of tables, and unload tables after these seconds."""
    patches.setattr("netcode.wings.clubs.club_tables.Table", table)
    patches.setattr("netcode.wings.clubs.club_tables.SLEEP_AFTER_S", sleep_after_s)


def open_server(
    registry: TableRegistry, store: ClubStore, journal: Journal, secret: bytes, rng: Random
) -> Server:
    club = ClubTables(registry, journal, secret, rng, rng.randbytes)
    for each in store.tables():
        club.remember(*each)
    workers = PretendWorkers(rng)
    return Server(registry, rng=rng, journal=journal, tables=club, workers=workers)


def has_played(server: Server, entry: TableEntry) -> bool:
    """Return True if a game has begun at a table."""
    club = server._tables
    assert isinstance(club, ClubTables)
    return club.info(entry).phase != "lobby"


def is_choice(message: Message) -> bool:
    """Return True if a message asks a person to choose a table."""
    return isinstance(message, Club)


def choose(
    message: Message, session: Session, settings: TableSettings, *, opens: bool, watches: bool
) -> Message | None:
    """Return a person's choice of a table; None while they must wait for one."""
    assert isinstance(message, Club)
    if message.tables:
        return session.enter(message.tables[0].secret, spectator=watches)
    return OpenTable(settings=settings) if opens else None
