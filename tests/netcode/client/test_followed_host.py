"""Tests that guests find their host again when its addresses change."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from random import Random

import pytest

from netcode.client import followed_host
from netcode.client.connection import Connect, ConnectError
from netcode.client.followed_host import MOST_AT_ONCE, MOST_TRIED, FollowedHost
from netcode.client.reconnection import Connected, HostMoved, News, stay_connected
from netcode.client.session import Session
from netcode.joining.discovery import DiscoveryError
from netcode.joining.invitation import Invitation
from netcode.protocol.codec import encode
from netcode.protocol.messages import Welcome
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.snapshot import TableAccess
from netcode.transport.address import MOST_ADDRESSES, Address
from netcode.transport.certificate import PIN_BYTES, Identity
from netcode.transport.channel import Channel, memory_channel
from netcode.transport.sockets import open_tcp
from tests.netcode.client.test_connection import lobby
from tests.netcode.client.test_session import welcome
from tests.netcode.simulation.clockwork import in_no_time
from tests.support.servers import CODE, NUMBER, SECRET, here, make_identity, new_table

HOME = Address("192.168.1.20", 4000)
ELSEWHERE = Address("table.example", 4000)
MOVED_TO = "127.0.0.2"
BACK_WITHIN_S = 30.0
"""Maximum seconds from the announcement of the new address to the guest's return."""


@pytest.fixture(scope="module")
def identity() -> Identity:
    return make_identity()


@asynccontextmanager
async def encrypted(identity: Identity, host: str = "127.0.0.1") -> AsyncIterator[Server]:
    """Open an encrypted table on this machine; yield its server."""
    registry = TableRegistry([TableEntry(NUMBER, TableAccess(SECRET, CODE), new_table())])
    async with Server(registry, certificate=identity.certificate) as server:
        await server.listen(await open_tcp(host, 0), identity.context)
        yield server


class Announcements:
    """The announcements on a local network that have the right mark."""

    def __init__(self, *addresses: Address) -> None:
        self.addresses: Sequence[Address] = addresses
        self.pins: list[bytes] = []
        self.prefixes: list[str] = []
        self.listeners: list[Callable[[tuple[Address, ...]], object]] = []

    @asynccontextmanager
    async def search(
        self, pin: bytes, prefix: str, found: Callable[[tuple[Address, ...]], object]
    ) -> AsyncIterator[None]:
        self.pins.append(pin)
        self.prefixes.append(prefix)
        self.listeners.append(found)
        for address in self.addresses:
            found((address,))
        try:
            yield
        finally:
            self.listeners.remove(found)

    def announce(self, *addresses: Address) -> None:
        """Replace the addresses, and announce each new one to the listeners."""
        self.addresses = addresses
        for found in self.listeners:
            for address in addresses:
                found((address,))


class Network:
    """A network that records calls; the host answers at its present address only.

    Other addresses are silent, or belong to other hosts, who refuse at once.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.host: Address | None = HOME
        self.others: set[Address] = set()
        self.called: list[Address] = []
        self.at_once = self.most_at_once = 0
        self.far: list[Channel] = []
        """The host's ends of all connections."""
        monkeypatch.setattr(followed_host, "connect_tcp", self.connect_tcp)
        monkeypatch.setattr(followed_host, "connector", self.connector)

    def connector(self, invitation: Invitation) -> Connect:
        async def connect() -> Channel:
            ways = [self._call(each, 10.0) for each in invitation.addresses]
            reached = await asyncio.gather(*ways, return_exceptions=True)
            for each in reached:
                if not isinstance(each, BaseException):
                    return each
            raise ConnectError("No known address answers.")

        return connect

    async def connect_tcp(
        self, address: Address, context: ssl.SSLContext, timeout: float
    ) -> Channel:
        self.called.append(address)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return await self._call(address, timeout)
        finally:
            self.at_once -= 1

    async def _call(self, address: Address, timeout: float) -> Channel:
        if address == self.host:
            near, far = memory_channel()
            self.far.append(far)
            return near
        if address not in self.others:
            await asyncio.sleep(timeout)
        raise ConnectError("It is not the host.")

    async def lose(self) -> None:
        """Take the host off the network, and break its connections."""
        self.host = None
        for far in self.far:
            far.abort()


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    return Network(monkeypatch)


def addresses_of(host: FollowedHost) -> tuple[Address, ...]:
    return host.invitation.addresses


