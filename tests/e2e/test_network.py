"""Whole games over real sockets: a server, and three to five clients, in one event loop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

from engine.notation import format_position
from engine.record import replay
from netcode.client.connection import Connect, Connection
from netcode.client.connectors import Plain, connector
from netcode.client.reconnection import Connected, Lost
from netcode.client.sealed_news import Told
from netcode.client.session import Session
from netcode.joining.invitation import parse_invitation
from netcode.limits import HOST_LIMITS, Limits
from netcode.protocol.messages import (
    Act,
    AddBot,
    ChangeSettings,
    Lobby,
    SetReady,
    Start,
    State,
    TableSettings,
    Welcome,
)
from netcode.server.server import Server
from netcode.table.table import Table
from netcode.transport.address import Address
from netcode.transport.sockets import open_tcp
from tests.support.following import followed, news_of
from tests.support.pretend import assert_keeps_secrets, hello
from tests.support.rooms import server_of, table_of, way_to


@dataclass
class Person:
    """Somebody at a table, who plays by chance from what their own view says is legal."""

    way: Connect
    name: str
    players: int
    """How many seats the host waits for."""
    bots: int = 0
    games: int = 1
    session: Session = field(default_factory=Session)
    states: list[State] = field(default_factory=list)
    losses: int = 0
    seated: asyncio.Event = field(default_factory=asyncio.Event)
    connection: Connection | None = None

    def __post_init__(self) -> None:
        self.rng = Random(self.name)
        self._starting = False
        self._seen_over: int | None = None
        """The revision of the last game's end."""

    async def play(self) -> None:
        """Play to the result of the last game."""
        async with aclosing(followed(self.way, self.session, self.name)) as messages:
            async for message in messages:
                if isinstance(message, Connected):
                    self.connection = message.connection
                elif isinstance(message, Lost):
                    self.losses += 1
                else:
                    await self._answer(message)
                if self._is_over():
                    self.games -= 1
                    if not self.games:
                        return
                    self._seen_over = self.session.revision
                    await self.send(SetReady(ready=True))

    async def send(self, message: Act | SetReady | Start | AddBot | ChangeSettings) -> None:
        assert self.connection is not None
        self.connection.say(message)

    def _is_over(self) -> bool:
        session = self.session
        return (
            session.lobby is not None
            and session.lobby.phase == "result"
            and session.view is not None
            and session.view.over
            and session.revision != self._seen_over
            and bool(self.states)
            # The session is ahead of what has been dealt with.
            and self.states[-1].revision == session.revision
        )

    async def _answer(self, message: Told) -> None:
        session = self.session
        if isinstance(message, Welcome) and not self.seated.is_set():
            self.seated.set()
            await self.send(SetReady(ready=True))
            if session.is_host:
                await self.send(ChangeSettings(settings=TableSettings(first="r", pace_ms=0)))
                for _ in range(self.bots):
                    await self.send(AddBot(bot="random"))
        elif isinstance(message, Lobby):
            ready = message.missing is None and len(message.seats) == self.players
            if message.phase == "lobby" and message.host and ready and not self._starting:
                self._starting = True
                await self.send(Start())
        elif isinstance(message, State):
            self.states.append(message)
            assert session.view is not None
            assert_keeps_secrets(message, session.view)
            if session.view.legal and session.pending is None:
                await self.send(session.act(self.rng.choice(session.view.legal)))


@asynccontextmanager
async def opened(
    seed: int = 1, bind: str | None = "127.0.0.1", limits: Limits = HOST_LIMITS
) -> AsyncIterator[Server]:
    keys = count(1)
    table = Table(Random(seed), lambda: next(keys).to_bytes(32, "big"))
    async with server_of(table, rng=Random(seed), limits=limits) as server:
        await server.listen(await open_tcp(bind, 0))
        yield server


def invited(link: str, name: str, **options: Any) -> "Person":
    """Return somebody who comes by an invitation."""
    invitation = parse_invitation(link)
    session = Session(secret=invitation.secret)
    return Person(connector(invitation), name, session=session, **options)


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
