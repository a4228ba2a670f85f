"""Whole games over real sockets: a server, and three to five clients, in one event loop."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

import msgpack
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from engine.notation import format_position
from engine.record import replay
from netcode.client import reconnection
from netcode.client.connection import Connect, Connection
from netcode.client.connectors import Plain, connector
from netcode.client.reconnection import Connected, Lost
from netcode.client.sealed_news import Told
from netcode.client.session import Session
from netcode.joining.invitation import parse_invitation
from netcode.limits import HOST_LIMITS, Limits
from netcode.protocol.codec import decode_host, encode
from netcode.protocol.messages import (
    Act,
    AddBot,
    ChangeSettings,
    HostMessage,
    Lobby,
    Refused,
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
from tests.support.rooms import UNPACED, connected, here, server_of, table_of, way_to

Mischief = Callable[["Person"], Awaitable[None]]


async def no_mischief(person: "Person") -> None:
    """Be good."""


@dataclass
class Person:
    """Somebody at a table, who plays by chance from what their own view says is legal."""

    way: Connect
    name: str
    players: int
    """How many seats the host waits for."""
    mischief: Mischief = no_mischief
    """What else they do, each time before they act."""
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
            assert_keeps_secrets(message)
            if session.view is not None and session.view.legal and session.pending is None:
                await self.mischief(self)
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


async def evening(
    server: Server, names: str, *, bots: int = 0, games: int = 1, **mischief: Mischief
) -> list[Person]:
    """Seat persons one after the other and let them play; return them after the last result."""
    persons = [
        Person(
            way_to(server),
            name,
            len(names) + bots,
            mischief=mischief.get(name, no_mischief),
            bots=bots,
            games=games,
        )
        for name in names
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


@pytest.mark.parametrize("names", ["abc", "abcd", "abcde"])
async def test_persons_play_a_whole_game(names: str) -> None:
    async with opened() as server:
        assert_all_saw_the_end(server, await evening(server, names))


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


async def test_lost_connections_come_back_and_the_game_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reconnection, "FIRST_WAIT_S", 0.0)

    async def lose(person: Person) -> None:
        """Lose the connection now and then, just before or just after acting."""
        assert person.connection is not None
        match person.rng.randrange(6):
            case 0:
                person.connection.channel.abort()
            case 1:
                asyncio.get_running_loop().call_soon(person.connection.channel.abort)

    async with opened() as server:
        persons = await evening(server, "abcd", a=lose, b=lose, c=lose)
        assert_all_saw_the_end(server, persons)
        assert all(person.losses for person in persons[:3])
        assert not persons[3].losses


# Somebody who cheats


async def overreach(person: Person) -> None:
    """Send what may not be done, from a seat, before the act that may."""
    assert person.connection is not None
    revision = person.session.revision
    for message in (
        Act(number=5000, revision=revision, action="30>29"),
        Act(number=5000, revision=revision, action="cheat"),
        Act(number=5000, revision=revision + 1, action="!"),
        Act(number=5000, revision=0, action="!"),
        SetReady(ready=True),
        Start(),
        AddBot(bot="random"),
        ChangeSettings(settings=TableSettings(pace_ms=5000)),
    ):
        await person.send(message)


async def knock(address: Address, frames: Sequence[bytes | str]) -> list[HostMessage]:
    """Send frames on a connection of one's own; return what comes back until it ends."""
    answers: list[HostMessage] = []
    async with connect(f"ws://{address.host}:{address.port}", compression=None) as socket:
        try:
            for frame in frames:
                await socket.send(frame)
            while True:
                answers.append(decode_host(await socket.recv()))
        except ConnectionClosed:
            return answers


def packed(data: object) -> bytes:
    frame: bytes = msgpack.packb(data)
    return frame


NONSENSE: list[bytes | str] = [
    b"",
    b"\xc1",
    b"\x91" * 500,
    b"\xdd\xff\xff\xff\xff",
    b"\x81" * 400,
    b"x" * 2000,
    "a text",
    packed({"type": "state", "revision": 0}),
    packed({"type": "act", "number": True, "revision": 1.0, "action": "S>"}),
]


def test_a_cheat_changes_nothing_and_learns_nothing() -> None:
    """Two evenings, equal but for what somebody at the table and strangers try at one of them."""

    async def run(cheating: bool) -> tuple[list[list[State]], list[str]]:
        learned: list[str] = []

        async def mischief(person: Person) -> None:
            await overreach(person)
            if len(person.states) % 7:
                return
            stranger = hello("thief", key=bytes([len(person.states)]) * 32)
            attempts: tuple[Sequence[bytes | str], ...] = (
                NONSENSE,
                [encode(stranger)] + 9 * [encode(Act(number=1, revision=1, action="!"))],
                9 * [encode(hello("thief"))],
                [packed({"type": "hello", "protocol": 9, "future": "fields"})],
            )
            for frames in attempts:
                learned.extend(type(each).__name__ for each in await knock(here(server), frames))

        # However much somebody says, nobody is to wait for it.
        limits = Limits(connections=20, from_one_address=20, **UNPACED)
        async with opened(limits=limits) as server:
            if cheating:
                persons = await evening(server, "abcd", d=mischief)
            else:
                persons = await evening(server, "abcd")
            assert_all_saw_the_end(server, persons)
            assert not any(person.losses for person in persons)
            return [person.states for person in persons], learned

    honest, nothing = asyncio.run(run(cheating=False))
    cheated, learned = asyncio.run(run(cheating=True))
    assert nothing == []
    assert set(learned) == {"Refused", "Goodbye"}
    assert cheated == honest


def test_frames_of_somebody_else_are_worth_nothing_on_ones_own_connection() -> None:
    async def run() -> None:
        async with opened() as server:
            connections = [await connected(server) for _ in range(3)]
            sessions = [Session() for _ in connections]
            streams = [news_of(connection.listen) for connection in connections]

            async def hear(seat: int, kind: type[HostMessage]) -> HostMessage:
                while True:
                    message = await anext(streams[seat])
                    sessions[seat].receive(message)
                    if isinstance(message, kind):
                        return message

            for seat, (session, connection) in enumerate(zip(sessions, connections, strict=True)):
                connection.say(session.hello("abc"[seat]))
                await hear(seat, Lobby)
                if seat:
                    connection.say(SetReady(ready=True))
                else:
                    settings = TableSettings(first="r")
                    connection.say(ChangeSettings(settings=settings))
            while sessions[0].lobby is None or sessions[0].lobby.missing is not None:
                await hear(0, Lobby)
            connections[0].say(Start())
            for seat in range(3):
                await hear(seat, State)
            view = sessions[0].view
            assert view is not None
            stolen = sessions[0].act(view.legal[0])
            connections[1].say(stolen)
            answer = await hear(1, Refused)
            assert isinstance(answer, Refused)
            assert (answer.code, answer.number) == ("not_your_turn", 1)
            connections[0].say(stolen)
            state = await hear(1, State)
            assert isinstance(state, State)
            assert state.revision == 2
            for connection in connections:
                await connection.channel.close()

    asyncio.run(run())
