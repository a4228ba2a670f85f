"""Tests reconnecting, on a clock that moves only when no task has anything left to do."""

import asyncio
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest

from engine.actions import ACTIONS
from netcode.client.connection import HEARTBEAT_S, HEARTBEAT_TIMEOUT_S, ConnectError, Connection
from netcode.client.interpreter import Interpreter, PassThrough
from netcode.client.reconnection import (
    FIRST_WAIT_S,
    LONGEST_WAIT_S,
    Connected,
    ConnectionLost,
    News,
)
from netcode.client.session import Session
from netcode.protocol import codec
from netcode.protocol.codec import decode_client, encode
from netcode.protocol.fields import BeforeTable, ForInterpreter, Message
from netcode.protocol.messages import (
    Admitted,
    Goodbye,
    Hello,
    Lobby,
    Refused,
    State,
    Talk,
    Welcome,
)
from netcode.protocol.refusal_sentences import RETURNING
from netcode.transport.channel import Channel, ChannelClosedError, memory_channel
from tests.netcode.client.test_session import lobby, state, talk, welcome
from tests.netcode.simulation.clockwork import Clockwork, Process, in_no_time
from tests.support.following import followed

TALK = talk(0, "hm")


def now() -> float:
    return asyncio.get_running_loop().time()


class LazyWire:
    """The client's end of a connection that answers pings late or never."""

    peer = local = ""
    ports = 0, 0
    certificate = b""

    def __init__(self, channel: Channel, host: "Host") -> None:
        self._host = host
        self._channel = channel
        self._aborted = asyncio.Event()

    def send(self, frame: bytes) -> None:
        self._channel.send(frame)

    async def receive(self) -> bytes | str:
        return await self._channel.receive()

    async def ping(self) -> float:
        round_trip_s = self._host.round_trip_s
        if round_trip_s is None:
            await self._aborted.wait()
            raise ChannelClosedError
        await asyncio.sleep(round_trip_s)
        return round_trip_s

    async def close(self, code: int = 1000) -> None:
        await self._channel.close(code)

    def abort(self) -> None:
        self._aborted.set()
        self._channel.abort()


class Host:
    """A host that answers or refuses connections as the test decides."""

    def __init__(self, round_trip_s: float | None = 0.01) -> None:
        self.round_trip_s = round_trip_s
        """Seconds until a ping is answered; None for never."""
        self.channels: list[Channel] = []
        self.closed = False

    async def connect(self) -> Channel:
        if self.closed:
            raise ConnectError("No table is open there.")
        near, far = memory_channel()
        self.channels.append(far)
        return LazyWire(near, self)

    def send(self, *messages: Message) -> None:
        for message in messages:
            self.channels[-1].send(encode(message))

    async def receive(self) -> Message:
        return decode_client(await self.channels[-1].receive())


class Client:
    """A player's program, and everything that it shows."""

    def __init__(
        self,
        host: Host,
        seed: int = 1,
        interpreter: Interpreter | None = None,
        *,
        waits: bool = False,
    ) -> None:
        self.session = Session()
        self.connection: Connection | None = None
        self.news = followed(
            host.connect,
            self.session,
            "anna",
            rng=Random(seed),
            interpreter=interpreter,
            waits=waits,
        )

    async def next(self) -> News:
        news = await anext(self.news)
        if isinstance(news, Connected):
            self.connection = news.connection
        return news

    async def until(self, kind: type[News]) -> Any:
        while True:
            news = await self.next()
            if isinstance(news, kind):
                return news


async def welcomed(host: Host, *, waits: bool = False) -> Client:
    client = Client(host, waits=waits)
    await client.until(Connected)
    host.send(welcome(), lobby(phase="playing"))
    await client.until(Lobby)
    return client


class Forwarded(ForInterpreter, frozen=True):
    """A message that only an interpreter can read."""


def test_a_message_for_an_interpreter_is_not_delivered_without_one() -> None:
    delivered = list[Message]()
    plain = PassThrough()
    plain._deliver = delivered.append
    plain.receive(Forwarded())
    plain.receive(TALK)
    assert delivered == [TALK]


class Choice(BeforeTable, frozen=True):
    """A message that asks the player to choose a table."""


@in_no_time
async def test_whoever_is_admitted_to_a_table_greets_it_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = (*codec.messages_from_host(), Choice)
    monkeypatch.setattr(codec, "messages_from_host", lambda: known)
    host = Host()
    client = Client(host)
    await client.until(Connected)
    first = await host.receive()
    secret = b"of the table"
    host.send(Choice(), Admitted(secret=secret))
    await client.until(Admitted)
    again = await host.receive()
    assert isinstance(first, Hello)
    assert isinstance(again, Hello)
    assert (first.secret, again.secret, again.name) == (None, secret, "anna")


@in_no_time
async def test_a_dead_line_shows_within_six_seconds() -> None:
    host = Host(round_trip_s=None)
    client = await welcomed(host)
    begun = now()
    await client.until(ConnectionLost)
    assert now() - begun == HEARTBEAT_S + HEARTBEAT_TIMEOUT_S == 6.0
    await client.news.aclose()


@in_no_time
async def test_whatever_is_heard_is_a_sign_of_life() -> None:
    host = Host(round_trip_s=None)
    client = await welcomed(host)

    async def talk() -> None:
        for _ in range(20):
            await asyncio.sleep(5.0)
            host.send(TALK)

    talking = asyncio.create_task(talk())
    for _ in range(20):
        assert isinstance(await client.next(), Talk)
    await client.until(ConnectionLost)
    assert now() == pytest.approx(100 + 6)
    await talking
    await client.news.aclose()


