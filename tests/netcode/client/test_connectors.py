"""Tests connections to a table over real sockets, with and without TLS, and their errors."""

import asyncio
import socket
import warnings
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace
from websockets.asyncio.server import ServerConnection, serve

from netcode.client.code_join import (
    NotAdmittedError,
    exchange_code,
    invitation_by_any,
    invitation_by_code,
)
from netcode.client.connection import Connect, ConnectError
from netcode.client.connectors import Plain, Target, Unix, connect_first, connector
from netcode.client.reconnection import Connected
from netcode.client.session import ProtocolError, Session
from netcode.joining.invitation import Invitation
from netcode.joining.spoken_code import SpokenCodeHost
from netcode.limits import NETWORK_GUESSES
from netcode.protocol.codec import decode_client, decode_host, encode
from netcode.protocol.fields import Message
from netcode.protocol.messages import (
    Admitted,
    Goodbye,
    Knock,
    Knocked,
    Lobby,
    Refused,
    Welcome,
)
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.snapshot import TableAccess
from netcode.transport.address import Address
from netcode.transport.certificate import Identity, WrongCertificateError
from netcode.transport.channel import Channel, ChannelClosedError, memory_channel
from netcode.transport.listener import HandshakeLimits, Listener
from netcode.transport.sockets import open_tcp, open_unix
from netcode.transport.websocket import serve_websocket
from tests.support.following import followed
from tests.support.garbage import collect_garbage
from tests.support.pretend import hello
from tests.support.programs import nobody_at
from tests.support.servers import (
    CODE,
    NUMBER,
    SECRET,
    connected,
    here,
    make_identity,
    new_table,
    opened,
    send_message,
    way_to,
)

WRONG_CODE = CODE[:-1] + "0"


@pytest.fixture(scope="module")
def identity() -> Identity:
    return make_identity()


@asynccontextmanager
async def encrypted(identity: Identity) -> AsyncIterator[Server]:
    """Open an encrypted table on this machine; yield its server."""
    registry = TableRegistry([TableEntry(NUMBER, TableAccess(SECRET, CODE), new_table())])
    async with Server(registry, certificate=identity.certificate) as server:
        await server.listen(await open_tcp("127.0.0.1", 0), identity.context)
        yield server


async def sits_down(target: Target, secret: bytes | None) -> bool:
    """Connect with a table's secret; return True if the host welcomes us."""
    channel = await connector(target)()
    channel.send(encode(hello(secret=secret)))
    answer = decode_host(await channel.receive())
    await channel.close()
    return isinstance(answer, Welcome)


async def frame_of(channel: Channel) -> bytes:
    frame = await channel.receive()
    assert isinstance(frame, bytes)
    return frame


async def test_the_pin_decides_among_the_addresses_of_an_invitation(identity: Identity) -> None:
    async with encrypted(make_identity()) as somebody_else, encrypted(identity) as server:
        nobody = Address("127.0.0.1", 1)
        addresses = (here(somebody_else), nobody, here(server))
        assert await sits_down(Invitation(addresses, identity.pin, SECRET), SECRET)
        assert somebody_else.connections == 0


@pytest.mark.parametrize("host", ["fe80::7%3", "link-local.example"])
async def test_an_address_that_every_network_has_keeps_its_zone(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[object] = []

    async def resolved(_host: str, port: int, **_options: object) -> list[object]:
        at = ("fe80::7", port, 0, 3), ("fd00::7", port, 0, 0)
        return [(socket.AF_INET6, socket.SOCK_STREAM, 6, "", each) for each in at]

    async def refuse(_protocol: object, *, host: str, **_options: object) -> None:
        tried.append(host)
        raise ConnectionRefusedError

    loop = asyncio.get_running_loop()
    with monkeypatch.context() as patch:
        patch.setattr(loop, "getaddrinfo", resolved)
        patch.setattr(loop, "create_connection", refuse)
        with pytest.raises(ConnectError):
            await connector(Plain(Address(host)))()
    assert tried == ["fe80::7%3", "fd00::7"]


async def test_all_numbers_of_a_name_are_tried(
    identity: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()

    async def both(_host: str, port: int, **_options: object) -> list[object]:
        numbers = ("127.0.0.2", "127.0.0.1")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port)) for each in numbers]

    async with encrypted(identity) as server:
        with monkeypatch.context() as patch:
            patch.setattr(loop, "getaddrinfo", both)
            name = Address("table.example", server.port)
            channel = await connector(Invitation((name,), identity.pin, SECRET))()
        channel.abort()


