"""Ways to a table and staying there, over real sockets, where things go wrong."""

import asyncio
from contextlib import aclosing

import pytest
from websockets.asyncio.server import ServerConnection, serve

from netcode.client.connection import Connect, ConnectError
from netcode.client.connectors import Plain, connector
from netcode.client.reconnection import Connected
from netcode.client.session import ProtocolError, Session
from netcode.protocol.messages import Lobby, Refused
from netcode.transport.address import Address
from tests.support.following import followed
from tests.support.pretend import hello
from tests.support.programs import nobody_at
from tests.support.rooms import (
    connected,
    opened,
    runs,
    say,
    way_to,
)


def way(host: str, port: int, timeout: float = 10.0) -> Connect:
    return connector(Plain(Address(host, port)), timeout=timeout)


@runs
async def test_nobody_there_is_said_plainly() -> None:
    with nobody_at() as port:
        nowhere = way("127.0.0.1", port)
        with pytest.raises(ConnectError, match=f"No table is open at 127.0.0.1:{port}"):
            await nowhere()
        with pytest.raises(ConnectError):
            async with aclosing(followed(nowhere, Session(), "a")) as messages:
                await anext(messages)
    with pytest.raises(ConnectError, match=r"There is no machine called nowhere\.invalid"):
        await way("nowhere.invalid", 1)()


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
        with pytest.raises(ConnectError, match=r"not (?:a|as an unencrypted) Driflamme table"):
            await way("127.0.0.1", port)()


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
            await way("127.0.0.1", port, timeout=0.2)()
        await ended.wait()


@runs
async def test_other_troubles_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unreachable(*_: object, **__: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(asyncio.get_running_loop(), "create_connection", unreachable)
    with pytest.raises(ConnectError, match="localhost cannot be reached from here"):
        await way("localhost", 11214)()


@runs
async def test_a_host_that_makes_no_sense_is_a_protocol_error() -> None:
    async def babble(socket: ServerConnection) -> None:
        await socket.send(b"\xc1")
        await socket.wait_closed()

    async with serve(babble, "127.0.0.1", 0) as stranger:
        port = stranger.sockets[0].getsockname()[1]
        with pytest.raises(ProtocolError):
            async for _ in followed(way("127.0.0.1", port), Session(), "a"):
                pass


@runs
async def test_a_refusal_at_the_door_leaves_the_connection_to_try_again() -> None:
    async with opened() as server:
        taken = await connected(server)
        taken.say(hello("anna"))
        session, connection = Session(), None
        async with aclosing(followed(way_to(server), session, "anna")) as messages:
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
        await taken.channel.close()