def link_to(*addresses: Address) -> Invitation:
    return Invitation(addresses, bytes(PIN_BYTES), SECRET)


async def test_a_moved_host_is_found_by_its_announcement_and_its_certificate(
    identity: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    near = Announcements()
    async with encrypted(make_identity()) as somebody_else, encrypted(identity) as server:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            nobody = Address(*unused.getsockname())
            host = FollowedHost(Invitation((nobody,), identity.pin, SECRET), near.search)
            near.addresses = (here(somebody_else), here(server))
            await (await host.connect()).close()
            assert near.pins == [identity.pin]
            assert (addresses_of(host), host.moved()) == ((nobody,), None), "nobody is let in yet"
            host.accept()
            assert addresses_of(host) == (here(server), nobody)
            assert [host.moved(), host.moved()] == [HostMoved(here(server)), None]
            host.see(lobby(str(Invitation((HOME,), identity.pin, SECRET))))
            assert addresses_of(host) == (HOME, here(server), nobody)
            host.invitation = Invitation((nobody,), identity.pin, SECRET)
            near.addresses = (here(somebody_else),)
            monkeypatch.setattr(followed_host, "SEARCH_S", 0.3)
            with pytest.raises(ConnectError, match="No table is open"):
                await host.connect()
        assert somebody_else.connections == 0, "the other host got no message"


def offline(_pin: bytes, _prefix: str, _found: object) -> nullcontext[None]:
    raise DiscoveryError("This machine is not on a network: connect it first.")


@in_no_time
async def test_without_announcements_the_error_is_about_the_known_addresses(
    network: Network,
) -> None:
    network.host = None
    for search in (Announcements().search, offline):
        host = FollowedHost(link_to(HOME), search)
        with pytest.raises(ConnectError, match="No known address answers"):
            await host.connect()


async def test_only_other_machines_are_searched() -> None:
    for address, is_searched in (
        (HOME, True),
        (Address("2001:db8::20"), True),
        (ELSEWHERE, True),
        (Address("127.0.0.1"), False),
        (Address("::1"), False),
        (Address("localhost"), False),
    ):
        host = FollowedHost(link_to(address))
        assert (host._search is not None) == is_searched


async def test_a_host_name_is_looked_up_again_for_each_attempt(
    identity: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [MOVED_TO, "127.0.0.1"]

    async def resolved(_host: str, port: int, **_options: object) -> list[object]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (numbers.pop(0), port))]

    async with encrypted(identity) as server:
        named = Address("table.example", server.port)
        host = FollowedHost(Invitation((named,), identity.pin, SECRET), offline)
        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolved)
        with pytest.raises(ConnectError):
            await host.connect()
        await (await host.connect()).close()
    assert numbers == []
    assert addresses_of(host) == (named,), "the name leads to the host again"


async def test_the_addresses_of_the_hosts_own_invitation_are_used_from_then_on() -> None:
    host = FollowedHost(link_to(HOME), Announcements().search)
    moved = Invitation((Address("10.0.0.7"),), bytes(PIN_BYTES), SECRET, (ELSEWHERE,))
    host.see(lobby(str(moved)))
    known = replace_addresses(moved, Address("10.0.0.7"), HOME)
    assert host.invitation == known
    other_pin = Invitation((HOME,), b"another host's pin"[:PIN_BYTES], SECRET)
    for other in ("", "driflamme join --insecure h", str(other_pin)):
        host.see(lobby(other))
        assert host.invitation == known
    many = tuple(Address(f"10.0.0.{each}") for each in range(MOST_ADDRESSES))
    host.see(lobby(str(Invitation(many, bytes(PIN_BYTES), SECRET))))
    assert host.invitation.addresses == many


def replace_addresses(invitation: Invitation, *addresses: Address) -> Invitation:
    return Invitation(addresses, invitation.pin, invitation.secret, invitation.indirect)


@in_no_time
async def test_an_answer_of_a_known_address_ends_the_search(network: Network) -> None:
    near = Announcements(HOME)
    host = FollowedHost(link_to(HOME), near.search)
    await host.connect()
    assert (near.pins, network.called, host.moved()) == ([], [], None)


