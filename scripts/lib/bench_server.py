"""Measures moves per second of a server with tables, and its memory.

A move counts when all four players of a table have received their view after it. The server is the
real one: rules, views, a journal on a real disk, websockets. Only TLS and the limits on connections
are off. Server and players have a core each. The players choose all answers before the game begins.
At each table the next act is sent as soon as the last one counts, so with many tables the server
always has work.

`ceiling` is a server that only sends frames of the same size, with `websockets` and MessagePack.
The players implement WebSocket themselves, since the library's clients would be slower than the
servers.

All servers run side by side and take turns, so that other load on the machine affects all equally.
Rates are medians of the turns; latencies are over all moves. Nothing is measured between two games,
nor after the first table has finished its game.

A soak with a separate server comes last. Strangers open some hundreds of websockets in TLS at a
time, send nothing and leave. The figure is the ratio of the server's memory after this to its
memory before.
"""

import asyncio
import logging
import os
import resource
import secrets
import select
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from random import Random
from statistics import fmean, median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Final

import msgpack
import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve

from engine.cards import FAMILIES
from engine.edition import SECOND_EDITION
from engine.game import Deal, Game
from netcode.joining.spoken_code import new_code
from netcode.limits import Limits, Rate
from netcode.protocol.codec import decode_host, encode
from netcode.protocol.fields import SECRET_BYTES
from netcode.protocol.messages import PROTOCOL, Act, Hello, Lobby, SetReady, Start
from netcode.server.server import Server, collect_rarely
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.storage.journal import Journal, shorten_switch_interval
from netcode.storage.store import Store
from netcode.table.snapshot import TableAccess
from netcode.table.table import Table
from netcode.transport.certificate import client_context, load_identity
from netcode.transport.listener import RETURN_MEMORY_S
from scripts.lib.figures import Figure, percentile


@dataclass(frozen=True, slots=True)
class Extent:
    """The size of a measurement."""

    counts: tuple[int, ...]
    """Numbers of tables that play at the same time. The ceiling has the last of these numbers."""
    turns: int
    moves: int
    """Approximate number of moves in a turn. If there are few tables, they play several games."""
    idle: int
    """Number of idle tables."""
    strangers: int
    """Number of connections that come and go in the soak."""
    at_once: int
    """Number of the soak's connections that are open at a time."""
    rest_s: float
    """Seconds after the soak for the server to return memory."""


FULL: Final = Extent(
    counts=(1, 25, 100),
    turns=7,
    moves=5000,
    idle=1000,
    strangers=5000,
    at_once=500,
    rest_s=RETURN_MEMORY_S + 2,
)
SHORT: Final = Extent(counts=(2,), turns=1, moves=100, idle=3, strangers=20, at_once=10, rest_s=0.0)

SEATS: Final = 4
"""Number of seats of every table."""

MOVES_OF_A_GAME: Final = 67
"""Average number of moves of a game of four random players."""

MOST_GAMES: Final = 20
"""Maximum number of games of a table in one turn. A player outside its turn answers no ping, and is
disconnected after 20 seconds.
"""

SPARE_FILES: Final = 200
"""Number of files that a process may open besides its connections."""

LIMITS: Final = Limits(
    connections=100_000,
    from_one_address=100_000,
    frames=Rate(1e9, 1e9),
    table_frames=Rate(1e9, 1e9),
    network_ms=Rate(1e9, 1e9),
    gather_s=0.0,
    backlog=1024,
)
"""Limits that are never reached: all connections come from one address, with thousands of moves a
second.
"""

CORES: Final = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set[int]()
"""The cores that may be used; empty if the system does not support choosing cores."""

PATIENCE_S: Final = 20.0
"""Seconds of silence after which the measurement fails."""


# The servers, each in a separate process


def serve_tables(pipe: Pipe, number: int, folder: Path) -> None:
    """Serve tables whose deals come from the `Random` of their index."""

    async def run() -> None:
        shorten_switch_interval()
        registry = TableRegistry()
        server = Server(registry, journal=Journal(Store.open(folder / "tables.db")), limits=LIMITS)
        for index in range(number):
            secret = secrets.token_bytes(SECRET_BYTES)
            code = new_code(secrets.token_bytes, registry.prefixes)
            table = Table(Random(index), lambda: secrets.token_bytes(32), unix_time=time.time)
            entry = TableEntry(1 + index, TableAccess(secret, code), table)
            registry.add(entry)
            server.keep_opened(entry)
        await server.listen([_listening()])
        pipe.send((server.port, [entry.secret for entry in registry.entries]))
        collect_rarely()
        await asyncio.Event().wait()

    folder.mkdir()
    uvloop.run(run())


