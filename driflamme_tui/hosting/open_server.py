"""Opening a server on this machine, for one table or for a club: what both have in common."""

import asyncio
import shlex
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from socket import socket
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from driflamme_tui.hosting.host_plans import LOOPBACK
from netcode.joining.discovery import Announcement, DiscoveryError, announce
from netcode.joining.invitation import INSECURE, JOIN, MOST_RELAYS, UNIX, Invitation
from netcode.server.server import Server
from netcode.server.status import StatusSocket, status_path
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.storage.store import GAMES_KEPT_S, LOBBIES_KEPT_S, Store
from netcode.table.snapshot import Opened
from netcode.transport.address import (
    MOST_ADDRESSES,
    Address,
    parse_addresses,
)
from netcode.transport.certificate import Identity, load_identity
from netcode.transport.own_addresses import own_addresses, own_numbers
from netcode.wings.relay.relay_link import parse_relay_link

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
    outside: tuple[Address, ...] = ()
    """Where a router lets others in from other homes."""
    own: tuple[str, ...] = ()
    """The addresses of this machine when it was last asked, the likeliest first."""

    @property
    def addresses(self) -> tuple[Address, ...]:
        """Where others may reach this machine, the likeliest first."""
        known = dict.fromkeys((*self.outside, *self.public, *self._own_ones))
        return tuple(known)[:MOST_ADDRESSES]

    @property
    def public(self) -> tuple[Address, ...]:
        """The addresses that the host has chosen for links."""
        opened = self.opened
        return () if opened.public is None else parse_addresses(opened.public, opened.port)

    @property
    def is_everywhere(self) -> bool:
        """Whether it listens on all addresses of this machine."""
        return self.opened.unix is None and self.opened.bind in EVERYWHERE

    @property
    def _own_ones(self) -> tuple[Address, ...]:
        hosts: Sequence[str] = self.own
        if not self.is_everywhere:
            # Who is told of another way comes from elsewhere, where this address means another
            # machine.
            hosts = [] if self.opened.public is not None else [self.opened.bind or LOOPBACK]
        return tuple(Address(host, self.opened.port) for host in hosts)

    def look_again(self) -> bool:
        """Ask the system for this machine's addresses; return whether they are others.

        A machine that is in no network for a while has its former addresses.
        """
        if not self.is_everywhere:
            return False
        own = tuple(own_numbers()) or self.own or tuple(own_addresses())
        self.own, before = own, self.own
        return own != before

    @property
    def relays(self) -> tuple[Address, ...]:
        """Where a relay leads others here who do not reach this machine."""
        relay = self.opened.relay
        return () if relay is None else parse_relay_link(relay).addresses[:MOST_RELAYS]

    def invitations(self, secret: bytes) -> tuple[str, ...]:
        """Return what others join with: a link, or else commands, the likeliest to work first."""
        opened = self.opened
        if opened.unix is not None:
            return (f"{JOIN} {UNIX} {shlex.quote(opened.unix)}",)
        if self.identity is not None:
            return (str(Invitation(self.addresses, self.identity.pin, secret, self.relays)),)
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

    encrypted = not opened.plain and opened.unix is None
    identity = load_identity() if encrypted else None
    if opened.unix is not None:
        return Listening(opened, identity, [open_unix(Path(opened.unix))])
    sockets = await open_tcp(opened.bind, opened.port, command)
    listening = Listening(replace(opened, port=sockets[0].getsockname()[1]), identity, sockets)
    listening.look_again()
    return listening


async def keep_links(listening: Listening, moved: Callable[[], object]) -> None:
    """Look for other addresses of this machine until cancelled; call `moved` at each change."""
    while listening.is_everywhere:
        await asyncio.sleep(FOLLOW_S)
        if listening.look_again():
            moved()


def hosts_only(addresses: str | None) -> str | None:
    """Return addresses with commas between them, without their ports."""
    if addresses is None:
        return None
    return ",".join(each.host for each in parse_addresses(addresses))


async def tells_status(
    port: int, status: Callable[[], dict[str, Any]], notify: Notify
) -> StatusSocket | None:
    """Answer those on this machine who ask for the status of what listens on a port."""
    try:
        return await StatusSocket.open(status_path(port), status)
    except OSError as error:
        notify(error.strerror or str(error))
        return None


def drop_old(store: Store, *, club: bool) -> None:
    """Remove what nobody has come back to for long, of clubs or of single tables."""
    now = int(time.time())
    store.prune(now - LOBBIES_KEPT_S)
    store.abandon(now - GAMES_KEPT_S, club=club)


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
