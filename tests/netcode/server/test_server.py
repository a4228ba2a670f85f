"""Tests the server when things fail: invalid peers, failing bots, unusable addresses."""

import asyncio
import logging
import socket
import threading
from pathlib import Path

import pytest
from websockets.asyncio.client import connect, unix_connect
from websockets.exceptions import ConnectionClosed

from netcode.joining.spoken_code import SpokenCodeClient, SpokenCodeHost
from netcode.protocol.codec import decode_host, encode
from netcode.protocol.messages import (
    PROTOCOL,
    AddBot,
    Goodbye,
    Knock,
    Knocked,
    Lobby,
    Prove,
    Refused,
    SetReady,
    Start,
    State,
    Welcome,
)
from netcode.server.admission import NO_CERTIFICATE
from netcode.storage.journal import Journal
from netcode.storage.store import Store
from netcode.transport.address import guest_address
from netcode.transport.listener import HandshakeLimits, Listener
from netcode.transport.sockets import ListenError, open_tcp, open_unix
from tests.support.pretend import hello
from tests.support.servers import (
    CODE,
    listens,
    new_table,
    opened,
    raw,
    receive_message,
    send_to_socket,
    server_of,
)


async def test_a_port_that_is_in_use_is_said_to_be() -> None:
    async with opened() as one:
        with pytest.raises(ListenError, match=f"Port {one.port} is in use.*--port 0") as caught:
            await open_tcp("127.0.0.1", one.port)
        assert "driflamme" not in str(caught.value), "the reader may start the program otherwise"
        with pytest.raises(ListenError, match=f"Port {one.port} is in use"):
            await open_tcp(None, one.port)


@pytest.mark.parametrize("bind", ["192.0.2.77", "nowhere.invalid"])
def test_an_address_of_another_machine_is_said_to_be(bind: str) -> None:
    with pytest.raises(ListenError, match=f"This machine has no address {bind}: "):
        asyncio.run(open_tcp(bind, 0))


async def test_without_ipv6_the_table_is_open_to_ipv4(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "has_dualstack_ipv6", lambda: False)
    async with server_of(new_table()) as server:
        await server.listen(await open_tcp(None, 0))
        assert [address.host for address in server.addresses] == ["0.0.0.0"]


@pytest.mark.parametrize(
    ("bind", "at"), [("127.0.0.1", "127.0.0.1"), (None, "127.0.0.1"), (None, "::1")]
)
async def test_what_is_written_to_whoever_connects_goes_at_once(bind: str | None, at: str) -> None:
    (listening,) = await open_tcp(bind, 0)
    with listening, socket.create_connection((at, listening.getsockname()[1])):
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def test_closing_says_goodbye_and_frees_the_port() -> None:
    async with opened() as server:
        port = server.port
        async with raw(server) as participant, raw(server) as silent:
            await send_to_socket(participant, hello())
            assert isinstance(await receive_message(participant), Welcome)
            assert isinstance(await receive_message(participant), Lobby)
            await server.close(for_good=True)
            assert await receive_message(participant) == Goodbye(code="host_quit")
            with pytest.raises(ConnectionClosed):
                await receive_message(silent)
    async with server_of(new_table()) as again:
        await listens(again, port)


@pytest.mark.parametrize(
    ("is_kept", "plays", "for_good", "said"),
    [
        (True, True, True, "host_quit_game"),
        (True, True, False, "host_quit_game"),
        (True, False, False, "host_quit_for_now"),
        (True, False, True, "host_quit"),
        (False, True, False, "host_quit"),
        (False, False, False, "host_quit"),
    ],
)
async def test_who_is_at_a_table_that_is_kept_is_told_that_it_can_go_on(
    is_kept: bool, plays: bool, for_good: bool, said: str, tmp_path: Path
) -> None:
    journal = Journal(Store.open(tmp_path / "tables.db")) if is_kept else None
    async with server_of(new_table(), journal=journal) as server:
        assert server.registry.only_entry is not None
        server.keep_opened(server.registry.only_entry)
        await listens(server)
        async with raw(server) as participant:
            for message in (hello(), AddBot(bot="random"), AddBot(bot="random"), Start()):
                await send_to_socket(participant, message)
                if not plays:
                    break
            while not isinstance(await receive_message(participant), State if plays else Lobby):
                pass
            await server.close(for_good=for_good)
            while not isinstance(heard := await receive_message(participant), Goodbye):
                pass
            assert heard == Goodbye(code=said)