@in_no_time
async def test_thousands_of_announcements_with_the_mark_cost_a_bounded_number_of_calls(
    network: Network,
) -> None:
    network.host = None
    false = [Address(f"10.0.{n // 250}.{n % 250}", 1 + n) for n in range(5000)]
    same = [Address("10.9.9.9", port) for port in range(1, 5000)]
    network.others = {*false[::2]}
    loop = asyncio.get_running_loop()
    before = loop.time()
    with pytest.raises(ConnectError):
        await FollowedHost(link_to(HOME), Announcements(*same, *false).search).connect()
    assert len(network.called) == MOST_TRIED
    assert network.most_at_once <= MOST_AT_ONCE
    assert loop.time() - before < BACK_WITHIN_S


@pytest.mark.parametrize("seed", range(40))
def test_a_guest_is_back_within_half_a_minute_of_the_announcement(
    seed: int, network: Network
) -> None:
    rng = Random(seed)
    flood = [Address(f"10.0.0.{n}", rng.randint(1, 9)) for n in range(1, rng.choice((1, 20, 250)))]
    network.others = {each for each in flood if rng.random() < 0.5}
    new = Address("10.0.0.77", 4000)
    near = Announcements()
    back_after: list[float] = []
    news: list[News] = []

    @in_no_time
    async def evening() -> None:
        loop = asyncio.get_running_loop()
        host = FollowedHost(link_to(HOME), near.search)
        is_back = asyncio.Event()

        def take(each: News) -> None:
            news.append(each)
            if isinstance(each, Connected):
                network.far[-1].send(encode(welcome()))
            if isinstance(each, Welcome) and network.host == new:
                is_back.set()

        session = Session(secret=SECRET)
        staying = asyncio.create_task(
            stay_connected(host.connect, session, "Ada", take, route=host, rng=Random(seed))
        )
        await asyncio.sleep(rng.random() * 3)
        near.addresses = flood
        await network.lose()
        # The host has no address for a while, until it has joined the new network.
        await asyncio.sleep(rng.choice((0.0, 2.0, 10.0, 60.0, 300.0)) * rng.random())
        network.host = new
        announced_at = loop.time()
        mixed = [*flood, new]
        rng.shuffle(mixed)
        near.announce(*mixed)
        await is_back.wait()
        back_after.append(loop.time() - announced_at)
        assert host.invitation.addresses[0] == new
        assert host.moved() == HostMoved(new)
        staying.cancel()
        with suppress(asyncio.CancelledError):
            await staying

    evening()
    assert back_after[0] < BACK_WITHIN_S, f"back only after {back_after[0]:.1f} s"


@asynccontextmanager
async def old_address(server: Server, port: int) -> AsyncIterator[Callable[[], None]]:
    """Let a table listen at 127.0.0.1 too, until the yielded function is called."""
    pipes: set[asyncio.StreamWriter] = set()

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            writer.write(data)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(MOVED_TO, server.port)
        pipes.update((writer, far_writer))
        with suppress(OSError, asyncio.CancelledError):
            await asyncio.gather(copy(reader, far_writer), copy(far_reader, writer))

    listener = await asyncio.start_server(serve, "127.0.0.1", port)

    def leave() -> None:
        listener.close()
        for writer in pipes:
            writer.transport.abort()

    try:
        yield leave
    finally:
        leave()


async def test_a_guest_comes_back_to_its_seat_at_another_address_of_this_machine(
    identity: Identity,
) -> None:
    try:
        socket.create_server((MOVED_TO, 0)).close()
    except OSError:
        pytest.skip(f"this system has no address {MOVED_TO}")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    near = Announcements()
    async with encrypted(identity, MOVED_TO) as server, old_address(server, port) as leave:
        before, after = Address("127.0.0.1", port), Address(MOVED_TO, server.port)
        host = FollowedHost(Invitation((before,), identity.pin, SECRET), near.search)
        session = Session(secret=SECRET)
        welcomed = asyncio.Queue[str | None]()

        def take(news: News) -> None:
            if isinstance(news, Welcome):
                welcomed.put_nowait(news.family)

        staying = asyncio.create_task(
            stay_connected(host.connect, session, "Ada", take, route=host)
        )
        family = await welcomed.get()
        near.addresses = (after,)
        leave()
        async with asyncio.timeout(BACK_WITHIN_S):
            assert await welcomed.get() == family
        assert host.moved() == HostMoved(after)
        staying.cancel()
        with suppress(asyncio.CancelledError):
            await staying
