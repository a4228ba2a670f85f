"""The shells around sockets, where things go wrong: bad peers, bad bots, bad addresses."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import aclosing, asynccontextmanager
from functools import update_wrapper
from itertools import count
from random import Random
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, InvalidStatus

from engine.actions import ACTIONS, Action
from engine.bots import Bot, make_bot
from engine.record import replay
from engine.view import View
from netcode import client, server
from netcode.address import Address
from netcode.client import Connected, ConnectError, Connection, Lost, stay_connected
from netcode.codec import FROM_CLIENT, decode_host, encode
from netcode.messages import (
    AddBot,
    ClientMessage,
    Goodbye,
    HostMessage,
    Leave,
    Lobby,
    Refused,
    SetReady,
    Start,
    State,
    TableSettings,
    Welcome,
)
from netcode.server import Server, ServerError
from netcode.session import ProtocolError, Session
from netcode.table import Table
from tests.netcode.pretend import OWNER_KEY, hello


def runs(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Turn an asynchronous test into one that pytest can run."""

    def run(**fixtures: Any) -> None:
        asyncio.run(test(**fixtures))

    # pytest finds out from it which fixtures the test wants.
    return update_wrapper(run, test)


def new_table(**options: Any) -> Table:
    keys = count(1)
    return Table(Random(1), lambda: next(keys).to_bytes(32, "big"), **options)


@asynccontextmanager
async def opened(**options: Any) -> AsyncIterator[Server]:
    async with Server(new_table(**options), Random(1)) as opened:
        await opened.start("127.0.0.1", 0)
        yield opened


def here(server: Server) -> Address:
    return Address("127.0.0.1", server.port)


@asynccontextmanager
async def raw(server: Server) -> AsyncIterator[ClientConnection]:
    """Connect without any of our own client's manners."""
    async with connect(f"ws://127.0.0.1:{server.port}", compression=None) as socket:
        yield socket


async def hear(socket: ClientConnection) -> HostMessage:
    return decode_host(await socket.recv())


async def say(connection: Connection | None, message: ClientMessage) -> None:
    assert connection is not None
    await connection.send(message)


async def tell(socket: ClientConnection, message: ClientMessage) -> None:
    await socket.send(encode(message))


# Opening


@runs
async def test_a_port_that_is_in_use_is_said_to_be() -> None:
    async with opened() as one:
        with pytest.raises(ServerError, match=f"Port {one.port} is in use"):
            await Server(new_table()).start("127.0.0.1", one.port)
        with pytest.raises(ServerError, match=f"Port {one.port} is in use"):
            await Server(new_table()).start(None, one.port)


@pytest.mark.parametrize("bind", ["192.0.2.77", "nowhere.invalid"])
def test_an_address_of_another_machine_is_said_to_be(bind: str) -> None:
    with pytest.raises(ServerError, match=f"This machine has no address {bind}"):
        asyncio.run(Server(new_table()).start(bind, 0))


@runs
async def test_without_ipv6_the_table_is_open_to_ipv4(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: False)
    async with Server(new_table()) as server:
        await server.start(None, 0)
        assert [address.host for address in server.addresses] == ["0.0.0.0"]


@runs
async def test_closing_says_goodbye_and_frees_the_port() -> None:
    async with opened() as server:
        port = server.port
        async with raw(server) as guest, raw(server) as silent:
            await tell(guest, hello())
            assert isinstance(await hear(guest), Welcome)
            assert isinstance(await hear(guest), Lobby)
            await server.close()
            assert await hear(guest) == Goodbye(code="host_quit")
            with pytest.raises(ConnectionClosed):
                await hear(silent)
    async with Server(new_table()) as again:
        await again.start("127.0.0.1", port)


# Peers


@runs
async def test_a_web_page_cannot_connect() -> None:
    async with opened() as server:
        with pytest.raises(InvalidStatus):
            await connect(f"ws://127.0.0.1:{server.port}", origin="http://evil.example")  # type: ignore[arg-type]


@runs
async def test_a_frame_that_is_too_long_is_refused_and_one_much_too_long_ends_it() -> None:
    async with opened() as server, raw(server) as peer:
        await peer.send(bytes(FROM_CLIENT.frame + 1))
        assert await hear(peer) == Refused(code="too_long")
        await peer.send(bytes(server_limit() + 1))
        with pytest.raises(ConnectionClosed):
            await hear(peer)


def server_limit() -> int:
    return server.LONGEST_FRAME


@runs
async def test_who_says_no_hello_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "HELLO_TIMEOUT_S", 0.0)
    async with opened() as open_server, raw(open_server) as peer:
        assert await hear(peer) == Goodbye(code="hello_overdue")
        with pytest.raises(ConnectionClosed):
            await hear(peer)


