"""Opens a server on this machine: the common part of all kinds of hosts."""

import asyncio
import shlex
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from socket import socket
from typing import Any, Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from driflamme_tui.hosting.host_plans import LOOPBACK
from netcode.isolation import attempt
from netcode.joining.discovery import Announcement, DiscoveryError, announce
from netcode.joining.invitation import INSECURE, JOIN, UNIX, Invitation
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.storage.store import GAMES_KEPT_S, LOBBIES_KEPT_S, Store
from netcode.table.snapshot import Location, TableAccess
from netcode.transport.address import (
    DEFAULT_PORT,
    MOST_ADDRESSES,
    Address,
    is_inside,
    parse_addresses,
)
from netcode.transport.certificate import Identity, load_identity
from netcode.transport.machine_addresses import machine_addresses, machine_numbers

Notify: TypeAlias = Callable[[str], None]
"""A function that shows a sentence to the person who runs the server."""

ADDRESSES_EVERY_S: Final = 3.0
"""Seconds between two checks of this machine's addresses."""

EVERYWHERE: Final = (None, "0.0.0.0", "::")
"""The values of `--bind` that mean all addresses of this machine."""


class Listening(Struct):
    """Listening sockets, and the addresses by which others reach them."""

    opened: TableAccess
    """The invitation, location and parts of the place. The location has the port in use."""
    identity: Identity | None
    """The certificate; None if connections are not encrypted."""
    sockets: list[socket]
    port_forwards: dict[str, tuple[Address, ...]] = field(default_factory=dict)
    """Public addresses from which a router forwards to a port of this machine, by name of the port.
    """
    indirect: tuple[Address, ...] = ()
    """Addresses of other machines that forward connections to this machine."""
    renew_links: Callable[[], object] | None = None
    """Renews the links of the place when the addresses have changed, before subscribers read them.
    """
    subscribers: list[Callable[[], object]] = field(default_factory=list)
    """Functions of wings that are called when the addresses have changed."""
    machine: tuple[str, ...] = ()
    """The addresses of this machine at the last check; the likeliest to work is first."""

    @property
    def addresses(self) -> tuple[Address, ...]:
        """The addresses by which others may reach this machine; the likeliest to work is first."""
        known = dict.fromkeys((*self.port_forwards.get("table", ()), *self.inside))
        return tuple(known)[:MOST_ADDRESSES]

    @property
    def inside(self) -> tuple[Address, ...]:
        """The addresses by which others may reach this machine, except port forwards."""
        return tuple(dict.fromkeys((*self.public, *self._machine_addresses)))[:MOST_ADDRESSES]

    @property
    def location(self) -> Location:
        """The location that the host has chosen, with the port in use."""
        return self.opened.location

    @property
    def port(self) -> int:
        """The TCP port; 0 if no TCP socket listens."""
        return self.location.port or 0

    @property
    def public(self) -> tuple[Address, ...]:
        """The addresses that the host has chosen for links; () if the host has chosen none."""
        public = self.location.public
        return () if public is None else parse_addresses(public, self.port)

    @property
    def is_everywhere(self) -> bool:
        """True if the TCP socket listens on all addresses of this machine."""
        return self.location.unix is None and self.location.bind in EVERYWHERE

    @property
    def _machine_addresses(self) -> tuple[Address, ...]:
        hosts: Sequence[str] = self.machine
        if not self.is_everywhere:
            # On other networks, this machine's local addresses belong to other machines.
            public, bind = self.location.public, self.location.bind
            hosts = [] if public is not None else [bind or LOOPBACK]
        return tuple(Address(host, self.port) for host in hosts)

    def notify_subscribers(self) -> None:
        """Renew the links, and call all subscribers, after the addresses have changed."""
        if self.renew_links is not None:
            self.renew_links()
        for subscriber in self.subscribers:
            attempt(subscriber, subscriber, None)

    def refresh_addresses(self) -> bool:
        """Read this machine's addresses from the system; return True if they have changed.

        Without a network the last known addresses stay. If the sockets listen only on chosen
        addresses, do nothing and return False.
        """
        if not self.is_everywhere:
            return False
        own = tuple(machine_numbers()) or self.machine or tuple(machine_addresses())
        self.machine, before = own, self.machine
        return own != before

    def invitations(self, secret: bytes) -> tuple[str, ...]:
        """Return a link or commands with which others join; the likeliest to work is first."""
        unix = self.location.unix
        if unix is not None:
            return (f"{JOIN} {UNIX} {shlex.quote(unix)}",)
        if self.identity is not None:
            return (str(Invitation(self.addresses, self.identity.pin, secret, self.indirect)),)
        return tuple(f"{JOIN} {INSECURE} {address}" for address in self.addresses)

    def invite(self, entry: TableEntry) -> str:
        """Return the first of a table's `invitations`; "" without an address."""
        return next(iter(self.invitations(entry.secret)), "")

    def close(self) -> None:
        """Close the sockets of a place that could not be opened. A server closes its own."""
        for each in self.sockets:
            each.close()

    async def serve(
        self,
        registry: TableRegistry,
        first: Callable[[Server], object] = lambda _server: None,
        **parts: Any,
    ) -> Server:
        """Start and return the server of these tables.

        `first` is called with the server before it listens. `parts` are further arguments of the
        server.
        """
        identity = self.identity
        certificate = b"" if identity is None else identity.certificate
        server = Server(registry, certificate=certificate, **parts)
        first(server)
        await server.listen(self.sockets, None if identity is None else identity.context)
        return server


