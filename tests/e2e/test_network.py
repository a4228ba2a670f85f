"""Whole games over real sockets: a server, and three to five clients, in one event loop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from random import Random

from engine.notation import format_position
from engine.record import replay
from netcode.client.connection import Connection
from netcode.client.connectors import Plain, connector
from netcode.limits import HOST_LIMITS, Limits
from netcode.protocol.messages import (
    Welcome,
)
from netcode.server.server import Server
from netcode.table.table import Table
from netcode.transport.address import Address
from netcode.transport.sockets import open_tcp
from tests.support.following import news_of
from tests.support.persons import Person
from tests.support.pretend import hello
from tests.support.rooms import server_of, table_of, way_to


@asynccontextmanager
async def opened(
    seed: int = 1, bind: str | None = "127.0.0.1", limits: Limits = HOST_LIMITS
) -> AsyncIterator[Server]:
    keys = count(1)
    table = Table(Random(seed), lambda: next(keys).to_bytes(32, "big"))
    async with server_of(table, rng=Random(seed), limits=limits) as server:
        await server.listen(await open_tcp(bind, 0))
        yield server


async def evening(server: Server, names: str, *, bots: int = 0, games: int = 1) -> list[Person]:
    """Seat persons one after the other and let them play; return them after the last result."""
    persons = [
        Person(way_to(server), name, len(names) + bots, bots=bots, games=games) for name in names
    ]
    async with asyncio.TaskGroup() as group:
        for person in persons:
            group.create_task(person.play())
            await person.seated.wait()
    return persons


def assert_all_saw_the_end(server: Server, persons: list[Person]) -> None:
    """Assert that all agree with the record, which keeps the rules from the deal to the end."""
    record = table_of(server).record()
    assert record is not None
    *_, last = replay(record)
    assert last.after.over
    end = format_position(last.after)
    for person in persons:
        assert person.states[-1].view == end
        assert len(person.session.events) == len(persons[0].session.events)


async def test_persons_and_bots_play_two_games_in_a_row() -> None:
    async with opened() as server:
        persons = await evening(server, "ab", bots=2, games=2)
        assert_all_saw_the_end(server, persons)
        assert persons[0].session.lobby is not None
        assert [seat.bot for seat in persons[0].session.lobby.seats] == [
            None,
            "random",
            "random",
            None,
        ]


async def test_a_table_is_open_to_ipv4_and_ipv6() -> None:
    async with opened(bind=None) as server:
        for host in ("127.0.0.1", "::1", "localhost"):
            connection = Connection(await connector(Plain(Address(host, server.port)))())
            connection.say(hello(f"from {host}"))
            async for message in news_of(connection.listen):
                assert isinstance(message, Welcome)
                break
            await connection.channel.close()
