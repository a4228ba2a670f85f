"""Tests a relay on loopback: it forwards bytes, and attackers on all sides harm only themselves."""

import asyncio
import socket
import ssl
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

from netcode.client import reconnection
from netcode.client.code_join import invitation_by_code
from netcode.client.connection import ConnectError
from netcode.client.connectors import connector
from netcode.limits import ARRIVALS_AT_ONCE, Limits, Rate
from netcode.protocol.messages import Chat
from netcode.server import peer_handler
from netcode.server.server import Server
from netcode.server.table_registry import TableRegistry
from netcode.table.snapshot import TableAccess
from netcode.transport import websocket
from netcode.transport.address import Address, guest_address
from netcode.transport.certificate import client_context, server_name
from netcode.transport.channel import Channel
from netcode.transport.sockets import open_tcp
from netcode.wings.relay import relay as relay_module
from netcode.wings.relay import relay_connection
from netcode.wings.relay.host_signature import signature
from netcode.wings.relay.relay import Relay
from netcode.wings.relay.relay_connection import RelayConnection, RelayError
from netcode.wings.relay.relay_limits import GUESTS_OF_A_HOST, RelayLimits
from netcode.wings.relay.relay_link import (
    EVENING_S,
    RelayLink,
    new_pass,
    owner_of,
    parse_relay_link,
)
from netcode.wings.relay.relay_messages import (
    FOR_CONTROL,
    RELAY_PROTOCOL,
    GuestCame,
    NotRegistered,
    ProveHost,
    Register,
    Registered,
    encode,
    from_host,
    from_relay,
    what_is_signed,
)
from netcode.wings.relay.tls_hello import MOST_BYTES, Hello, NoHelloError
from tests.support.servers import CODE, SECRET, UNPACED, identity
from tests.wings.relay.evening import (
    NOWHERE,
    RELAY_SECRET,
    Evening,
    Guest,
    Host,
    ended,
    evening,
    until,
)


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relay_connection, "WAITS_S", (0.01,))
    monkeypatch.setattr(reconnection, "FIRST_WAIT_S", 0.05)


async def test_a_code_leads_through_a_relay_and_so_does_what_it_brings() -> None:
    async with evening() as here:
        invitation = await invitation_by_code(here.address, CODE)
        assert (invitation.pin, invitation.secret) == (here.host.identity.pin, SECRET)
        # For the guest, the relay's address is the host's address.
        assert invitation.addresses == (here.address,)
        guest = Guest(connector(invitation), "Rosalind", bots=2)
        await guest.task
        assert guest.moves >= 7
        assert guest.connections == 1
        await until(lambda: not here.relay.status()["guests"])
        assert here.relay.status()["hosts"] == 1
        assert here.relay.status()["bytes"] > 10_000


async def test_a_relay_that_was_gone_is_found_again_and_nothing_is_lost() -> None:
    async with evening() as here:
        guest = Guest(here.way(), "Rosalind", bots=2)
        guest.until = 3
        await until(lambda: guest.moves == 3)
        for lost in range(1, 4):
            await here.relay.close()
            # This message is lost on the way, and sent again.
            guest.until += 1
            guest.answer()
            await here.open_relay()
            await until(lambda lost=lost: guest.connections == 1 + lost)
        guest.until = 10_000
        guest.answer()
        await guest.task
        assert guest.connections == 4
        assert len(here.host.table.participants.names) == 3


async def test_a_host_who_is_not_there_is_said_to_be_not_there() -> None:
    async with evening() as here:
        assert here.host.connection is not None
        await here.host.connection.close()
        await until(lambda: not here.relay.status()["hosts"])
        sentence = rf"The machine at {here.address} does not have that table now"
        with pytest.raises(ConnectError, match=sentence):
            await connector(replace(here.invitation, addresses=()))()
        with pytest.raises(ConnectError, match=sentence):
            await invitation_by_code(here.address, CODE)
        assert here.relay.status()["refused"] == 2


async def connection_of(here: Evening) -> ClientConnection:
    return await connect(
        "wss://driflamme/",
        sock=await here.raw(b"\0" + FOR_CONTROL),
        ssl=client_context(here.link.pin),
        compression=None,
        proxy=None,
    )