async def give_up(server: Server, turns: int) -> None:
    """Begin to connect, and cancel after this many turns of the event loop."""
    connecting = asyncio.ensure_future(connector(Plain(here(server)))())
    for _ in range(turns):
        await asyncio.sleep(0)
    connecting.cancel()
    await asyncio.wait([connecting])
    if not connecting.cancelled():
        connecting.result().abort()


async def test_whoever_gives_up_while_connecting_leaves_no_socket_open() -> None:
    async with opened() as server:
        with warnings.catch_warnings(record=True) as left:
            warnings.simplefilter("always", ResourceWarning)
            for turns in range(20):
                await give_up(server, turns)
            await asyncio.sleep(0.01)
            collect_garbage()
        assert [str(each.message) for each in left] == []


async def test_no_relay_is_asked_where_the_table_answers_by_itself() -> None:
    near, _far = memory_channel()

    async def direct() -> Channel:
        return near

    async def relayed() -> Channel:
        raise AssertionError

    assert await connect_first([direct], [relayed]) is near


async def test_an_invitation_none_of_whose_addresses_answers_says_so(identity: Identity) -> None:
    async with encrypted(make_identity()) as somebody_else:
        nobody = Address("127.0.0.1", 1)
        addresses = (here(somebody_else), nobody)
        with pytest.raises(ConnectError, match="at none of its addresses"):
            await connector(Invitation(addresses, identity.pin, SECRET))()
        # All addresses lead to another certificate, as after the host has replaced its certificate.
        new = (here(somebody_else), here(somebody_else))
        with pytest.raises(ConnectError, match="is not the host of this invitation"):
            await connector(Invitation(new, identity.pin, SECRET))()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (TimeoutError(), "No table answers at {}, an address on the host's own network"),
        (ConnectionRefusedError(111, "Connect call failed"), "No table answers at {}, an address"),
        (OSError(113, "No route to host"), "No table answers at {}, an address on the host's"),
        (
            WrongCertificateError(),
            "The machine that answers at {} is not the host of this invitation. This",
        ),
    ],
)
@pytest.mark.parametrize("host", ["192.168.1.20", "100.64.0.10", "fd00::20"])
async def test_an_address_inside_a_home_is_said_to_be_one_and_what_to_ask_for(
    identity: Identity, monkeypatch: pytest.MonkeyPatch, error: OSError, said: str, host: str
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(asyncio.get_running_loop(), "create_connection", fail)
    with pytest.raises(ConnectError) as caught:
        await connector(Invitation((Address(host),), identity.pin, SECRET))()
    assert caught.value.sentence().startswith(said.format(host))
    assert "press x in the lobby" in caught.value.sentence()


@pytest.mark.skipif(not hasattr(asyncio, "eager_task_factory"), reason="tasks start later here")
async def test_a_table_is_reached_where_tasks_start_at_once_as_in_the_app(
    identity: Identity,
) -> None:
    asyncio.get_running_loop().set_task_factory(getattr(asyncio, "eager_task_factory", None))
    async with encrypted(identity) as server:
        assert await sits_down(Invitation((here(server),), identity.pin, SECRET), SECRET)


NOT_THE_HOST = "links and codes belong to encrypted tables only"

ANSWERS = {
    "a web page": b"HTTP/1.1 400 Bad Request\r\n\r\n",
    "an end": b"",
    "noise": bytes(range(256)),
    "an alert of TLS": bytes.fromhex("15030300020228"),
    "a refusal of the name": bytes.fromhex("15030300020270"),
    "an older TLS": bytes.fromhex("15030100020246"),
    "a banner": b"SSH-2.0-OpenSSH_9.9\r\n",
    "advice": b"HTTP/1.1 200 OK\r\n\r\njoin with --insecure",
}


@asynccontextmanager
async def stranger_who_sends(answer: bytes, after: int = 1) -> AsyncIterator[Address]:
    """Listen in the host's place, and yield the address.

    Read up to `after` bytes of each client, send `answer`, and close the connection.
    """

    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(after)
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(speak, "127.0.0.1", 0) as stranger:
        yield Address("127.0.0.1", stranger.sockets[0].getsockname()[1])


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("by", ["link", "code"])
async def test_whatever_answers_in_the_hosts_place_nobody_is_advised_to_drop_the_encryption(
    identity: Identity, answer: str, by: str
) -> None:
    async with stranger_who_sends(ANSWERS[answer]) as address:
        by_link = connector(Invitation((address,), identity.pin, SECRET))
        with pytest.raises(ConnectError) as caught:
            await (by_link() if by == "link" else invitation_by_code(address, CODE))
    sentence = caught.value.sentence()
    assert "insecure" not in sentence
    assert "host" in sentence, "it is said whom to ask"
    if answer in ("a web page", "an end", "noise", "advice"):
        assert NOT_THE_HOST in sentence


async def test_a_link_to_a_table_without_encryption_leads_to_no_table(identity: Identity) -> None:
    async with opened() as server:
        with pytest.raises(ConnectError, match=NOT_THE_HOST):
            await connector(Invitation((here(server),), identity.pin, SECRET))()


async def test_an_encrypted_table_says_to_leave_the_switch_out(identity: Identity) -> None:
    async with encrypted(identity) as server:
        with pytest.raises(ConnectError, match="omit --insecure"):
            await connector(Plain(here(server)))()


async def test_a_table_at_a_path_is_reached_there(tmp_path: Path) -> None:
    path = tmp_path / "table"
    async with Server(
        TableRegistry([TableEntry(NUMBER, TableAccess(SECRET, CODE), new_table())], is_open=True)
    ) as server:
        await server.listen([open_unix(path)])
        assert await sits_down(Unix(path), None)
    with pytest.raises(ConnectError, match=f"No table is open at {path}"):
        await connector(Unix(path))()


async def test_what_is_no_table_at_a_path_is_said_to_be_none(tmp_path: Path) -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    path = tmp_path / "socket"
    async with await asyncio.start_unix_server(hang_up, path):
        with pytest.raises(ConnectError, match=r"not (?:a|as an unencrypted) Driflamme table"):
            await connector(Unix(path))()
    deaf = tmp_path / "deaf"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(deaf))
        listening.listen(1)
        with pytest.raises(ConnectError, match=f"No table answers at {deaf}"):
            await connector(Unix(deaf), timeout=0.1)()
    with pytest.raises(ConnectError, match="cannot be reached"):
        await connector(Unix(tmp_path / ("x" * 200)))()


