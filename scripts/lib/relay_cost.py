"""What a relay costs: milliseconds that it adds, to connect, and bytes of a guest's whole game.

Host, relay and guest are in one process and encrypted as they are to be, so what is measured is
the work of all of them together; the way between two homes comes on top.
"""

import asyncio
import time
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from netcode.client.connection import Connect, Connection
from netcode.client.connectors import connector
from netcode.client.reconnection import Connected, News, stay_connected
from netcode.client.session import Session
from netcode.joining.invitation import Invitation
from netcode.protocol.messages import AddBot, Lobby, Start, State, TableSettings, Welcome
from netcode.relaying.relay import Relay
from netcode.relaying.relay_line import RelayLine
from netcode.relaying.relay_link import RelayLink
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.table import Table
from netcode.transport.address import Address
from netcode.transport.certificate import load_identity
from netcode.transport.sockets import open_tcp
from scripts.lib.figures import Figure

LOOPBACK = "127.0.0.1"
SECRET = bytes(12)
CODE = "K7QF2MXR"


class _GameOverError(Exception):
    pass


def measure_relay(short: bool) -> list[Figure]:
    """Return the figures of a relay."""
    return asyncio.run(_measure(pings=25 if short else 100, connections=2 if short else 12))


async def _measure(pings: int, connections: int) -> list[Figure]:
    with TemporaryDirectory() as home, TemporaryDirectory() as elsewhere:
        host, other = load_identity(Path(home)), load_identity(Path(elsewhere))
    rng = Random(1)
    table = Table(rng, lambda: rng.randbytes(32), settings=TableSettings(pace_ms=0))
    registry = TableRegistry([TableEntry(1, SECRET, CODE, table)])
    server = Server(registry, rng=rng, certificate=host.certificate)
    await server.listen(await open_tcp(LOOPBACK, 0), host.context)
    relay = Relay(other, SECRET)
    await relay.listen(await open_tcp(LOOPBACK, 0))
    at_relay = Address(LOOPBACK, relay.port)
    line = RelayLine(RelayLink((at_relay,), other.pin, SECRET), host, CODE[:3], server.adopt)
    await line.open()
    direct = Invitation((Address(LOOPBACK, server.port),), host.pin, SECRET)
    relayed = replace(direct, addresses=(), relays=(at_relay,))
    ways = {"direct": connector(direct), "relayed": connector(relayed)}
    times = await _times(ways, connections, pings)
    before = relay.status()["bytes"]
    await _play(ways["relayed"])
    game_kb = (relay.status()["bytes"] - before) / 1024
    await line.close()
    await relay.close()
    await server.close()
    return [
        Figure("relay_added", times["relayed"][1] - times["direct"][1], "ms"),
        Figure("relay_connect", times["relayed"][0], "ms"),
        Figure("direct_connect", times["direct"][0], "ms"),
        Figure("relay_game", game_kb, "KB"),
    ]


async def _times(ways: dict[str, Connect], times: int, pings: int) -> dict[str, list[float]]:
    """Return the milliseconds to connect and there and back on each way, which take turns."""
    took: dict[str, tuple[list[float], list[float]]] = {way: ([], []) for way in ways}
    for _ in range(times):
        for way, connect in ways.items():
            began = time.perf_counter()
            channel = await connect()
            took[way][0].append(1000 * (time.perf_counter() - began))
            for _ in range(pings):
                began = time.perf_counter()
                await channel.ping()
                took[way][1].append(1000 * (time.perf_counter() - began))
            channel.abort()
    return {way: [median(each) for each in both] for way, both in took.items()}


async def _play(connect: Connect) -> None:
    """Play a game with three bots to its end."""
    session, rng = Session(secret=SECRET), Random(1)
    line: list[Connection] = []

    def take(news: News) -> None:
        if isinstance(news, Connected):
            line.append(news.connection)
        elif isinstance(news, Welcome):
            for _ in range(3):
                line[-1].say(AddBot(bot="random"))
            line[-1].say(Start())
        elif isinstance(news, State) and session.view is not None and session.view.legal:
            line[-1].say(session.act(rng.choice(session.view.legal)))
        elif isinstance(news, Lobby) and news.phase == "result":
            raise _GameOverError

    try:
        await stay_connected(connect, session, "Ada", take)
    except _GameOverError:
        return