async def answer_to(here: Evening, connection: ClientConnection, **changed: Any) -> Any:
    """Register as the host "other", with some changes; return the relay's answer."""
    prove = from_relay(bytes(await connection.recv(decode=False)))
    assert isinstance(prove, ProveHost)
    whose = changed.pop("whose", identity("other"))
    signs = changed.pop("signs", identity("other"))
    relay = changed.pop("relay", identity("relay").certificate)
    register = Register(
        protocol=changed.pop("protocol", RELAY_PROTOCOL),
        secret=changed.pop("secret", RELAY_SECRET),
        certificate=whose.certificate,
        signature=signature(
            signs, what_is_signed(changed.pop("challenge", prove.challenge), relay)
        ),
        prefix=changed.pop("prefix", ""),
    )
    await connection.send(encode(register))
    return from_relay(bytes(await connection.recv(decode=False)))


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"secret": b"something..!"}, "secret"),
    ({"secret": bytes(28)}, "secret"),
    ({"protocol": 2}, "protocol"),
    # Another host's name: every guest sees its certificate, but nobody has its key.
    ({"whose": identity("host")}, "proof"),
    # A signature for another relay, or from another time.
    ({"relay": identity("elsewhere").certificate}, "proof"),
    ({"challenge": bytes(32)}, "proof"),
]


async def test_a_host_is_let_in_by_the_secret_and_its_own_key_alone() -> None:
    async with evening() as here:
        for changed, code in REFUSED:
            connection = await connection_of(here)
            assert await answer_to(here, connection, **changed) == NotRegistered(code)
            assert here.relay.status()["hosts"] == 1
        # The host that owns the name is still reachable.
        await here.is_well()
        fair = await connection_of(here)
        assert isinstance(await answer_to(here, fair), Registered)


async def test_the_same_host_comes_again_and_its_old_line_is_told() -> None:
    async with evening() as here:
        again = Host()
        await again.begin(here.link)
        before = here.host.connection
        assert before is not None
        await until(lambda: before.is_replaced)
        assert here.relay.status()["hosts"] == 1
        assert again.connection is not None
        assert again.connection.registered is not None
        await again.close()


async def test_a_room_that_is_taken_stays_whose_it_is() -> None:
    async with evening() as here:
        connection = await connection_of(here)
        answer = await answer_to(here, connection, prefix=CODE[:3])
        assert isinstance(answer, Registered)
        assert not answer.by_code
        invitation = await invitation_by_code(here.address, CODE)
        assert invitation.pin == here.host.identity.pin


async def test_a_room_is_kept_for_a_host_whose_line_is_lost() -> None:
    async def by_code(name: str) -> bool:
        connection = await connection_of(here)
        whose = identity(name)
        answer = await answer_to(here, connection, whose=whose, signs=whose, prefix="ABC")
        assert isinstance(answer, Registered)
        await connection.close()
        await until(lambda: here.relay.status()["hosts"] == 1)
        return answer.by_code

    async with evening() as here:
        assert await by_code("other")
        assert not await by_code("elsewhere")
        assert await by_code("other")


async def test_a_byte_that_comes_as_a_line_is_given_up_ends_nothing_else() -> None:
    relay = Relay(identity("relay"), RELAY_SECRET)
    (guest, source), (sink, host) = socket.socketpair(), socket.socketpair()
    with guest, source, sink, host:
        source.setblocking(False)
        sink.setblocking(False)
        guest.sendall(b"x")
        guest.shutdown(socket.SHUT_WR)
        async with asyncio.timeout(None) as idle:
            idle.reschedule(0)
            with suppress(asyncio.CancelledError):
                await asyncio.get_running_loop().create_future()
            await relay._one_way(source, sink, idle)
        assert host.recv(9) == b"x"


def hello_of(name: str) -> bytes:
    """Return a client's TLS hello with this server name."""
    out = ssl.MemoryBIO()
    context = ssl.create_default_context()
    client = context.wrap_bio(ssl.MemoryBIO(), out, server_hostname=name)
    with suppress(ssl.SSLWantReadError):
        client.do_handshake()
    return out.read()