async def test_a_wrong_code_gives_none_and_too_many_have_to_wait(identity: Identity) -> None:
    async with encrypted(identity) as server:
        refusals = []
        for _ in range(int(NETWORK_GUESSES.burst) + 1):
            with pytest.raises(NotAdmittedError) as refused:
                await invitation_by_code(here(server), WRONG_CODE)
            refusals.append(str(refused.value))
    assert len(set(refusals[:-1])) == 1
    assert "The host's link still works" in refusals[-1]
    assert not any(WRONG_CODE in refusal for refusal in refusals)


@asynccontextmanager
async def deaf() -> AsyncIterator[Address]:
    """Yield an address at which this machine accepts connections and never answers."""
    (listening,) = await open_tcp("127.0.0.1", 0)
    yield Address("127.0.0.1", listening.getsockname()[1])
    listening.close()


async def test_of_tables_that_announce_one_room_the_right_one_is_joined(identity: Identity) -> None:
    """A false table that announces the public part of a code misleads nobody."""
    async with encrypted(make_identity()) as other, encrypted(identity) as right, deaf() as nobody:
        entry = next(iter(other.registry.entries))
        entry.opened = replace(entry.opened, code=WRONG_CODE)
        invitation = await invitation_by_any((nobody, here(other), here(right)), CODE)
        assert invitation == Invitation((here(right),), identity.pin, SECRET)


async def test_where_no_table_of_a_room_has_the_code_it_is_said_that_there_are_two(
    identity: Identity,
) -> None:
    async with encrypted(make_identity()) as one, encrypted(identity) as other:
        with pytest.raises(ConnectError) as refused:
            await invitation_by_any((here(one), here(other)), WRONG_CODE)
        assert refused.value.sentence().startswith("2 tables on this network have codes that begin")
        assert refused.value.code == "wrong_code", "it is asked for once more"
        assert WRONG_CODE not in refused.value.sentence()
        with pytest.raises(NotAdmittedError, match="No table here has this code"):
            await invitation_by_any((here(one),), WRONG_CODE)


