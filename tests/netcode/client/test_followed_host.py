"""Tests that guests stay with their host when its addresses change."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from msgspec.structs import replace

from netcode.client import followed_host
from netcode.client.connection import Connect, ConnectError
from netcode.client.followed_host import FollowedHost, find_addresses
from netcode.joining.discovery import DiscoveryError, FoundTable
from netcode.joining.invitation import Invitation
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.snapshot import Opened
from netcode.transport.address import MOST_ADDRESSES, Address
from netcode.transport.certificate import Identity
from netcode.transport.channel import Channel, memory_channel
from netcode.transport.sockets import open_tcp
from tests.netcode.client.test_connection import lobby
from tests.support.servers import CODE, NUMBER, SECRET, here, make_identity, new_table

HOME = Address("192.168.1.20", 4000)
ELSEWHERE = Address("table.example", 4000)


@pytest.fixture(scope="module")
def identity() -> Identity:
    return make_identity()


@asynccontextmanager
async def encrypted(identity: Identity) -> AsyncIterator[Server]:
    """Open an encrypted table on this machine."""
    registry = TableRegistry([TableEntry(NUMBER, Opened(SECRET, CODE), new_table())])
    async with Server(registry, certificate=identity.certificate) as server:
        await server.listen(await open_tcp("127.0.0.1", 0), identity.context)
        yield server


class Network:
    """A host that answers at its current addresses, and the announcements on its local network."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.answers = True
        self.tried: list[tuple[Address, ...]] = []
        self.announced: Sequence[Address] = ()
        self.prefixes: list[str] = []
        monkeypatch.setattr(followed_host, "connector", self.connector)

    def connector(self, invitation: Invitation) -> Connect:
        async def connect() -> Channel:
            self.tried.append(invitation.addresses)
            if not self.answers:
                raise ConnectError("Nobody answers.")
            return memory_channel()[0]

        return connect

    async def find(self, prefix: str) -> Sequence[Address]:
        self.prefixes.append(prefix)
        return self.announced


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    return Network(monkeypatch)


async def was_there(identity: Identity, network: Network, *addresses: Address) -> FollowedHost:
    """Return the host of a link after a visit to its table; from now on, no address answers."""
    host = FollowedHost(Invitation(addresses, identity.pin, SECRET), network.find)
    await host.connect()
    host.see(replace(lobby(str(host.invitation)), code=CODE))
    network.answers = False
    return host


async def test_a_host_that_has_moved_is_found_by_its_announcement_and_its_certificate(
    identity: Identity, network: Network
) -> None:
    host = await was_there(identity, network, HOME)
    async with encrypted(make_identity()) as somebody_else, encrypted(identity) as server:
        network.announced = (here(somebody_else), here(server))
        await (await host.connect()).close()
        assert network.prefixes == [CODE[:3]]
        network.announced = (here(somebody_else),)
        with pytest.raises(ConnectError):
            await host.connect()
        assert somebody_else.connections == 0, "nobody has said a byte to them"
    network.announced = ()
    with pytest.raises(ConnectError):
        await host.connect()


async def test_who_was_never_there_and_who_is_in_no_home_is_looked_for_nowhere(
    identity: Identity, network: Network
) -> None:
    network.answers = False
    fresh = FollowedHost(Invitation((HOME,), identity.pin, SECRET), network.find)
    with pytest.raises(ConnectError):
        await fresh.connect()
    network.answers = True
    far = await was_there(identity, network, ELSEWHERE)
    with pytest.raises(ConnectError):
        await far.connect()
    assert network.prefixes == []


async def test_what_a_host_tells_of_its_addresses_is_used_from_then_on(
    identity: Identity, network: Network
) -> None:
    host = await was_there(identity, network, HOME)
    moved = Invitation((Address("10.0.0.7"),), identity.pin, SECRET, (ELSEWHERE,))
    host.see(lobby(str(moved)))
    assert host.invitation == Invitation(
        (Address("10.0.0.7"), HOME), identity.pin, SECRET, (ELSEWHERE,)
    )
    known = host.invitation
    for other in ("", "driflamme join --insecure h", str(Invitation((HOME,), bytes(16), SECRET))):
        host.see(lobby(other))
        assert host.invitation == known
    many = tuple(Address(f"10.0.0.{each}") for each in range(MOST_ADDRESSES))
    host.see(lobby(str(Invitation(many, identity.pin, SECRET))))
    assert host.invitation.addresses == many
    with pytest.raises(ConnectError):
        await host.connect()
    assert network.tried[-1] == many


async def test_of_announced_tables_those_of_the_room_are_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def found(_seconds: float) -> list[FoundTable]:
        return [
            FoundTable("Ada", HOME, "K7Q", 1),
            FoundTable("Bob", Address("192.168.1.21"), "B2C", 1),
        ]

    async def refuse(_seconds: float) -> list[FoundTable]:
        raise DiscoveryError("This machine is not on a network.")

    monkeypatch.setattr(followed_host, "find_tables", found)
    assert list(await find_addresses("K7Q")) == [HOME]
    monkeypatch.setattr(followed_host, "find_tables", refuse)
    assert list(await find_addresses("K7Q")) == []