def test_a_name_that_nobody_can_read_is_no_name_and_prints_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    printed: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", printed.append)
    hello = hello_of("a.example")
    assert Hello().take(hello) == "a.example"
    with pytest.raises(NoHelloError):
        Hello().take(hello.replace(b"a.example", b"\xff.example"))
    assert printed == []


async def test_a_relay_whose_name_is_none_is_said_not_to_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def resolve(*_arguments: object, **_options: object) -> None:
        raise UnicodeError("label empty or too long")

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolve)
    link = RelayLink((Address("a..b", 9),), identity("relay").pin, RELAY_SECRET)
    with pytest.raises(RelayError, match="does not answer"):
        await RelayConnection(link, identity("host"), "", lambda _dialled, _network: None).open()


async def test_a_host_that_does_not_dial_keeps_guests_from_itself_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(relay_module, "DIAL_S", 0.05)
    async with evening() as here:
        connection = await connection_of(here)
        assert isinstance(await answer_to(here, connection), Registered)
        mean = replace(here.invitation, addresses=(), pin=identity("other").pin)
        with pytest.raises(ConnectError, match="does not have that table"):
            await connector(mean)()
        assert isinstance(from_relay(bytes(await connection.recv(decode=False))), GuestCame)
        await here.is_well()


async def test_strangers_have_a_few_lines_and_hosts_say_nothing_more() -> None:
    async with evening(RelayLimits(sockets=2, hosts=2)) as here:
        connections = [await connection_of(here) for _ in range(3)]
        # The limit is two connections, so the oldest one is disconnected.
        await connections[0].recv()
        with pytest.raises(Exception, match="no close frame"):
            await connections[0].recv()
        assert isinstance(await answer_to(here, connections[1]), Registered)
        full = await answer_to(
            here, connections[2], whose=identity("third"), signs=identity("third")
        )
        assert full == NotRegistered("full")
        await connections[1].send(b"\0")
        await until(lambda: here.relay.status()["hosts"] == 1)


async def test_a_pass_lets_a_tables_players_in_for_an_evening() -> None:
    now = 1_800_000_000.0
    here = Evening(RelayLimits(hosts_a_pass=2), lambda: now)
    await here.open_relay()
    try:
        connection = await connection_of(here)
        answer = await answer_to(here, connection)
        assert isinstance(answer, Registered)
        assert answer.evening_pass is not None
        homes = []
        for n in range(3):
            mine = identity(f"home {n}")
            connection = await connection_of(here)
            homes.append(connection)
            refusal = await answer_to(
                here, connection, secret=answer.evening_pass, whose=mine, signs=mine
            )
            if n < 2:
                # A host that registers by a pass gets no pass for others.
                assert refusal == Registered(by_code=False)
            else:
                assert refusal == NotRegistered("full")
        now += EVENING_S + 1
        connection = await connection_of(here)
        late = await answer_to(here, connection, secret=answer.evening_pass)
        assert late == NotRegistered("secret")
    finally:
        await here.relay.close()


def test_a_pass_of_which_anything_is_changed_is_none() -> None:
    now = 1_800_000_000.0
    genuine = new_pass(RELAY_SECRET, b"table", now)
    assert owner_of(RELAY_SECRET, genuine, now + EVENING_S)
    for at in range(len(genuine)):
        # Change each byte in turn.
        forged = bytearray(genuine)
        forged[at] ^= 1
        assert owner_of(RELAY_SECRET, bytes(forged), now) is None
    for bad in (genuine[:-1], genuine + b"\0", genuine[:12], b""):
        assert owner_of(RELAY_SECRET, bad, now) is None
    assert owner_of(b"of another..", genuine, now) is None


def test_a_link_is_read_as_it_is_written() -> None:
    text = f"driflamme-relay://relay.example:4000,[2001:db8::1]/{'A' * 38}"
    link = parse_relay_link(f"Host with it: {text} !")
    assert str(link) == text
    evening_link = RelayLink(link.addresses, link.pin, bytes(28))
    assert parse_relay_link(str(evening_link)) == evening_link
    for bad in ("driflamme://a/x", text[:-1], text + "A", "driflamme-relay://%/" + "A" * 38):
        with pytest.raises(ValueError, match=r"relay|address"):
            parse_relay_link(bad)