def serve_strangers(pipe: Pipe, folder: Path) -> None:
    """Run a TLS server without tables, for the soak."""

    async def run() -> None:
        identity = load_identity(folder)
        server = Server(TableRegistry(), certificate=identity.certificate, limits=LIMITS)
        await server.listen([_listening()], identity.context)
        pipe.send((server.port, []))
        collect_rarely()
        await asyncio.Event().wait()

    folder.mkdir()
    uvloop.run(run())


def serve_bare(pipe: Pipe, number: int, letters: int) -> None:
    """Answer each act with a frame of `letters` bytes to all players of the table."""

    async def handle(connection: ServerConnection) -> None:
        hello = msgpack.unpackb(await connection.recv())
        table = tables.setdefault(hello["table"], [])
        table.append(connection)
        await connection.send(msgpack.packb({"type": "welcome"}))
        async for frame in connection:
            act = msgpack.unpackb(frame)
            state = {"type": "state", "revision": act["revision"] + 1, "view": "x" * letters}
            broadcast(table, msgpack.packb(state))

    async def run() -> None:
        listening, log = _listening(), logging.getLogger("bare")
        log.setLevel(logging.CRITICAL)
        backlog = LIMITS.backlog
        async with serve(handle, sock=listening, backlog=backlog, compression=None, logger=log):
            pipe.send((listening.getsockname()[1], [b""] * number))
            await asyncio.Event().wait()

    tables: dict[int, list[ServerConnection]] = {}
    uvloop.run(run())


def _listening() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0), backlog=LIMITS.backlog)


class Host:
    """The process of a server, its address, and the secrets of its tables."""

    def __init__(self, serving: Callable[..., None], *arguments: object) -> None:
        spawn = get_context("spawn")
        here, there = spawn.Pipe()
        self.process = spawn.Process(target=serving, args=(there, *arguments), daemon=True)
        self.process.start()
        there.close()
        _use_core(self.process.pid or 0, 0)
        self.port, self.secrets = here.recv()

    @property
    def rss_mb(self) -> float:
        """The present memory of the process, in units of 2^20 bytes."""
        command = ["ps", "-o", "rss=", "-p", str(self.process.pid)]
        return int(subprocess.run(command, check=True, capture_output=True).stdout) / 1024

    def kill(self) -> None:
        """Kill the process, since closing thousands of connections properly takes long."""
        self.process.kill()
        self.process.join()


def _use_core(process: int, wanted: int) -> None:
    """Bind a process (0 is this process) to one core, if the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(process, {sorted(CORES)[wanted % len(CORES)]})


# The players. They are several times as fast as the servers.

UPGRADE: Final = (
    b"GET / HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)

STATE: Final = b"\xa4type\xa5state"
"""The bytes at the beginning of a State, after the number of its fields."""


class Player:
    """The connection of one seat: a minimal WebSocket client."""

    def __init__(self, port: int, table: "Playing") -> None:
        self.table = table
        self.acts = 0
        """Number of acts sent."""
        self._came = b""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(UPGRADE)
        while b"\r\n\r\n" not in self._came:
            self._came += self.socket.recv(65536)
        self._came = self._came.partition(b"\r\n\r\n")[2]

    def send(self, message: bytes) -> None:
        """Send a message in one frame."""
        self.socket.sendall(masked(message))

    def receive(self, wanted: Callable[[bytes], bool] = bool) -> bytes:
        """Return the next message for which `wanted` returns True; discard others.

        Raises EOFError if the connection ends.
        """
        while True:
            for frame in self.take():
                if wanted(frame):
                    return frame

    def take(self) -> list[bytes]:
        """Wait for input; answer pings, and return the complete messages.

        Raises EOFError if the connection ends.
        """
        data = self.socket.recv(65536)
        if not data:
            raise EOFError("the connection ended")
        came = self._came + data if self._came else data
        found, at = [], 0
        while len(came) >= at + 2:
            opcode, length, start = came[at], came[at + 1], at + 2
            if length == 126:
                length, start = int.from_bytes(came[at + 2 : at + 4]), at + 4
            if len(came) < start + length or start > len(came):
                break
            at = start + length
            if opcode == 0x82:
                found.append(came[start:at])
            elif opcode == 0x89:
                self.socket.sendall(masked(came[start:at], 0x8A))
            else:
                raise EOFError(f"the connection was closed: {came[start:at]!r}")
        self._came = came[at:]
        return found


def masked(payload: bytes, first: int = 0x82) -> bytes:
    """Return a client's WebSocket frame. Its mask is zero, so that the payload stays unchanged."""
    length = len(payload)
    header = bytes((0x80 | length,)) if length < 126 else b"\xfe" + length.to_bytes(2)
    return bytes((first,)) + header + bytes(4) + payload


