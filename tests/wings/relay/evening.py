"""A host that is reachable only through a relay, on loopback, and its guests."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any

from netcode.client.connection import Connect
from netcode.client.connectors import connector
from netcode.client.session import Session
from netcode.joining.invitation import Invitation
from netcode.limits import Limits
from netcode.protocol.codec import decode_host, encode
from netcode.protocol.messages import Welcome
from netcode.protocol.table_settings import TableSettings
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.snapshot import TableAccess
from netcode.transport.address import Address
from netcode.transport.sockets import open_tcp
from netcode.wings.relay.relay import Relay
from netcode.wings.relay.relay_connection import RelayConnection
from netcode.wings.relay.relay_limits import RelayLimits
from netcode.wings.relay.relay_link import RelayLink
from tests.support.persons import Person
from tests.support.pretend import hello
from tests.support.servers import CODE, NUMBER, SECRET, UNPACED, identity, new_table

RELAY_SECRET = b"for hosts..!"
NOWHERE = Address("127.0.0.1", 9)


class Host:
    """A table behind a server that only the relay reaches."""

    def __init__(self, whose: str = "host", **options: Any) -> None:
        self.identity = identity(whose)
        self.table = new_table(settings=TableSettings(pace_ms=0), **options)
        self.entry = TableEntry(NUMBER, TableAccess(SECRET, CODE), self.table)
        self.server = Server(
            TableRegistry([self.entry]),
            rng=Random(1),
            certificate=self.identity.certificate,
            limits=Limits(connections=64, from_one_address=64, **UNPACED),
        )
        self.connection: RelayConnection | None = None

    async def begin(
        self, link: RelayLink, prefix: str = CODE[:3], **options: Any
    ) -> RelayConnection:
        await self.server.listen(await open_tcp("127.0.0.1", 0), self.identity.context)
        self.connection = RelayConnection(link, self.identity, prefix, self.server.adopt, **options)
        await self.connection.open()
        return self.connection

    async def close(self) -> None:
        if self.connection is not None:
            await self.connection.close()
        await self.server.close()


class Evening:
    """A relay and a host registered there."""

    def __init__(
        self, limits: RelayLimits | None = None, unix_s: Callable[[], float] = lambda: 1.8e9
    ) -> None:
        self.host = Host()
        self.limits = limits
        self.unix_s = unix_s
        self.port = 0
        self.relay: Relay

    async def open_relay(self, secret: bytes = RELAY_SECRET) -> None:
        """Open the relay, at the same port as an earlier one."""
        self.relay = Relay(identity("relay"), secret, self.limits, self.unix_s)
        await self.relay.listen(await open_tcp("127.0.0.1", self.port))
        self.port = self.relay.port

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self.port)

    @property
    def link(self) -> RelayLink:
        return RelayLink((self.address,), identity("relay").pin, RELAY_SECRET)

    @property
    def invitation(self) -> Invitation:
        return Invitation((NOWHERE,), self.host.identity.pin, SECRET, (self.address,))

    def way(self) -> Connect:
        return connector(self.invitation)

    async def is_well(self) -> None:
        """Connect to the host through the relay, and assert a welcome."""
        channel = await self.way()()
        channel.send(encode(hello(secret=SECRET)))
        assert isinstance(decode_host(await channel.receive()), Welcome)
        await channel.close()

    async def raw(self, said: bytes = b"") -> socket.socket:
        """Return a socket that is connected to the relay and has sent these bytes."""
        loop = asyncio.get_running_loop()
        connected = socket.socket()
        connected.setblocking(False)
        await loop.sock_connect(connected, ("127.0.0.1", self.port))
        await loop.sock_sendall(connected, said)
        return connected


@asynccontextmanager
async def evening(limits: RelayLimits | None = None) -> AsyncIterator[Evening]:
    """Open a relay, register a host there, and yield both."""
    here = Evening(limits)
    await here.open_relay()
    try:
        await here.host.begin(here.link)
        yield here
    finally:
        await here.host.close()
        await here.relay.close()


async def ended(connected: socket.socket) -> bytes:
    """Return all received bytes until the other side closes the connection."""
    heard = b""
    with suppress(ConnectionError):
        while data := await asyncio.get_running_loop().sock_recv(connected, 4096):
            heard += data
    connected.close()
    return heard


async def until(happens: Any) -> None:
    """Wait until a condition is true."""
    while not happens():
        await asyncio.sleep(0.005)


class Guest(Person):
    """A player who plays with bots at the table until a game is over."""

    def __init__(self, connect: Connect, name: str, bots: int = 0) -> None:
        super().__init__(connect, name, 1 + bots, bots, session=Session(secret=SECRET))
        self.task = asyncio.create_task(self.play())