async def test_silent_and_slow_sockets_are_ended_and_cost_others_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with evening() as here:
        monkeypatch.setattr(relay_module, "OPEN_TIMEOUT_S", 0.3)
        silent = [await here.raw() for _ in range(20)]
        slow = [await here.raw(b"\x16\x03\x01\x02\x00\x01") for _ in range(20)]
        half_a_key = [await here.raw(b"\0\0\0") for _ in range(20)]
        await here.is_well()
        for each in (*silent, *slow, *half_a_key):
            assert await ended(each) == b""


async def test_in_each_turn_of_the_loop_one_socket_more_is_accepted() -> None:
    """With this limit, a flood of sockets delays no player's act for long."""
    async with evening() as here:
        accepted, turn = Counter[int](), 0
        listener = here.relay._listeners[0]
        adopt = listener.adopt

        def counted(connected: socket.socket, machine: str) -> None:
            accepted[turn] += 1
            adopt(connected, machine)

        listener.adopt = counted  # type: ignore[method-assign, assignment]
        flood = [socket.create_connection(("127.0.0.1", here.port)) for _ in range(50)]
        while accepted.total() < len(flood):
            turn += 1
            await asyncio.sleep(0)
        assert max(accepted.values()) == 1
        await here.is_well()
        for each in flood:
            each.close()


async def test_what_is_no_hello_is_ended() -> None:
    async with evening() as here:
        for said in (
            b"GET / HTTP/1.1\r\n\r\n",
            b"\x16\x03\x01\x00\x05hello" * 9,
            b"\x16\x03\x01\x40\x00" + b"\x01\x00\x3f\xfc" + bytes(MOST_BYTES),
            b"\0" + b"some other key..",
            b"\xff" * 100,
        ):
            assert await ended(await here.raw(said)) == b""
        await here.is_well()


async def test_a_flood_of_guests_is_led_to_one_host_and_no_further() -> None:
    async with evening(RelayLimits(guests=5)) as here:
        other = Host("other")
        await other.begin(here.link, prefix="")
        mean = replace(here.invitation, addresses=(), pin=other.identity.pin)
        came = await asyncio.gather(*(connector(mean)() for _ in range(20)), return_exceptions=True)
        inside = [each for each in came if not isinstance(each, BaseException)]
        # All are in one network, which gets half of the places.
        assert len(inside) == 3
        assert {str(each) for each in came if each not in inside} == {
            f"The machine at {here.address} does not have that table now: ask the host whether "
            "it is still open."
        }
        await here.is_well()
        for each in inside:
            each.abort()
        # All places are free again.
        await until(lambda: not here.relay.status()["guests"])
        for each in [await connector(mean)() for _ in range(3)]:
            each.abort()
        await other.close()


