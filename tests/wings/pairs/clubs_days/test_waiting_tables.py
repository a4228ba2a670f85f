"""Tests that a club with a thousand games that last for days costs little memory and no work."""

import asyncio
import os
import secrets
import subprocess
import sys
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace

from netcode.joining.spoken_code import new_code, prefix_of
from netcode.protocol.fields import SECRET_BYTES
from netcode.protocol.messages import PROTOCOL, Act, Hello, SetReady, Start
from netcode.protocol.table_settings import TableSettings
from netcode.server.server import Server, collect_rarely
from netcode.server.table_registry import TableRegistry
from netcode.storage.journal import Journal
from netcode.table.effects import Keep
from netcode.table.people.seats import KeyRing
from netcode.table.snapshot import Snapshot, TableAccess
from netcode.table.table import Table
from netcode.wings.clubs.club_limits import CLUB_LIMITS
from netcode.wings.clubs.club_store import ClubStore
from netcode.wings.clubs.club_tables import ClubTables
from netcode.wings.days.messages import SeatProof
from netcode.wings.days.seat_proofs import seat_proof
from netcode.wings.days.settings import HOURS
from tests.support.dates import unix_time

TABLES: Final = 1000

RESTS_S: Final = 1.0
"""Seconds for which the work of the club is measured."""

PLAYERS: Final = ("anna", "bert", "cleo", "dora")


@pytest.mark.skipif(sys.platform != "linux", reason="the work of a process is read from /proc")
def test_a_thousand_tables_that_wait_for_days_cost_little(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    store_tables(path, TABLES)
    spawn = get_context("spawn")
    here, there = spawn.Pipe()
    club = spawn.Process(target=serve, args=(there, path), daemon=True)
    club.start()
    there.close()
    try:
        assert here.recv() == TABLES
        pid = club.pid or 0
        before = _cpu_s(pid)
        # The club reports that it has rested for some seconds.
        assert here.recv() == "rested"
        assert _cpu_s(pid) - before < 0.05 * RESTS_S
        assert _rss_mb(pid) < 100
    finally:
        club.kill()
        club.join()


def store_tables(path: Path, number: int) -> list[SeatProof]:
    """Store games, each with its own code, in which one key has a seat; return proofs of seats."""
    key = secrets.token_bytes(32)
    kept = _kept(Random(1))
    store = ClubStore.open(path)
    seats, rows = [], {}
    prefixes = set[str]()
    for each in range(number):
        code = new_code(secrets.token_bytes, frozenset(prefixes))
        prefixes.add(prefix_of(code))
        opened = TableAccess(secrets.token_bytes(SECRET_BYTES), code)
        people = kept.table.seats
        first = replace(people[0], keys=KeyRing.of(key))
        table = replace(kept.table, opened=opened, seats=(first, *people[1:]))
        rows[1 + each] = Keep(Snapshot(table, kept.game))
        seats.append(seat_proof(prefix_of(code), key))
    store.commit(rows, int(unix_time()))
    store.close()
    return seats


def _kept(rng: Random) -> Snapshot:
    """Return a game for days in its third round, with all players absent."""
    table = Table(
        rng,
        lambda: rng.randbytes(32),
        settings=TableSettings.of({HOURS: 48, "pace_ms": 0}),
        unix_time=unix_time,
    )
    table.open(TableAccess(bytes(SECRET_BYTES), "H7KDPX2A"))
    for number, name in enumerate(PLAYERS):
        table.receive(number, Hello(protocol=PROTOCOL, program="bench", name=name), 0.0)
        if number:
            table.receive(number, SetReady(ready=True), 0.0)
    table.receive(0, Start(), 0.0)
    games = table.games
    acts = 0
    while games.play is not None and games.play.seen_by(None).round < 3:
        seat, acts = games.deciding_seat, acts + 1
        assert seat is not None
        assert seat.connection is not None
        view = games.play.seen_by(table.participants.viewer_of(seat))
        act = Act(number=acts, revision=games.revision, action=rng.choice(view.legal).token)
        table.receive(seat.connection, act, 0.0)
    for number in range(len(PLAYERS)):
        table.disconnected(number, 0.0)
    assert table.kept is not None
    return table.kept


def serve(pipe: Pipe, path: Path) -> None:
    async def run() -> None:
        store = ClubStore.open(path)
        registry, rng = TableRegistry(), Random(1)
        journal = Journal(store)
        secret = store.secret(bytes(SECRET_BYTES))
        club = ClubTables(registry, journal, secret, rng, secrets.token_bytes, unix_time)
        for each in store.tables():
            club.remember(*each)
        server = Server(registry, journal=journal, tables=club, limits=CLUB_LIMITS)
        collect_rarely()
        pipe.send(sum(entry.table is None for entry in registry.entries))
        await asyncio.sleep(RESTS_S)
        pipe.send("rested")
        await server.close()

    asyncio.run(run())


def _rss_mb(pid: int) -> float:
    """Return the present memory of a process, in units of 2^20 bytes."""
    command = ["ps", "-o", "rss=", "-p", str(pid)]
    return int(subprocess.run(command, check=True, capture_output=True).stdout) / 1024


def _cpu_s(pid: int) -> float:
    """Return the seconds of a core that a process has used so far."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