@runs
async def test_a_peer_with_too_much_to_read_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "OUTBOX_MESSAGES", 1)
    async with opened() as open_server, raw(open_server) as peer:
        # The welcome and the lobby that follows are one too many.
        await tell(peer, hello())
        with pytest.raises(ConnectionClosed):
            await hear(peer)


@runs
async def test_a_peer_that_takes_nothing_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    async def blocked(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(server, "SEND_TIMEOUT_S", 0.0)
    monkeypatch.setattr(ServerConnection, "send", blocked)
    async with opened() as open_server, raw(open_server) as peer:
        await tell(peer, hello())
        with pytest.raises(ConnectionClosed):
            await hear(peer)


@runs
async def test_who_leaves_gets_everything_up_to_the_goodbye() -> None:
    async with opened() as server, raw(server) as peer:
        await tell(peer, hello())
        await tell(peer, Leave())
        kinds = [type(await hear(peer)) for _ in range(3)]
        assert kinds == [Welcome, Lobby, Goodbye]
        with pytest.raises(ConnectionClosed):
            await hear(peer)


@runs
async def test_nothing_secret_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with opened() as server, raw(server) as peer:
        await tell(peer, hello("Somebody", key=None))
        welcome = await hear(peer)
        assert isinstance(welcome, Welcome)
        await tell(peer, AddBot(bot="random"))
        await tell(peer, AddBot(bot="random"))
        await tell(peer, Start())
        while not isinstance(await hear(peer), State):
            pass
    ours = [each.getMessage() for each in caplog.records if each.name.startswith("netcode")]
    assert ours
    assert not [line for line in ours if "Somebody" in line or "\\x00" in line or "???" in line]


# Bots


class Broken(Bot):
    """Raises, having spoiled its view."""

    name = "random"

    def choose(self, view: View) -> Action:
        view.hands = []
        raise RuntimeError("broken")


class Cheater(Bot):
    """Answers something that is not legal."""

    name = "random"

    def choose(self, view: View) -> Action:
        return next(action for action in ACTIONS.values() if action not in view.legal)


async def unattended_game() -> Server:
    """Let three bots play; return the server after the result."""
    settings = TableSettings(pace_ms=0)
    async with opened(owner_key=OWNER_KEY, unattended=True, settings=settings) as server:
        connection = await Connection.connect(here(server))
        await connection.send(hello("owner", spectator=True, key=OWNER_KEY))
        for _ in range(3):
            await connection.send(AddBot(bot="random"))
        await connection.send(Start())
        async for message in connection:
            if isinstance(message, Lobby) and message.phase == "result":
                break
        await connection.close()
    return server


@pytest.mark.parametrize("also_steady", [False, True])
@pytest.mark.parametrize("bot", [Broken, Cheater])
def test_bots_that_fail_are_replaced(
    bot: type[Bot],
    also_steady: bool,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def make(name: str, rng: Random) -> Bot:
        return bot(rng) if also_steady or name == "random" else make_bot(name, rng)

    monkeypatch.setattr(server, "make_bot", make)
    record = asyncio.run(unattended_game()).table.record()
    assert record is not None
    *_, last = replay(record)
    assert last.after.over
    assert "the bot random" in caplog.text


def test_bots_of_equal_seeds_play_equal_games() -> None:
    one, other = (asyncio.run(unattended_game()).table.record() for _ in range(2))
    assert one is not None
    assert one == other


# Connecting


@runs
async def test_nobody_there_is_said_plainly() -> None:
    async with opened() as server:
        address = here(server)
    with pytest.raises(ConnectError, match=f"No table is open at 127.0.0.1:{address.port}"):
        await Connection.connect(address)
    with pytest.raises(ConnectError, match=r"There is no machine called nowhere\.invalid"):
        await Connection.connect(Address("nowhere.invalid"))
    with pytest.raises(ConnectError):
        async with aclosing(stay_connected(address, Session(), "a")) as messages:
            await anext(messages)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"SSH-2.0-OpenSSH_9\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        b"HTTP/1.1 302 Found\r\nLocation: http://elsewhere.example/\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: ws://elsewhere.example/\r\n\r\n",
        b"\xff" * 20_000,
    ],
    ids=["nothing", "ssh", "web", "redirect", "elsewhere", "noise"],
)
@runs
async def test_what_is_no_table_is_said_to_be_none(answer: bytes) -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(speak, "127.0.0.1", 0) as stranger:
        port = stranger.sockets[0].getsockname()[1]
        with pytest.raises(ConnectError, match="it is no table of Driflamme"):
            await Connection.connect(Address("127.0.0.1", port))


