"""Opening tables on this machine: what the app, a headless host and a game of bots share."""

import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random, SystemRandom
from typing import TYPE_CHECKING

from driflamme_tui.seat.plans import LOOPBACK, Alone, Host
from driflamme_tui.text.i18n import _
from engine.words import N_
from netcode.joining.discovery import Announcement, Announcer, DiscoveryError
from netcode.joining.invitation import Invitation
from netcode.joining.spoken_code import new_code
from netcode.protocol.messages import KEY_BYTES, SECRET_BYTES
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.storage.journal import Journal
from netcode.storage.store import GAMES_KEPT_S, LOBBIES_KEPT_S, Store
from netcode.table.entries import Opened, Snapshot, new_number
from netcode.table.errors import StoreError
from netcode.table.table import Table
from netcode.transport.address import DEFAULT_PORT, Address, own_addresses, parse_address
from netcode.transport.certificate import Identity, load_identity
from netcode.transport.channel import Channel

if TYPE_CHECKING:
    from driflamme_tui.lesson.guided_game import Lesson

Tell = Callable[[str], None]
"""Takes a sentence for whoever hosts a table."""

EVERYWHERE = (None, "0.0.0.0", "::")
"""What stands for all addresses of this machine."""


@dataclass(slots=True)
class OpenTable:
    """A table that is open, and how its owner gets there."""

    server: Server
    entry: TableEntry
    owner_key: bytes | None
    """Makes its holder the host; None when the first to sit down is."""
    invitations: tuple[str, ...] = ()
    """What others join with, the likeliest to work first: links, or commands where nothing is
    encrypted; none at a table that nobody else can reach."""
    secure: bool | None = None
    """Whether nobody on the way to it can read along; None if there is no way to it."""
    announcer: Announcer | None = None
    lesson: "Lesson | None" = None
    """What is learnt there, if it is the table of the guided first game."""

    async def connect(self) -> Channel:
        """Return a connection for a client in this program."""
        return self.server.connect()

    async def close(self) -> None:
        """Say goodbye to everybody and stop."""
        if self.announcer is not None:
            await self.announcer.stop()
        await self.server.close()


def say_nothing(sentence: str) -> None:
    """Keep to oneself what there is to tell."""


async def open_alone(plan: Alone, *, unattended: bool = False) -> OpenTable:
    """Open a table for one person and bots: it listens nowhere and is not kept.

    With `unattended`, bots play on while no person is present.
    """
    rng = random_for(plan.seed)
    owner_key = new_key()
    table = Table(rng, new_key, owner_key=owner_key, unattended=unattended, settings=plan.settings)
    entry = TableEntry(
        new_number(rng),
        secrets.token_bytes(SECRET_BYTES),
        new_code(secrets.token_bytes, ()),
        table,
    )
    return OpenTable(Server(TableRegistry([entry], is_open=True)), entry, owner_key)


async def open_table(
    plan: Host,
    *,
    owned: bool,
    name: str = "",
    tell: Tell = say_nothing,
) -> OpenTable:
    """Open a table as planned.

    Raises ListenError, CertificateError, and StoreError if it cannot be resumed.

    Args:
        plan: Where it listens and how it begins.
        owned: Whether somebody on this machine is its host, rather than the first who comes.
            A table that was not owned when it was opened is not when it is resumed either.
        name: Of its host, if it has one: the local network is told.
        tell: Is given sentences for the host about the journal, now or later.
    """
    # A game against bots needs no sockets, and is there sooner without them.
    from netcode.transport.sockets import open_tcp, open_unix

    store, number, kept = _resume() if plan.resume else _open_store(tell)
    try:
        identity, opened = _way(plan, kept)
        sockets = (
            [open_unix(Path(opened.unix))]
            if opened.unix is not None
            else await open_tcp(opened.bind, opened.port)
        )
    except BaseException:
        if store is not None:
            store.close()
        raise
    if opened.unix is None:
        opened = replace(opened, port=sockets[0].getsockname()[1])
    owned = owned and (kept is None or kept.table.owner is not None)
    owner_key = new_key() if owned else None
    rng = random_for(plan.seed)
    if kept is None:
        table = Table(
            rng,
            new_key,
            owner_key=owner_key,
            settings=plan.settings,
            # An owner's program asks for the bots itself, once its owner has sat down.
            bots=() if owned else plan.bots,
        )
    else:
        table = Table.restore(kept, rng, new_key, owner_key)
    entry = TableEntry(number, opened.secret, opened.code, table, former=opened.former)
    invitations = _invitations(opened, identity, opened.secret)
    invitation = invitations[0] if invitations else ""
    if identity is None:
        table.set_invitation(invitation)
    else:
        table.set_invitation(invitation, opened.code, opened.secret)
    journal = None
    if store is not None:
        journal = Journal(
            store,
            lambda _table, error: tell(_not_kept(error)),
            lambda: tell(_("What happens at the table is kept again.")),
        )
    server = Server(
        TableRegistry(
            [entry],
            is_open=identity is None,
            invite=lambda entry: next(iter(_invitations(opened, identity, entry.secret)), ""),
        ),
        journal=journal,
        certificate=b"" if identity is None else identity.certificate,
    )
    server.keep_opened(entry, opened)
    await server.listen(sockets, None if identity is None else identity.server_context())
    opened_table = OpenTable(server, entry, owner_key, invitations, secure=identity is not None)
    if plan.announce and identity is not None:
        opened_table.announcer = await _announce(entry.room, name, server)
    return opened_table


