"""Opening a table or a club for others on this machine: for the app and for a headless host."""

import asyncio
import secrets
from contextlib import AsyncExitStack, ExitStack
from random import SystemRandom

from msgspec import Struct
from msgspec.structs import replace

from driflamme_tui.hosting.core_parts import ANNOUNCEMENT, LINKS, Announcement, LinkRenewal
from driflamme_tui.hosting.host_plans import Host
from driflamme_tui.hosting.open_server import (
    Notify,
    drop_old,
    listen,
)
from driflamme_tui.hosting.own_table import OwnTable, new_key, random_for
from driflamme_tui.hosting.parts import (
    add_to_parts,
    build_parts,
    check_records,
    refuse_missing,
    start_parts,
)
from driflamme_tui.hosting.takeover_games import can_take_over, unfinished_persons
from driflamme_tui.preferences.even_bots import seated
from driflamme_tui.text.i18n import _
from netcode.joining.spoken_code import new_code
from netcode.protocol.fields import SECRET_BYTES
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.storage.journal import Journal
from netcode.storage.store import Store
from netcode.table.errors import NotThereError, StoreError
from netcode.table.snapshot import Location, Opened, Snapshot, new_number
from netcode.table.table import Table


async def open_table(
    plan: Host,
    *,
    owned: bool,
    name: str = "",
    notify: Notify = lambda _sentence: None,
) -> OwnTable:
    """Open a table as planned.

    Raises ListenError, CertificateError, the error of a part that the plan asks for, and StoreError
    if it cannot be resumed.

    Args:
        plan: Where it listens and how it begins.
        owned: Whether somebody on this machine is its host, rather than the first who comes.
            A table that was not owned when it was opened is not when it is resumed either.
        name: Of its host, if it has one: the local network is told.
        notify: Is given sentences for the host about the journal, now or later.
    """
    check_records(plan.parts)
    # In a thread: what waits for another program, or reads for long, holds no screen up.
    found = await asyncio.to_thread(_found, plan, name)
    async with AsyncExitStack() as undo:
        if found.store is not None:
            undo.callback(found.store.close)
        if found.told and (found.store is None or plan.reminds):
            notify(found.told)
        owned = owned and (found.kept is None or found.kept.table.owner is not None)
        owner_key = new_key() if owned else None
        table = await _table(plan, found.kept, owner_key)
        host = _host(found.kept, name, notify) if owned else name
        location = found.opened.location
        parts = {
            LINKS: LinkRenewal(),
            **build_parts(found.opened.parts, notify, plan.parts, encrypted=location.encrypted),
            ANNOUNCEMENT: Announcement(host, location),
        }
        listening = await listen(found.opened)
        start_parts(parts, listening, notify, plan.parts)
        entry = TableEntry(found.number, listening.opened, table)
        add_to_parts(parts, entry)
        table.set_invitation(listening.invite(entry), is_secret=location.encrypted)

        def invite(entry: TableEntry) -> str:
            for part in parts.values():
                part.invited(entry)
            return listening.invite(entry)

        server = await listening.serve(
            TableRegistry([entry], is_open=not location.encrypted, invite=invite),
            lambda server: server.keep_opened(entry),
            journal=_journal(found.store, notify),
        )
        opened = OwnTable(
            server=server,
            listening=listening,
            parts=parts,
            notify=notify,
            is_owned=owned,
            is_resumed=found.kept is not None,
            entry=entry,
            owner_key=owner_key,
            host=host,
            is_kept=found.store is not None,
            is_carried=found.is_carried,
        )
        # The store is closed with the rest from now on.
        undo.pop_all()
        undo.push_async_callback(opened.close)
        await opened.open_parts(plan.parts)
        undo.pop_all()
    return opened