@runs
async def test_silence_is_not_waited_for_without_end() -> None:
    ended = asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()
        ended.set()

    async with await asyncio.start_server(say_nothing, "127.0.0.1", 0) as stranger:
        port = stranger.sockets[0].getsockname()[1]
        with pytest.raises(ConnectError, match="does not answer"):
            await Connection.connect(Address("127.0.0.1", port), timeout=0.2)
        await ended.wait()


@runs
async def test_other_troubles_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unreachable(*_: object, **__: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(asyncio.get_running_loop(), "create_connection", unreachable)
    with pytest.raises(ConnectError, match=r"x cannot be reached: Network is unreachable\."):
        await Connection.connect(Address("x"))


@runs
async def test_a_host_that_makes_no_sense_is_a_protocol_error() -> None:
    async def babble(socket: ServerConnection) -> None:
        await socket.send(b"\xc1")
        await socket.wait_closed()

    async with serve(babble, "127.0.0.1", 0) as stranger:
        port = stranger.sockets[0].getsockname()[1]
        with pytest.raises(ProtocolError):
            async for _ in stay_connected(Address("127.0.0.1", port), Session(), "a"):
                pass


# Staying connected


@runs
async def test_a_goodbye_ends_it() -> None:
    async with opened() as server:
        session = Session()
        connection = None
        kinds = []
        async for message in stay_connected(here(server), session, "a"):
            kinds.append(type(message))
            if isinstance(message, Connected):
                connection = message.connection
            elif isinstance(message, Lobby):
                await say(connection, Leave())
        assert kinds == [Connected, Welcome, Lobby, Goodbye]
        await say(connection, Leave())


@runs
async def test_a_table_that_opens_again_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits ever longer while nobody is there, and then joins anew: the old seat is gone."""
    monkeypatch.setattr(client, "FIRST_WAIT_S", 1e-9)
    monkeypatch.setattr(client, "LONGEST_WAIT_S", 4e-9)
    first = Server(new_table(), Random(1))
    await first.start("127.0.0.1", 0)
    address = here(first)
    again = Server(new_table(), Random(2))
    waits: list[float] = []
    session = Session()
    async with aclosing(stay_connected(address, session, "a", rng=Random(3))) as messages:
        async for message in messages:
            if isinstance(message, Lobby) and not waits:
                peer = next(iter(first._peers.values()))
                peer.cut()
                for listener in first._listening:
                    listener.close()
            elif isinstance(message, Lost):
                waits.append(message.wait_s)
                assert message.attempt == len(waits)
                if len(waits) == 6:
                    await again.start("127.0.0.1", address.port)
            elif isinstance(message, Lobby):
                break
    assert session.family == "r"
    assert session.lobby is not None
    assert [seat.name for seat in session.lobby.seats] == ["a"]
    assert waits[0] <= 1e-9
    assert max(waits) <= 4e-9
    assert waits[4] > waits[0]
    await first.close()
    await again.close()


@runs
async def test_a_refusal_at_the_door_leaves_the_connection_to_try_again() -> None:
    async with opened() as server:
        taken = await Connection.connect(here(server))
        await taken.send(hello("anna"))
        session, connection = Session(), None
        async with aclosing(stay_connected(here(server), session, "anna")) as messages:
            async for message in messages:
                if isinstance(message, Connected):
                    connection = message.connection
                elif isinstance(message, Refused):
                    assert message.code == "name_taken"
                    await say(connection, session.hello("bert"))
                elif isinstance(message, Lobby):
                    break
        assert session.name == "bert"
        assert session.family == "b"
        await taken.close()


@runs
async def test_of_lobbies_that_wait_only_the_last_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "OUTBOX_MESSAGES", 3)
    async with opened() as open_server, raw(open_server) as peer, raw(open_server) as flood:
        await tell(peer, hello("slow"))
        assert [type(await hear(peer)) for _ in range(2)] == [Welcome, Lobby]
        await tell(flood, hello("loud"))
        for ready in (True, False) * 25:
            await tell(flood, SetReady(ready=ready))
        await tell(flood, Leave())
        while True:
            heard = await hear(peer)
            assert isinstance(heard, Lobby)
            if len(heard.seats) == 1:
                break


@runs
async def test_connections_have_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MAXIMUM_FROM_ONE_ADDRESS", 2)
    async with opened() as open_server, raw(open_server) as first, raw(open_server) as second:
        await tell(first, hello("first"))
        assert isinstance(await hear(first), Welcome)
        await tell(second, hello("second"))
        assert isinstance(await hear(second), Welcome)
        async with raw(open_server) as third:
            with pytest.raises(ConnectionClosed):
                await hear(third)
        await tell(first, SetReady(ready=True))
        assert isinstance(await hear(second), Lobby)