async def _announce(room: str, name: str, server: Server) -> Announcer | None:
    """Tell the local network of a table, if there is one that can be told."""
    listens = tuple(address.host for address in server.addresses)
    announcer = Announcer(Announcement(name, room, server.port, listens))
    with suppress(DiscoveryError):
        await announcer.start()
        return announcer
    return None


def random_for(seed: int | None) -> Random:
    """Return what decides the deals: nothing that can be guessed, without a seed."""
    return SystemRandom() if seed is None else Random(seed)


def new_key() -> bytes:
    """Return a fresh key to a seat."""
    return secrets.token_bytes(KEY_BYTES)


def reachable(bind: str | None, port: int, public: Address | None) -> list[Address]:
    """Return the addresses at which others may reach this machine, the likeliest first."""
    if public is not None:
        return [public]
    hosts = own_addresses() if bind in EVERYWHERE else [bind or LOOPBACK]
    return [Address(host, port) for host in hosts]


def _resume() -> tuple[Store, int, Snapshot]:
    """Return the latest unfinished table and where it is kept; raises StoreError."""
    store = Store.open()
    try:
        found = store.unfinished()
        if found is None:
            raise StoreError(N_("There is no unfinished table on this machine."))
        return store, found.table, store.load(found.table)
    except StoreError:
        store.close()
        raise


def _open_store(tell: Tell) -> tuple[Store | None, int, None]:
    """Return where a new table is to be kept, if it is; a journal that fails stops no game."""
    number = new_number(SystemRandom())
    try:
        store = Store.open()
        now = int(time.time())
        store.prune(now - LOBBIES_KEPT_S)
        store.abandon(now - GAMES_KEPT_S, club=False)
        found = store.unfinished()
        store.claim(number)
    except StoreError as error:
        tell(_not_kept(error))
        return None, number, None
    if found is not None and found.playing:
        tell(_("A game was cut short here: driflamme host --resume would bring it back."))
    return store, number, None


def _not_kept(error: StoreError) -> str:
    return _("{why} Play goes on, but it could not be resumed.").format(why=error.sentence(_))


def _way(plan: Host, kept: Snapshot | None) -> tuple[Identity | None, Opened]:
    """Return how others get to the table: as planned, and else as they did before."""
    if kept is None:
        opened = Opened(
            secret=secrets.token_bytes(SECRET_BYTES),
            code=new_code(secrets.token_bytes, ()),
            bind=plan.bind,
            port=DEFAULT_PORT if plan.port is None else plan.port,
            public=None if plan.public is None else str(plan.public),
            plain=plan.plain,
            unix=None if plan.unix is None else str(plan.unix),
        )
    else:
        opened = kept.opened
        if plan.bind is not None:
            opened = replace(opened, bind=plan.bind)
        if plan.port is not None:
            opened = replace(opened, port=plan.port)
        if plan.public is not None:
            opened = replace(opened, public=str(plan.public))
    encrypted = not opened.plain and opened.unix is None
    return load_identity() if encrypted else None, opened


def _invitations(opened: Opened, identity: Identity | None, secret: bytes) -> tuple[str, ...]:
    if opened.unix is not None:
        return (f"driflamme join --unix {opened.unix}",)
    public = None if opened.public is None else parse_address(opened.public)
    addresses = reachable(opened.bind, opened.port, public)
    if identity is None:
        return tuple(f"driflamme join --insecure {address}" for address in addresses)
    return tuple(str(Invitation(address, identity.pin, secret)) for address in addresses)
