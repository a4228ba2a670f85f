"""Opening a server on this machine, for one table or for a club: what both have in common."""

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
from netcode.joining.discovery import Announcement, DiscoveryError, announce
from netcode.joining.invitation import INSECURE, JOIN, UNIX, Invitation
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.storage.store import GAMES_KEPT_S, LOBBIES_KEPT_S, Store
from netcode.table.snapshot import Location, Opened
from netcode.transport.address import (
    DEFAULT_PORT,
    MOST_ADDRESSES,
    Address,
    parse_addresses,
)
from netcode.transport.certificate import Identity, load_identity
from netcode.transport.own_addresses import own_addresses, own_numbers

Notify: TypeAlias = Callable[[str], None]
"""Takes a sentence for whoever runs the server."""

FOLLOW_S: Final = 3.0
"""Seconds between two looks at whether this machine has other addresses."""

EVERYWHERE: Final = (None, "0.0.0.0", "::")
"""The values of `--bind` that stand for all addresses of this machine."""


class Listening(Struct):
    """Sockets that are open, and what others need to come in by them."""

    opened: Opened
    """Where they are, with the port that the system chose if none was asked for."""
    identity: Identity | None
    """None where nothing is encrypted."""
    sockets: list[socket]
    port_forwards: dict[str, tuple[Address, ...]] = field(default_factory=dict)
    """Public addresses that are forwarded to a port here, by the names of the ports."""
    indirect: tuple[Address, ...] = ()
    """Addresses of other machines that forward connections to this one."""
    subscribers: list[Callable[[], object]] = field(default_factory=list)
    """Are called when the addresses have changed."""
    own: tuple[str, ...] = ()
    """The addresses of this machine when it was last asked, the likeliest first."""

    @property
    def addresses(self) -> tuple[Address, ...]:
        """Where others may reach this machine, the likeliest first."""
        known = dict.fromkeys((*self.port_forwards.get("table", ()), *self.inside))
        return tuple(known)[:MOST_ADDRESSES]

    @property
    def inside(self) -> tuple[Address, ...]:
        """The same without those of port forwards."""
        return tuple(dict.fromkeys((*self.public, *self._own_ones)))[:MOST_ADDRESSES]

    @property
    def location(self) -> Location:
        """Where it listens, as it was asked for."""
        return self.opened.location

    @property
    def port(self) -> int:
        """The TCP port; 0 if it does not listen on TCP."""
        return self.location.port or 0

    @property
    def public(self) -> tuple[Address, ...]:
        """The addresses that the host has chosen for links."""
        public = self.location.public
        return () if public is None else parse_addresses(public, self.port)

    @property
    def is_everywhere(self) -> bool:
        """Whether it listens on all addresses of this machine."""
        return self.location.unix is None and self.location.bind in EVERYWHERE

    @property
    def _own_ones(self) -> tuple[Address, ...]:
        hosts: Sequence[str] = self.own
        if not self.is_everywhere:
            # Who is told of another way comes from elsewhere, where this address means another
            # machine.
            public, bind = self.location.public, self.location.bind
            hosts = [] if public is not None else [bind or LOOPBACK]
        return tuple(Address(host, self.port) for host in hosts)

    def tell_changes(self) -> None:
        """Call all subscribers, after the addresses have changed."""
        for subscriber in self.subscribers:
            subscriber()

    def look_again(self) -> bool:
        """Ask the system for this machine's addresses; return whether they are others.

        A machine that is in no network for a while has its former addresses.
        """
        if not self.is_everywhere:
            return False
        own = tuple(own_numbers()) or self.own or tuple(own_addresses())
        self.own, before = own, self.own
        return own != before

    def invitations(self, secret: bytes) -> tuple[str, ...]:
        """Return what others join with: a link, or else commands, the likeliest to work first."""
        unix = self.location.unix
        if unix is not None:
            return (f"{JOIN} {UNIX} {shlex.quote(unix)}",)
        if self.identity is not None:
            return (str(Invitation(self.addresses, self.identity.pin, secret, self.indirect)),)
        return tuple(f"{JOIN} {INSECURE} {address}" for address in self.addresses)

    def invite(self, entry: TableEntry) -> str:
        """Return the invitation to a table, the likeliest to work."""
        return next(iter(self.invitations(entry.secret)), "")

    async def serve(
        self,
        registry: TableRegistry,
        first: Callable[[Server], object] = lambda _server: None,
        **parts: Any,
    ) -> Server:
        """Return the server of these tables, which listens; `first` is done before it does."""
        identity = self.identity
        certificate = b"" if identity is None else identity.certificate
        server = Server(registry, certificate=certificate, **parts)
        first(server)
        await server.listen(self.sockets, None if identity is None else identity.context)
        return server


async def listen(opened: Opened, command: str = "host") -> Listening:
    """Open sockets as planned for a command; raises ListenError and CertificateError."""
    # A game against bots needs no sockets, and is there sooner without them.
    from netcode.transport.sockets import open_tcp, open_unix

    location = opened.location
    identity = load_identity() if location.encrypted else None
    if location.unix is not None:
        return Listening(opened, identity, [open_unix(Path(location.unix))])
    port = DEFAULT_PORT if location.port is None else location.port
    sockets = await open_tcp(location.bind, port, command)
    location = replace(location, port=sockets[0].getsockname()[1])
    listening = Listening(replace(opened, location=location), identity, sockets)
    listening.look_again()
    return listening


async def keep_links(listening: Listening) -> None:
    """Look for other addresses of this machine until cancelled."""
    while listening.is_everywhere:
        await asyncio.sleep(FOLLOW_S)
        if listening.look_again():
            listening.tell_changes()


def drop_old(store: Store) -> None:
    """Remove lobbies and games to which nobody has come back for long."""
    now = int(time.time())
    store.prune(now - LOBBIES_KEPT_S)
    store.abandon(now - GAMES_KEPT_S)


async def keep_announced(name: str, entry: TableEntry, server: Server) -> None:
    """Tell the local network of a table and its host, and what changes there, until cancelled."""
    listens = tuple(address.host for address in server.addresses)

    def present() -> Announcement:
        table = entry.table
        assert table is not None
        people, playing = table.participants, table.games.phase != "lobby"
        taken, places = len(people.seats), people.most
        return Announcement(name, entry.room, server.port, listens, taken, places, playing)

    # Of a network where nothing can be told, doctor says so.
    with suppress(DiscoveryError):
        await announce(present)