async def test_a_table_is_open_at_a_path(tmp_path: Path) -> None:
    path = tmp_path / "table.sock"
    # Leave a socket behind, as a killed server does.
    open_unix(path).close()
    async with server_of(new_table()) as server:
        await server.listen([open_unix(path)])
        with pytest.raises(ListenError, match="There is something at"):
            open_unix(path)
        async with unix_connect(str(path), compression=None) as participant:
            await send_to_socket(participant, hello())
            assert isinstance(await receive_message(participant), Welcome)
    assert not path.exists()


async def test_a_listener_that_has_stopped_can_still_be_closed() -> None:
    async def serve(*_: object) -> None:
        raise AssertionError("nobody comes")

    (listening,) = await open_tcp("127.0.0.1", 0)
    listener = Listener(serve, listening, limits=HandshakeLimits(1, 1))
    await listener.stop()
    await listener.close()
    assert listening.fileno() == -1


async def test_a_socket_that_this_machine_has_connected_is_served_like_an_accepted_one() -> None:
    async with opened() as server:
        with socket.create_server(("127.0.0.1", 0)) as far:
            near = socket.create_connection(far.getsockname())
            guest, _ = far.accept()
        near.setblocking(False)
        server.adopt(near, guest_address("192.0.2.1", "forwarder.example"))
        async with connect("ws://127.0.0.1", sock=guest, compression=None) as participant:
            await send_to_socket(participant, hello())
            assert isinstance(await receive_message(participant), Welcome)


async def test_the_rate_of_moves_is_that_of_the_last_ticks() -> None:
    async with opened() as server:
        assert server.moves_per_s == 0
        server._moves.extend((10, 30))
        assert server.moves_per_s == 15


def test_a_file_in_the_way_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "mine"
    path.write_text("mine")
    with pytest.raises(ListenError, match="There is something at"):
        open_unix(path)
    with pytest.raises(ListenError, match="A table cannot be opened at"):
        open_unix(tmp_path / "nowhere" / "table.sock")
    assert path.read_text() == "mine"


async def test_a_table_takes_no_messages_for_the_door_and_none_for_another_table() -> None:
    async with opened() as server, raw(server) as peer:
        await send_to_socket(peer, hello())
        assert [type(await receive_message(peer)) for _ in range(2)] == [Welcome, Lobby]
        await send_to_socket(peer, Knock(protocol=PROTOCOL, prefix="K7Q", share=bytes(33)))
        assert await receive_message(peer) == Refused(code="another_table")
        await send_to_socket(peer, hello(secret=bytes(12)))
        assert await receive_message(peer) == Refused(code="another_table")
        await send_to_socket(peer, SetReady(ready=True))
        assert isinstance(await receive_message(peer), Lobby)


async def test_while_a_knock_is_computed_others_are_heard(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    others_were_heard = threading.Event()
    answer = SpokenCodeHost.answer

    def slow(self: SpokenCodeHost, share: bytes) -> bytes:
        assert others_were_heard.wait(30), "the loop waits for the doorkeeper"
        return answer(self, share)

    monkeypatch.setattr(SpokenCodeHost, "answer", slow)
    knocker = SpokenCodeClient(CODE, NO_CERTIFICATE)
    knock = Knock(protocol=PROTOCOL, prefix=knocker.prefix, share=knocker.share)
    async with opened() as server:
        stranger, other = server.connect(), server.connect()
        stranger.send(encode(knock))
        # The next message of this connection is handled after the knock.
        stranger.send(encode(Prove(proof=bytes(32))))
        other.send(encode(hello()))
        assert isinstance(decode_host(await other.receive()), Welcome)
        others_were_heard.set()
        assert isinstance(decode_host(await stranger.receive()), Knocked)
        assert decode_host(await stranger.receive()) == Refused(code="wrong_code")


async def test_nothing_secret_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with opened() as server, raw(server) as peer:
        await send_to_socket(peer, hello("Somebody", key=None))
        welcome = await receive_message(peer)
        assert isinstance(welcome, Welcome)
        await send_to_socket(peer, AddBot(bot="random"))
        await send_to_socket(peer, AddBot(bot="random"))
        await send_to_socket(peer, Start())
        while not isinstance(await receive_message(peer), State):
            pass
    ours = [each.getMessage() for each in caplog.records if each.name.startswith("netcode")]
    assert ours
    assert not [line for line in ours if "Somebody" in line or "\\x00" in line or "???" in line]