async def listen(opened: TableAccess) -> Listening:
    """Open and return sockets as planned.

    Raises:
        ListenError: A socket cannot be opened.
        CertificateError: The certificate cannot be loaded.
    """
    # Import here: a game against bots needs no sockets, and starts faster without this module.
    from netcode.transport.sockets import open_tcp, open_unix

    location = opened.location
    identity = load_identity() if location.encrypted else None
    if location.unix is not None:
        return Listening(opened, identity, [open_unix(Path(location.unix))])
    port = DEFAULT_PORT if location.port is None else location.port
    sockets = await open_tcp(location.bind, port)
    location = replace(location, port=sockets[0].getsockname()[1])
    listening = Listening(replace(opened, location=location), identity, sockets)
    listening.refresh_addresses()
    return listening


async def watch_addresses(listening: Listening) -> None:
    """Refresh this machine's addresses, and notify subscribers of changes, until cancelled.

    Return at once if the sockets listen only on chosen addresses.
    """
    while listening.is_everywhere:
        await asyncio.sleep(ADDRESSES_EVERY_S)
        if listening.refresh_addresses():
            listening.notify_subscribers()


def drop_old(store: Store) -> None:
    """Delete old lobbies, and end games to which nobody has returned for a long time."""
    now = int(time.time())
    store.prune(now - LOBBIES_KEPT_S)
    store.abandon(now - GAMES_KEPT_S)


async def announce_place(server: Server, identity: Identity) -> None:
    """Announce the addresses of a place to holders of its link only, until cancelled.

    Return at once if the place has no private address, since other addresses do not change
    unnoticed. Return at once, too, if the network does not allow announcements.
    """
    listens = tuple(address.host for address in server.addresses)

    def present() -> Announcement:
        return Announcement("", "", server.port, listens, pin=identity.pin)

    if any(is_inside(each) for each in present().addresses()):
        # `driflamme doctor` reports a network without announcements.
        with suppress(DiscoveryError):
            await announce(present)


async def announce_table(
    name: str, entry: TableEntry, server: Server, identity: Identity | None
) -> None:
    """Announce a table and its changes on the local network until cancelled.

    `name` is the name to announce while the table has no host.

    Return at once if the network does not allow announcements.
    """
    listens = tuple(address.host for address in server.addresses)
    pin = b"" if identity is None else identity.pin

    def present() -> Announcement:
        table = entry.table
        assert table is not None
        people, playing = table.participants, table.games.phase != "lobby"
        taken, places = len(people.seats), people.most
        host = people.host()
        called = name if host is None else host.name
        return Announcement(called, entry.prefix, server.port, listens, taken, places, playing, pin)

    # `driflamme doctor` reports a network without announcements.
    with suppress(DiscoveryError):
        await announce(present)