def is_state(frame: bytes) -> bool:
    """Return True if a message is a State."""
    return frame[1 : 1 + len(STATE)] == STATE


class Playing:
    """Four players at a table whose deals come from `Random(number)`."""

    def __init__(self, port: int, number: int) -> None:
        self.number = number
        self.players = [Player(port, self) for _ in range(SEATS)]
        self.acts: list[tuple[int, bytes]] = []
        """The acts of a game as pairs of player and frame. The last act comes first."""
        self.missing = 0
        """Number of players who lack the view after the last act."""
        self.sent = 0.0
        """Time of the last act."""
        self.revision = 0
        self._deals, self._choices = Random(number), Random(number)
        self._first: int | None = None

    def sit(self, secret: bytes) -> None:
        """Seat all four players."""
        for seat, player in enumerate(self.players):
            name = f"player {seat}"
            hello = Hello(protocol=PROTOCOL, program="bench", name=name, secret=secret)
            player.send(encode(hello))
            player.receive()

    def begin(self) -> None:
        """Begin a game: wait for everybody's first view, and choose all acts in advance."""
        host, *others = self.players
        for player in others:
            player.send(encode(SetReady(ready=True)))
        host.receive(_all_ready)
        # Start without the countdown.
        host.send(encode(Start()))
        for player in self.players:
            player.receive(is_state)
        self.revision += 1
        deal = Deal.shuffled(self._deals, FAMILIES[:SEATS], SECOND_EDITION, self._first)
        self._first = (deal.first + 1) % SEATS
        game = Game.start(deal)
        while not game.over:
            action = self._choices.choice(game.legal)
            self._choose(game.turn, action.token)
            game.advance(action)
        self.acts.reverse()

    def leave(self) -> None:
        """Close the connections of all four players."""
        for player in self.players:
            player.socket.close()

    def _choose(self, seat: int, token: str) -> None:
        self.players[seat].acts += 1
        act = Act(number=self.players[seat].acts, revision=self.revision, action=token)
        self.acts.append((seat, masked(encode(act))))
        self.revision += 1

    def act(self) -> None:
        """Send the next act."""
        seat, frame = self.acts.pop()
        self.missing = SEATS
        self.sent = perf_counter()
        self.players[seat].socket.send(frame)


def _all_ready(frame: bytes) -> bool:
    lobby = decode_host(frame)
    if not isinstance(lobby, Lobby) or len(lobby.seats) < SEATS:
        return False
    return all(seat.ready or seat.host for seat in lobby.seats)


class PlayingBare(Playing):
    """Four players of a server that only sends frames of one size."""

    def sit(self, secret: bytes) -> None:
        """Let all four players name their table."""
        for player in self.players:
            player.send(msgpack.packb({"type": "hello", "table": self.number}))
            player.receive()

    def begin(self) -> None:
        """Choose some acts, since there are no games."""
        for index in range(MOVES_OF_A_GAME):
            self._choose(index % SEATS, "S>")
        self.acts.reverse()


@dataclass
class Measured:
    """The results of one server's turns."""

    moves_per_s: list[float] = field(default_factory=list)
    latencies_ms: list[float] = field(default_factory=list)
    state_bytes: list[int] = field(default_factory=list)

    def turn(self, tables: Sequence[Playing], games: int) -> "Measured":
        """Play some games at all tables side by side; return this object.

        The measurement ends when the first table has finished.
        """
        moves, seconds = 0, 0.0
        for _ in range(games):
            for table in tables:
                table.begin()
            latencies, took = self._play(tables)
            moves += len(latencies)
            seconds += took
            self.latencies_ms += [1000 * each for each in latencies]
        self.moves_per_s.append(moves / seconds)
        return self

    def _play(self, tables: Sequence[Playing]) -> tuple[list[float], float]:
        poll = select.poll()
        players = {p.socket.fileno(): p for table in tables for p in table.players}
        for descriptor in players:
            poll.register(descriptor, select.POLLIN)
        latencies: list[float] = []
        left, seconds, start = len(tables), 0.0, perf_counter()
        for table in tables:
            table.act()
        while left:
            ready = poll.poll(1000 * PATIENCE_S)
            if not ready:
                raise TimeoutError("nothing comes any more")
            for descriptor, _ in ready:
                player = players[descriptor]
                table = player.table
                for frame in player.take():
                    if is_state(frame):
                        table.missing -= 1
                        self.state_bytes.append(len(frame))
                if table.missing:
                    continue
                now = perf_counter()
                if not seconds:
                    latencies.append(now - table.sent)
                if table.acts:
                    table.act()
                else:
                    # Messages after the end of the game belong to no view that counts.
                    table.missing = SEATS
                    left -= 1
                    seconds = seconds or now - start
        return latencies, seconds