@in_no_time
async def test_a_host_that_is_only_far_away_is_not_lost() -> None:
    host = Host(round_trip_s=HEARTBEAT_TIMEOUT_S - 0.1)
    client = await welcomed(host)
    assert client.connection is not None
    assert client.connection.latency is None
    asyncio.get_running_loop().call_later(3600, host.send, TALK)
    assert isinstance(await client.next(), Talk)
    assert client.connection.latency == pytest.approx(3.9)
    await client.news.aclose()


@pytest.mark.parametrize(("is_there", "expected"), [(True, Talk), (False, ConnectionLost)])
def test_a_program_that_was_stopped_asks_once_more(is_there: bool, expected: type) -> None:
    """Late timers do not prove that the host is gone."""
    loop = Clockwork(Random(1))
    laptop = Process("laptop", loop, epoch=5.0)
    host = Host(round_trip_s=None)
    seen: list[tuple[type, float]] = []

    async def stay() -> None:
        client = await welcomed(host)
        seen.append((type(await client.next()), loop.now))
        await client.news.aclose()

    def be_there() -> None:
        host.round_trip_s = 0.01
        loop.later(605.0, host.send, TALK)

    laptop.start(stay)
    # The laptop sleeps for an hour with a ping on its way, which is never answered.
    loop.later(HEARTBEAT_S + 1.0, laptop.stop)
    if is_there:
        loop.later(3000.0, be_there)
    loop.later(3600.0, laptop.go_on)
    loop.later(3700.0, loop.stop)
    loop.run_forever()
    loop.close()
    ((kind, at),) = seen
    assert kind is expected
    assert at == pytest.approx(3605.0 if is_there else 3600.0 + HEARTBEAT_TIMEOUT_S)


@in_no_time
async def test_waits_grow_until_there_is_a_welcome() -> None:
    host = Host()
    client = await welcomed(host)
    waits = []
    host.closed = True
    host.channels[-1].abort()
    for attempt in range(1, 9):
        lost = await client.until(ConnectionLost)
        assert lost.attempt == attempt
        waits.append(lost.wait_s)
    for attempt, wait in enumerate(waits):
        longest = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2**attempt)
        assert longest / 2 <= wait <= longest
    host.closed = False
    await client.until(Connected)
    host.send(welcome())
    await client.until(Welcome)
    host.channels[-1].abort()
    lost = await client.until(ConnectionLost)
    assert (lost.attempt, lost.wait_s <= FIRST_WAIT_S) == (1, True)
    await client.news.aclose()


@in_no_time
async def test_two_clients_do_not_come_back_at_the_same_moment() -> None:
    waits = set()
    for seed in (1, 2):
        host = Host()
        client = Client(host, seed=seed)
        await client.until(Connected)
        host.channels[-1].abort()
        waits.add((await client.until(ConnectionLost)).wait_s)
        await client.news.aclose()
    assert len(waits) == 2


@in_no_time
async def test_an_act_without_an_answer_is_sent_again_once_one_is_welcome() -> None:
    host = Host()
    client = await welcomed(host)
    host.send(state())
    await client.until(State)
    act = client.session.act(ACTIONS["S>"])
    host.channels[-1].abort()
    await client.until(Connected)
    assert isinstance(await host.receive(), Hello)
    host.send(welcome())
    await client.until(Welcome)
    assert await host.receive() == act
    await client.news.aclose()


@in_no_time
@pytest.mark.parametrize("code", [*sorted(RETURNING), "host_quit", "removed", "replaced"])
@pytest.mark.parametrize("waits", [True, False])
async def test_a_client_waits_only_for_a_table_that_was_closed_for_now(
    code: str, waits: bool
) -> None:
    host = Host()
    client = await welcomed(host, waits=waits)
    goodbye = Goodbye(code=code)
    host.send(goodbye)
    await host.channels[-1].close()
    host.closed = True
    news = [each async for each in _some(client, 3)]
    if not (waits and code in RETURNING):
        assert news == [goodbye]
        assert client.session.goodbye == goodbye
        return
    assert [(each.attempt, each.closed) for each in news if isinstance(each, ConnectionLost)] == [
        (number, goodbye) for number in (1, 2, 3)
    ]
    host.closed = False
    await client.until(Connected)
    assert isinstance(await host.receive(), Hello)
    host.send(welcome())
    await client.until(Welcome)
    host.channels[-1].abort()
    assert (await client.until(ConnectionLost)).closed is None
    await client.news.aclose()


async def _some(client: Client, most: int) -> AsyncIterator[News]:
    """Yield at most this many news, fewer if the client ends."""
    for _ in range(most):
        try:
            yield await client.next()
        except StopAsyncIteration:
            return


@in_no_time
async def test_a_returning_client_tries_again_if_too_many_have_come() -> None:
    host = Host()
    client = await welcomed(host)
    host.channels[-1].abort()
    await client.until(Connected)
    assert isinstance(await host.receive(), Hello)
    host.send(Refused(code="too_many_came", values={"seconds": 4}))
    assert (await client.until(ConnectionLost)).attempt == 2
    await client.until(Connected)
    host.send(welcome())
    await client.until(Welcome)
    await client.news.aclose()