async def test_whoever_sends_too_much_is_slowed_down(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    sleep = asyncio.sleep

    async def noted(pause: float) -> None:
        if sys._getframe(1).f_code is Relay._one_way.__code__:
            pauses.append(pause)
            pause = 0
        await sleep(pause)

    monkeypatch.setattr(relay_module, "GUEST_BYTES", Rate(1000, 3000))
    async with evening() as here:
        monkeypatch.setattr(asyncio, "sleep", noted)
        guest = await connector(replace(here.invitation, addresses=()))()
        assert not pauses
        for _ in range(5):
            guest.send(bytes(900))
        await until(lambda: pauses)
        guest.abort()


async def test_a_guest_for_whom_nothing_goes_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    # Without these limits, the host waits for ever, so only the relay can end the connection.
    monkeypatch.setattr(peer_handler, "HELLO_TIMEOUT_S", 1e6)
    monkeypatch.setattr(websocket, "PING_INTERVAL_S", 1e6)
    async with evening(RelayLimits(idle_s=0.05)) as here:
        guest = await connector(replace(here.invitation, addresses=()))()
        await until(lambda: not here.relay.status()["guests"])
        guest.abort()


def wiretap(one: socket.socket | None, seen: bytearray) -> None:
    """Record everything that a relay reads from now on, from one socket or all."""
    loop: Any = asyncio.get_running_loop()
    receive = loop.sock_recv

    async def wiretapped(source: socket.socket, most: int) -> bytes:
        data: bytes = await receive(source, most)
        if one is None or source is one:
            seen.extend(data)
        return data

    loop.sock_recv = wiretapped


async def test_a_relay_that_swaps_hosts_is_found_out_before_anything_is_said() -> None:
    async with evening() as here:
        other = Host("other")
        await other.begin(here.link, prefix="")
        hosts = here.relay._hosts
        hosts[server_name(here.host.identity.pin)] = hosts[server_name(other.identity.pin)]
        with pytest.raises(ConnectError, match="is not the host of this invitation"):
            await connector(replace(here.invitation, addresses=()))()
        assert other.server.connections == 0
        # The code does not help either, because the other host does not know it.
        other.entry.opened = TableAccess(SECRET, "K7QAAAAA")
        hosts[server_name(CODE[:3])] = hosts[server_name(other.identity.pin)]
        with pytest.raises(ConnectError, match="No table here has this code"):
            await invitation_by_code(here.address, CODE)
        await other.close()


async def test_what_a_relay_replays_says_nothing() -> None:
    async with evening() as here:
        said = bytearray()
        pass_on = here.relay._forward

        async def wiretapped(
            host: Any, guest: socket.socket, dialled: socket.socket, begun: bytes
        ) -> None:
            said.extend(begun)
            wiretap(guest, said)
            await pass_on(host, guest, dialled, begun)

        here.relay._forward = wiretapped  # type: ignore[method-assign]
        await Guest(here.way(), "Rosalind", bots=2).task
        here.relay._forward = pass_on  # type: ignore[method-assign]
        names = here.host.table.participants.names
        assert len(said) > 1_500
        moves = here.host.server.moves
        # The host answers the same hello with other random bytes, and ends the connection.
        await ended(await here.raw(bytes(said)))
        assert here.host.server.moves == moves
        assert here.host.table.participants.names == names


def adopted_by(connection: RelayConnection) -> list[str]:
    """Return a list that gets the machine of each dialled socket. The sockets are closed."""
    adopted: list[str] = []

    def adopt(dialled: socket.socket, machine: str) -> None:
        adopted.append(machine)
        dialled.close()

    connection._adopt = adopt
    return adopted


async def test_a_relay_cannot_say_that_guests_come_from_nowhere() -> None:
    async with evening() as here:
        connection = here.host.connection
        assert connection is not None
        adopted = adopted_by(connection)
        for machine in ("", "somewhere", "unix"):
            await connection._dial_for(GuestCame(bytes(16), machine))
        assert not adopted
        await connection._dial_for(GuestCame(bytes(16), "192.0.2.7"))
        assert adopted == [guest_address("192.0.2.7", str(here.address))]


async def test_a_relay_that_names_a_direct_guests_address_keeps_that_guest_from_nothing() -> None:
    async with evening() as here:
        connection = here.host.connection
        assert connection is not None
        direct = replace(
            here.invitation, addresses=(Address("127.0.0.1", here.host.server.port),), indirect=()
        )
        for _ in range(2 * ARRIVALS_AT_ONCE):
            await connection._dial_for(GuestCame(b"k" * 16, "127.0.0.1"))
        here.way = lambda: connector(direct)  # type: ignore[method-assign]
        await here.is_well()


async def test_silent_sockets_of_a_relay_end_no_handshake_of_a_direct_guest() -> None:
    host = Host()
    host.server = Server(
        TableRegistry([host.entry]),
        certificate=host.identity.certificate,
        limits=Limits(connections=8, from_one_address=8, **UNPACED),
    )
    await host.server.listen(await open_tcp("127.0.0.1", 0), host.identity.context)
    direct = await asyncio.open_connection("127.0.0.1", host.server.port)
    await until(lambda: len(host.server._handshake_limits) == 1)
    far = socket.create_server(("127.0.0.1", 0))
    for number in range(20):
        near = socket.create_connection(far.getsockname())
        near.setblocking(False)
        host.server.adopt(near, guest_address(f"10.0.0.{number}", "relay.example"))
    await until(lambda: len(host.server._forwarded_limits) == 4)
    assert len(host.server._handshake_limits) == 1
    direct[1].close()
    await host.close()
    far.close()


async def test_a_relay_has_a_host_dial_no_faster_than_an_honest_relay_leads_guests() -> None:
    connection = RelayConnection(
        RelayLink((NOWHERE,), b"p" * 16, RELAY_SECRET), identity("host"), "", print
    )
    dialled = sum(connection._may_dial() for _ in range(10 * int(GUESTS_OF_A_HOST.burst)))
    assert GUESTS_OF_A_HOST.burst <= dialled < 2 * GUESTS_OF_A_HOST.burst


async def test_a_relay_that_makes_no_sense_is_no_relay() -> None:
    here = Evening()

    async def nonsense(_arrived: object, channel: Channel) -> None:
        channel.send(b"\xc1")
        await channel.close()

    here.relay = Relay(identity("relay"), RELAY_SECRET)
    here.relay._serve_control = nonsense  # type: ignore[method-assign, assignment]
    await here.relay.listen(await open_tcp("127.0.0.1", 0))
    here.port = here.relay.port
    wrong = RelayLink((here.address,), bytes(16), RELAY_SECRET)
    elsewhere = RelayLink((NOWHERE, here.address), here.link.pin, RELAY_SECRET)

    async def fails(link: RelayLink, why: str) -> None:
        with pytest.raises(RelayError, match=why):
            await RelayConnection(link, identity("host"), "", lambda *_: None).open()

    for link in (here.link, wrong, elsewhere):
        await fails(link, f"{here.address} is not a relay of Driflamme")
    await here.relay.close()
    await fails(here.link, "does not answer")


async def test_a_relay_is_reached_by_another_number_of_its_name_if_the_first_is_silent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(relay_connection, "ANSWER_S", 3.0)
    async with evening() as here:
        loop: Any = asyncio.get_running_loop()
        connects = loop.sock_connect

        async def both(*_: Any, **__: Any) -> list[Any]:
            numbers = (NOWHERE.host, NOWHERE.port), (here.address.host, here.address.port)
            return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", each) for each in numbers]

        async def silent_at_first(connected: socket.socket, at: tuple[str, int]) -> None:
            if at[1] == NOWHERE.port:
                await asyncio.Event().wait()
            await connects(connected, at)

        loop.getaddrinfo, loop.sock_connect = both, silent_at_first
        connection = RelayConnection(
            here.link, identity("other"), "", lambda dialled, machine: None
        )
        await connection.open()
        await connection.close()


async def test_guests_are_dialled_for_where_the_relay_answered_last() -> None:
    async with evening() as here:
        connection = here.host.connection
        assert connection is not None
        adopted = adopted_by(connection)
        with pytest.raises(ConnectionRefusedError):
            await connection._register_at(NOWHERE)
        await connection._dial_for(GuestCame(bytes(16), "192.0.2.7"))
        assert adopted == [guest_address("192.0.2.7", str(here.address))]


async def test_a_relay_sees_no_name_message_secret_or_card(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with evening() as here:
        seen = bytearray()
        wiretap(None, seen)

        def read(said: bytes) -> Register:
            seen.extend(said)
            return from_host(said)

        monkeypatch.setattr(relay_module, "from_host", read)
        # Open a new connection, so that its first bytes are recorded too.
        await here.relay.close()
        await here.open_relay()
        await until(lambda: here.relay.status()["hosts"])
        guest = Guest(here.way(), "Rosalind of the sea", bots=2)
        guest.until = 3
        await until(lambda: guest.moves == 3)
        guest.send(Chat(text="The heir is mine"))
        guest.until = 10_000
        guest.answer()
        await guest.task
        view = guest.session.view
        assert view is not None
        secrets = [b"Rosalind", b"heir", b"hello", b"welcome", b"lobby", b"view", b"Placed"]
        secrets += [SECRET, CODE[3:].encode(), here.host.identity.pin, identity("host").pem[-200:]]
        assert len(seen) > 10_000
        # Visible are only the server name, and the host's certificate when it registers.
        assert server_name(here.host.identity.pin).encode() in seen
        assert here.host.identity.certificate in seen
        assert not [each for each in secrets if each in seen]