async def come_and_go(port: int, number: int) -> None:
    """Open some websockets in TLS at the same time, and abort them."""
    context = client_context(None)

    async def come() -> asyncio.StreamWriter:
        while True:
            # The port may be that of a stranger who has just left: then the system resets it.
            with suppress(ConnectionResetError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
                writer.write(UPGRADE)
                await reader.readuntil(b"\r\n\r\n")
                return writer

    for writer in await asyncio.gather(*(come() for _ in range(number))):
        writer.transport.abort()


def soak(host: Host, extent: Extent) -> float:
    """Open many short connections; return the server's memory after them divided by that before."""
    before = host.rss_mb
    for _ in range(0, extent.strangers, extent.at_once):
        asyncio.run(come_and_go(host.port, extent.at_once))
    sleep(extent.rest_s)
    return round(host.rss_mb / before, 3)


def measure(short: bool) -> list[Figure]:
    """Return moves per second, latencies, memory, and the ratio to the ceiling."""
    with TemporaryDirectory(prefix=".bench-", dir=Path(__file__).parents[2]) as folder:
        _use_core(0, 1)
        try:
            return [*_measure(SHORT if short else FULL, Path(folder))]
        finally:
            if CORES:
                os.sched_setaffinity(0, CORES)


def _measure(extent: Extent, folder: Path) -> Iterator[Figure]:
    idle, most = extent.idle, extent.counts[-1]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, SEATS * idle + SPARE_FILES), hard))
    with ExitStack() as stack:

        def started(serving: Callable[..., None], *arguments: object) -> Host:
            host = Host(serving, *arguments)
            stack.callback(host.kill)
            return host

        def seated(host: Host, kind: type[Playing] = Playing) -> Iterator[Playing]:
            for number, secret in enumerate(host.secrets):
                table = kind(host.port, number)
                stack.callback(table.leave)
                table.sit(secret)
                yield table

        hosts = {n: started(serve_tables, n, folder / str(n)) for n in (*extent.counts, idle)}
        tables: dict[int | str, list[Playing]] = {n: [*seated(hosts[n])] for n in extent.counts}
        # The first turn is a warm-up. It also gives the length of the ceiling's frames.
        first = [Measured().turn(tables[count], 1) for count in extent.counts][-1]
        empty = len(msgpack.packb({"type": "state", "revision": 1 << 8, "view": ""}))
        bare = started(serve_bare, most, round(fmean(first.state_bytes)) - empty)
        tables["ceiling"] = [*seated(bare, PlayingBare)]
        Measured().turn(tables["ceiling"], 1)
        measured = {name: Measured() for name in tables}
        for _ in range(extent.turns):
            for name, there in tables.items():
                games = round(extent.moves / MOVES_OF_A_GAME / len(there))
                measured[name].turn(there, min(max(1, games), MOST_GAMES))
        for count in extent.counts:
            found = measured[count]
            yield Figure(f"moves_at_{count}", round(median(found.moves_per_s)), "moves/s")
            yield Figure(f"p50_at_{count}", percentile(found.latencies_ms, 50), "ms")
        yield Figure(f"memory_at_{most}", round(hosts[most].rss_mb, 1), "MB")
        ceiling = measured["ceiling"].moves_per_s
        pairs = zip(measured[most].moves_per_s, ceiling, strict=True)
        yield Figure(f"ceiling_at_{most}", round(median(ceiling)), "moves/s")
        yield Figure(f"ratio_at_{most}", round(median(ours / bare for ours, bare in pairs), 3))
        for table in seated(hosts[idle]):
            table.begin()
        yield Figure(f"memory_of_{idle}_idle", round(hosts[idle].rss_mb, 1), "MB")
        ratio = soak(started(serve_strangers, folder / "strangers"), extent)
        yield Figure(f"memory_after_{extent.strangers}_came_and_went", ratio)