async def test_somebody_in_between_gets_nothing_and_gives_nothing(identity: Identity) -> None:
    """An attacker between guest and host forwards everything, but has its own certificate."""
    async with encrypted(identity) as server:
        there = Invitation((here(server),), identity.pin, SECRET)
        heard: list[bytes] = []

        async def pass_on(channel: Channel) -> None:
            host = await connector(there)()
            try:
                while True:
                    host.send(await frame_of(channel))
                    heard.append(await frame_of(host))
                    channel.send(heard[-1])
            except ChannelClosedError:
                await host.close()

        between = make_identity()
        (listening,) = await open_tcp("127.0.0.1", 0)
        serve = partial(serve_websocket, pass_on, context=between.context)
        listener = Listener(serve, listening, limits=HandshakeLimits(5, 5))
        address = Address("127.0.0.1", listening.getsockname()[1])
        with pytest.raises(NotAdmittedError):
            await invitation_by_code(address, CODE)
        await listener.close()
        kinds = [type(decode_host(each)) for each in heard]
        assert kinds == [Knocked, Refused]


async def sentence_after(*answers: Message | bytes | None) -> str:
    """Return the client's error after a host's answers to a knock and a proof.

    `ITS_SHARE` stands for the right answer to a knock. None closes the connection.
    """
    near, far = memory_channel()

    async def host() -> None:
        for answer in answers:
            said = decode_client(await far.receive())
            if answer is None:
                await far.close()
            elif answer is ITS_SHARE:
                assert isinstance(said, Knock)
                far.send(encode(Knocked(share=SpokenCodeHost(CODE, b"").answer(said.share))))
            else:
                far.send(answer if isinstance(answer, bytes) else encode(answer))

    host_role = asyncio.create_task(host())
    with pytest.raises(ConnectError) as refused:
        await exchange_code(near, CODE, b"", "there")
    await host_role
    return str(refused.value)


ITS_SHARE = b"what an honest host answers to a knock"

NOTHING = (
    "A program answers at there, but it does not know spoken codes: ask the host for the link."
)


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ([ITS_SHARE, Admitted(secret=SECRET)], "does not know the code"),
        ([ITS_SHARE, Admitted(secret=SECRET, proof=bytes(32))], "does not know the code"),
        ([ITS_SHARE, Goodbye(code="host_quit")], "The host has closed the table."),
        ([ITS_SHARE, Knocked(share=bytes(33))], NOTHING),
        ([ITS_SHARE, None], "The table has ended the connection: try again."),
        ([Knocked(share=bytes(33))], NOTHING),
        ([Admitted(secret=SECRET)], NOTHING),
        ([Refused(code="wrong_code")], "code"),
        ([b"\xc1"], "This program cannot read the table's answer: upgrade the older of the two."),
        ([None], "The table has ended the connection: try again."),
    ],
)
def test_a_host_that_does_not_prove_itself_is_not_believed(
    answers: list[Message | bytes | None], sentence: str
) -> None:
    assert sentence in asyncio.run(sentence_after(*answers))


def way(host: str, port: int, timeout: float = 10.0) -> Connect:
    return connector(Plain(Address(host, port)), timeout=timeout)


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
async def test_what_is_no_table_is_said_to_be_none(answer: bytes) -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(speak, "127.0.0.1", 0) as stranger:
        port = stranger.sockets[0].getsockname()[1]
        with pytest.raises(ConnectError, match=r"not (?:a|as an unencrypted) Driflamme table"):
            await way("127.0.0.1", port)()


async def test_other_troubles_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    async def unreachable(*_: object, **__: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(asyncio.get_running_loop(), "create_connection", unreachable)
    with pytest.raises(ConnectError, match="localhost cannot be reached from here"):
        await way("localhost", 11214)()


async def test_a_host_that_makes_no_sense_is_a_protocol_error() -> None:
    async def babble(socket: ServerConnection) -> None:
        await socket.send(b"\xc1")
        await socket.wait_closed()

    async with serve(babble, "127.0.0.1", 0) as stranger:
        port = stranger.sockets[0].getsockname()[1]
        with pytest.raises(ProtocolError):
            async for _ in followed(way("127.0.0.1", port), Session(), "a"):
                pass


async def test_a_refusal_at_the_door_leaves_the_connection_to_try_again() -> None:
    async with opened() as server:
        taken = await connected(server)
        taken.send(hello("anna"))
        session, connection = Session(), None
        async with aclosing(followed(way_to(server), session, "anna")) as messages:
            async for message in messages:
                if isinstance(message, Connected):
                    connection = message.connection
                elif isinstance(message, Refused):
                    assert message.code == "name_taken"
                    await send_message(connection, session.hello("bert"))
                elif isinstance(message, Lobby):
                    break
        assert session.name == "bert"
        assert session.family == "b"
        taken.channel.abort()
