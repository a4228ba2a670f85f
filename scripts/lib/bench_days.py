"""Measures a server of sleeping games that last for days: its memory, its work, and its answers.

A server in its own process has 1,000 games in which everybody waits for an absent player. The
figures are its memory, the share of a core that it uses while nobody is there, and the time from
connecting until it has sent the news of ten tables. TLS is off. Last comes the trial of conditional
answers (`days_trial.py`).
"""

import asyncio
import os
import secrets
import socket
import subprocess
import time
from collections.abc import Iterator
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from random import Random
from statistics import median
from time import perf_counter
from typing import Final, NamedTuple

from msgspec.structs import replace

from netcode.client.connectors import Plain, connector
from netcode.joining.spoken_code import new_code, prefix_of
from netcode.protocol.codec import decode_host, encode
from netcode.protocol.fields import SECRET_BYTES
from netcode.protocol.messages import PROTOCOL, Act, Hello, SetReady, Start
from netcode.protocol.table_settings import TableSettings
from netcode.server.server import Server, collect_rarely
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.parts import stored_notes
from netcode.table.people.seats import KeyRing
from netcode.table.snapshot import Snapshot, TableAccess
from netcode.table.table import Table
from netcode.transport.address import Address
from netcode.wings.days.messages import AskTurns, SeatProof, Turns
from netcode.wings.days.seat_proofs import seat_proof
from netcode.wings.days.settings import HOURS
from scripts.lib.days_trial import figures
from scripts.lib.figures import Figure

PLAYERS: Final = ("anna", "bert", "cleo", "dora")

ROWS: Final = 10
"""Number of tables in each question to the server."""


class Extent(NamedTuple):
    """The size of a measurement."""

    tables: int
    idle_s: float
    """Seconds for which the work of the server is measured while nobody is there."""
    questions: int
    pause_s: float
    """Seconds between questions, to stay below the server's rate limit for one network."""
    games: int
    """Number of games of each kind in the trial of conditional answers."""
    judged: int
    """Number of judged answers of each kind."""


FULL: Final = Extent(1000, 30.0, 10, 2.0, 200, 300)
SHORT: Final = Extent(ROWS, 0.3, 2, 0.0, 10, 5)


def measure(short: bool) -> list[Figure]:
    """Return the server's memory, its use of a core, the time of an answer, and the trial."""
    extent = SHORT if short else FULL
    spawn = get_context("spawn")
    here, there = spawn.Pipe()
    server = spawn.Process(target=serve, args=(there, extent.tables), daemon=True)
    server.start()
    there.close()
    try:
        port, seats = here.recv()
        pid = server.pid or 0
        answers_ms = asyncio.run(_ask(port, seats[:ROWS], extent))
        before, began = _cpu_s(pid), perf_counter()
        time.sleep(extent.idle_s)
        share = (_cpu_s(pid) - before) / (perf_counter() - began)
        name = f"{extent.tables}_waiting"
        return [
            Figure(f"memory_of_{name}", round(_rss_mb(pid), 1), "MB"),
            Figure(f"cpu_of_{name}", max(0.001, round(100 * share, 3)), "%"),
            Figure(f"turns_of_{ROWS}", round(median(answers_ms), 2), "ms"),
            *figures(extent.games, extent.judged),
        ]
    finally:
        server.kill()
        server.join()


def _sleeping(number: int) -> Iterator[tuple[TableEntry, SeatProof]]:
    """Yield the entries of sleeping games with different codes, and a proof of a seat in each."""
    kept, key = _kept(Random(1)), secrets.token_bytes(32)
    prefixes = set[str]()
    for each in range(number):
        code = new_code(secrets.token_bytes, frozenset(prefixes))
        prefixes.add(prefix_of(code))
        opened = TableAccess(secrets.token_bytes(SECRET_BYTES), code)
        first, *others = kept.table.seats
        seats = replace(first, keys=KeyRing.of(key)), *others
        snapshot = Snapshot(replace(kept.table, opened=opened, seats=seats), kept.game)
        entry = TableEntry(1 + each, opened, None, notes=stored_notes(snapshot))
        yield entry, seat_proof(prefix_of(code), key)


def _kept(rng: Random) -> Snapshot:
    """Return a game for days in its third round, with all players absent."""
    table = Table(
        rng,
        lambda: rng.randbytes(32),
        settings=TableSettings.of({HOURS: 48, "pace_ms": 0}),
        unix_time=time.time,
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


def serve(pipe: Pipe, number: int) -> None:
    """Serve `number` sleeping games; send the port and a proof of a seat in each through `pipe`."""

    async def run() -> None:
        tables = list(_sleeping(number))
        registry = TableRegistry([entry for entry, _ in tables])
        server = Server(registry)
        await server.listen([socket.create_server(("127.0.0.1", 0))])
        collect_rarely()
        pipe.send((server.port, [seat for _, seat in tables]))
        await asyncio.Event().wait()

    asyncio.run(run())


async def _ask(port: int, seats: list[SeatProof], extent: Extent) -> list[float]:
    """Ask a server about seats, on a new connection each time; return the milliseconds of each."""
    connect = connector(Plain(Address("127.0.0.1", port)))
    found = []
    for _ in range(extent.questions):
        await asyncio.sleep(extent.pause_s)
        began = perf_counter()
        channel = await connect()
        channel.send(encode(AskTurns(seats=tuple(seats))))
        answer = decode_host(await channel.receive())
        found.append(1000 * (perf_counter() - began))
        await channel.close()
        assert isinstance(answer, Turns)
        assert len(answer.rows) == len(seats)
        assert all(row.whose and row.left_s for row in answer.rows)
    return found


def _rss_mb(pid: int) -> float:
    """Return the present memory of a process, in units of 2^20 bytes."""
    command = ["ps", "-o", "rss=", "-p", str(pid)]
    return int(subprocess.run(command, check=True, capture_output=True).stdout) / 1024


def _cpu_s(pid: int) -> float:
    """Return the seconds of a core that a process has used so far."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
