"""What is measured, as a process: a server of tables with its journal, or one without rules.

    table_hosts.py tables N FOLDER     so many tables, their journal in a new folder
    table_hosts.py bare                hands frames out and knows neither rules nor tables

The first line on standard output is JSON: `port` and, for real tables, their `secrets`. It serves
there until standard input ends.
"""

import asyncio
import json
import logging
import os
import secrets
import socket
import sys
from pathlib import Path
from random import Random

import msgpack
import uvloop
from websockets.asyncio.server import ServerConnection, broadcast, serve

from netcode.joining.spoken_code import new_code
from netcode.limits import Limits, Rate
from netcode.protocol.fields import SECRET_BYTES
from netcode.server.server import Server, collect_rarely
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.storage.journal import Journal, shorten_switch_interval
from netcode.storage.store import Store
from netcode.table.snapshot import Opened
from netcode.table.table import Table

LIMITS = Limits(
    connections=100_000,
    from_one_address=100_000,
    frames=Rate(1e9, 1e9),
    table_frames=Rate(1e9, 1e9),
    network_ms=Rate(1e9, 1e9),
    gather_s=0.0,
    backlog=1024,
)
"""None: all come from one address, and a table alone plays thousands of moves a second."""


async def serve_tables(number: int, folder: Path) -> None:
    """Serve so many tables, the deals of each from `Random` of its index."""
    shorten_switch_interval()
    folder.mkdir(exist_ok=True)
    journal = Journal(Store.open(folder / "tables.db"))
    registry = TableRegistry()
    server = Server(registry, journal=journal, limits=LIMITS)
    for index in range(number):
        secret = secrets.token_bytes(SECRET_BYTES)
        code = new_code(secrets.token_bytes, registry.rooms)
        table = Table(Random(index), lambda: secrets.token_bytes(32))
        entry = TableEntry(1 + index, secret, code, table)
        registry.add(entry)
        server.keep_opened(entry, Opened(secret=secret, code=code, club=True))
    await server.listen([_listen()])
    _say(
        port=server.port,
        secrets=[entry.secret.hex() for entry in registry.entries],
    )
    collect_rarely()
    await _until_input_ends()
    # Thousands of goodbyes are not what is measured.
    os._exit(0)


async def serve_bare() -> None:
    """Hand each act's frame out to all who said the same table."""
    tables: dict[int, list[ServerConnection]] = {}

    async def handle(connection: ServerConnection) -> None:
        hello = msgpack.unpackb(await connection.recv())
        table = tables.setdefault(hello["table"], [])
        table.append(connection)
        await connection.send(msgpack.packb({"type": "welcome"}))
        filler = "x" * hello["filler"]
        async for frame in connection:
            act = msgpack.unpackb(frame)
            state = {"type": "state", "revision": act["revision"] + 1, "view": filler}
            broadcast(table, msgpack.packb(state))

    log = logging.getLogger("bare")
    log.setLevel(logging.CRITICAL)
    listening = _listen()
    async with serve(handle, sock=listening, backlog=LIMITS.backlog, compression=None, logger=log):
        _say(port=listening.getsockname()[1])
        await _until_input_ends()
        os._exit(0)


def _listen() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0), backlog=LIMITS.backlog)


def _say(**fields: object) -> None:
    print(json.dumps(fields), flush=True)


async def _until_input_ends() -> None:
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


def main() -> None:
    """Serve what the command line says."""
    kind, *rest = sys.argv[1:]
    if kind == "bare":
        uvloop.run(serve_bare())
    else:
        uvloop.run(serve_tables(int(rest[0]), Path(rest[1])))


if __name__ == "__main__":
    main()