async def _table(plan: Host, kept: Snapshot | None, owner_key: bytes | None) -> Table:
    """Return the table of a plan, or the one that was kept."""
    rng = random_for(plan.seed)
    if kept is not None:
        return Table.restore(kept, rng, new_key, owner_key)
    # An owner's program asks for the bots itself, once its owner has sat down.
    bots = () if owner_key is not None else await seated(plan.bots)
    return Table(rng, new_key, owner_key=owner_key, settings=plan.settings, bots=bots)


def _host(kept: Snapshot | None, name: str, notify: Notify) -> str:
    """Return what the host of a table is called: of one that is resumed, as before."""
    seats = () if kept is None else kept.table.seats
    host = next((seat.name for seat in seats if seat.host), name)
    if host != name:
        notify(_("This is {owner}'s table, so you sit there as {owner}.", owner=host))
    return host


def _journal(store: Store | None, notify: Notify) -> Journal | None:
    """Return the journal of a table, if it is kept."""
    if store is None:
        return None
    return Journal(
        store,
        lambda _table, error: notify(_not_kept(error)),
        lambda: notify(_("Games at this table are being saved again.")),
    )


class Found(Struct, frozen=True):
    """The table that is to be opened, and where it is kept."""

    store: Store | None
    """None if the journal fails, which stops no new game."""
    number: int
    opened: Opened
    """How others get to it."""
    kept: Snapshot | None = None
    """What is known of it, if it is no new one."""
    is_carried: bool = False
    """Whether it was somebody else's before."""
    told: str = ""
    """What its host reads about the journal."""


def _found(plan: Host, name: str) -> Found:
    """Return the table of a plan; raises StoreError if it cannot be resumed."""
    carried = _carried(plan, name) if plan.resume else None
    if plan.resume and carried is None:
        return _resumed(plan)
    store, number, told = _open_store()
    if carried is not None:
        opened = carried.table.opened
        return Found(store, number, opened, carried, is_carried=True, told=told)
    code = new_code(secrets.token_bytes, ())
    opened = plan.opened(secrets.token_bytes(SECRET_BYTES), code)
    return Found(store, number, opened, told=told)


def _resumed(plan: Host) -> Found:
    """Return the latest unfinished table; raises StoreError."""
    with ExitStack() as undo:
        store = Store.open()
        undo.callback(store.close)
        # Of one that is open in another program it is said that it is.
        found = store.unfinished() or store.unfinished(held=True) or store.unfinished(empty=True)
        if found is None:
            raise NotThereError("There is no unfinished table on this machine.")
        kept = store.load(found.table)
        refuse_missing(kept.table.opened.parts)
        undo.pop_all()
    return Found(store, found.table, plan.reopened(kept.table.opened), kept)


def _carried(plan: Host, name: str) -> Snapshot | None:
    """Return the table of the latest sealed game that stopped elsewhere, as one's own log has it.

    It has a new invitation and a new code.
    """
    if not can_take_over():
        return None
    from netcode.takeover.takeover_server import takeover_snapshot

    for game, person in unfinished_persons(name):
        if not game.kept and person.sealing is not None and person.me is not None:
            before = Location(port=game.port, announced=None if game.is_announced else False)
            planned = replace(plan, location=before.changed_by(plan.location))
            code = new_code(secrets.token_bytes, ())
            opened = planned.opened(secrets.token_bytes(SECRET_BYTES), code)
            parcels = person.parcels()
            return takeover_snapshot(opened, person.sealing, person.me, parcels, game.evening)
    return None


def _open_store() -> tuple[Store | None, int, str]:
    """Return where a new table is to be kept, if it is, and what its host is told of that.

    A journal that fails stops no game.
    """
    number = new_number(SystemRandom())
    try:
        store = Store.open()
        drop_old(store, club=False)
        found = store.unfinished()
        store.claim(number)
    except StoreError as error:
        return None, number, _not_kept(error)
    if found is None or not found.playing:
        return store, number, ""
    return store, number, _("A game was interrupted here: driflamme host --resume brings it back.")


def _not_kept(error: StoreError) -> str:
    return _(
        "{why} Play goes on, but it could not be resumed after a crash.", why=error.sentence(_)
    )
