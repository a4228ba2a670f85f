"""Opening a table on this machine: what the app, a headless host and a game of bots share."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from random import Random, SystemRandom

from driflamme_tui.i18n import _
from driflamme_tui.plans import LOOPBACK, Host
from engine.words import N_
from netcode.address import Address, own_addresses
from netcode.journal import Journal
from netcode.keeping import Kept, StoreError, new_number
from netcode.messages import KEY_BYTES
from netcode.server import Server, ServerError
from netcode.store import Store
from netcode.table import Table


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table that is open, and how its owner gets there."""

    server: Server
    address: Address
    """For a client on this machine."""
    owner_key: bytes | None
    """Makes its holder the host; None when the first to sit down is."""
    invitations: tuple[str, ...]
    """The commands that others type, the likeliest to work first; none on loopback."""

    async def close(self) -> None:
        """Say goodbye to everybody and stop."""
        await self.server.close()


def say_nothing(sentence: str) -> None:
    """Keep to oneself what there is to tell."""


async def open_table(
    plan: Host,
    *,
    owned: bool,
    unattended: bool = False,
    tell: Callable[[str], None] = say_nothing,
) -> OpenTable:
    """Open a table as planned; raises ServerError, and StoreError if it cannot be resumed.

    Args:
        plan: Where it listens and how it begins.
        owned: Whether somebody on this machine is its host, rather than the first who comes.
            A table that was not owned when it was opened is not when it is resumed either.
        unattended: Whether bots play on while no person is present.
        tell: Is given sentences for the host about the journal, now or later.
    """
    number, kept = new_number(SystemRandom()), None
    store: Store | None
    if plan.resume:
        store, number, kept = _resume()
    else:
        store = _open_store(plan, tell)
    owned = owned and (kept is None or kept.table.owner is not None)
    owner_key = secrets.token_bytes(KEY_BYTES) if owned else None
    rng = SystemRandom() if plan.seed is None else Random(plan.seed)
    bind, port = plan.bind, plan.port
    if kept is None:
        table = Table(
            rng,
            _new_key,
            owner_key=owner_key,
            unattended=unattended,
            settings=plan.settings,
            # An owner's program asks for the bots itself, once its owner has sat down.
            bots=() if owned else plan.bots,
        )
    else:
        bind, port = kept.opened.bind, kept.opened.port
        table = Table.restore(kept, rng, _new_key, owner_key)
    journal = None
    if store is not None:
        journal = Journal(store, lambda number, error: tell(_not_kept(error)))
    server = Server(table, journal=journal, number=number)
    try:
        await server.start(bind, port)
    except ServerError:
        if journal is not None:
            await journal.close()
        raise
    invitations = _invitations(bind, server.port)
    table.invitation = invitations[0] if invitations else ""
    local = Address(bind or LOOPBACK, server.port)
    return OpenTable(server, local, owner_key, invitations)


def _new_key() -> bytes:
    return secrets.token_bytes(KEY_BYTES)


def _resume() -> tuple[Store, int, Kept]:
    """Return the latest unfinished table and where and as what it is kept; raises StoreError."""
    store = Store.open()
    try:
        found = store.unfinished()
        if found is None:
            raise StoreError(N_("There is no unfinished table on this machine."))
        return store, found.table, store.load(found.table)
    except StoreError:
        store.close()
        raise


def _open_store(plan: Host, tell: Callable[[str], None]) -> Store | None:
    """Return where the table is to be kept, if it is; a journal that fails stops no game."""
    if not plan.journaled:
        return None
    try:
        store = Store.open()
        found = store.unfinished()
    except StoreError as error:
        tell(_not_kept(error))
        return None
    if found is not None and found.playing:
        tell(_("A game was cut short here: driflamme host --resume would bring it back."))
    return store


def _not_kept(error: StoreError) -> str:
    return _("{why} Play goes on, but it could not be resumed.").format(why=error.sentence(_))


def _invitations(bind: str | None, port: int) -> tuple[str, ...]:
    if bind == LOOPBACK:
        return ()
    hosts = own_addresses() if bind in (None, "0.0.0.0", "::") else [bind]
    return tuple(f"driflamme join {Address(host, port)}" for host in hosts)
