"""Opening a table for others on this machine: for the app and for a headless host."""

import asyncio
import secrets
from random import SystemRandom

from msgspec.structs import replace

from driflamme_tui.hosting.carried_games import can_carry_on, unfinished_persons
from driflamme_tui.hosting.host_plans import Host
from driflamme_tui.hosting.open_doors import check_doors, open_doors
from driflamme_tui.hosting.open_relay import open_relay_line
from driflamme_tui.hosting.open_server import Notify, announced, closed_on_failure, drop_old, listen
from driflamme_tui.hosting.outside import Outside
from driflamme_tui.hosting.own_table import OpenTable, new_key, random_for
from driflamme_tui.preferences.even_bots import seated
from driflamme_tui.text.i18n import _
from engine.words import N_
from netcode.joining.spoken_code import new_code
from netcode.limits import BESIDE_A_DOOR
from netcode.protocol.fields import SECRET_BYTES
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.storage.journal import Journal
from netcode.storage.store import Store
from netcode.table.errors import StoreError
from netcode.table.snapshot import Opened, Snapshot, new_number
from netcode.table.table import Table
from netcode.transport.address import DEFAULT_PORT


async def open_table(
    plan: Host,
    *,
    owned: bool,
    name: str = "",
    notify: Notify = lambda _sentence: None,
) -> OpenTable:
    """Open a table as planned.

    Raises ListenError, CertificateError, DoorError, RelayError, and StoreError if it cannot be
    resumed.

    Args:
        plan: Where it listens and how it begins.
        owned: Whether somebody on this machine is its host, rather than the first who comes.
            A table that was not owned when it was opened is not when it is resumed either.
        name: Of its host, if it has one: the local network is told.
        notify: Is given sentences for the host about the journal, now or later.
    """
    check_doors(plan.doors)
    # In a thread: what waits for another program, or reads for long, holds no screen up.
    carried = await asyncio.to_thread(_carried, plan, name) if plan.resume else None
    if plan.resume and carried is None:
        store, number, kept = await asyncio.to_thread(_resume)
    else:
        store, number, told = await asyncio.to_thread(_open_store)
        kept = carried
        for sentence in told:
            notify(sentence)
    owned = owned and (kept is None or kept.table.owner is not None)
    owner_key = new_key() if owned else None
    rng = random_for(plan.seed)
    with closed_on_failure(store):
        if kept is None:
            table = Table(
                rng,
                new_key,
                owner_key=owner_key,
                settings=plan.settings,
                # An owner's program asks for the bots itself, once its owner has sat down.
                bots=() if owned else await seated(plan.bots),
            )
        else:
            table = Table.restore(kept, rng, new_key, owner_key)
        listening = await listen(_planned(plan, kept))
    opened = listening.opened
    if kept is not None and owned:
        host = next((seat.name for seat in kept.table.seats if seat.host), name)
        if host != name:
            notify(_("This is {owner}'s table, so you sit there as {owner}.").format(owner=host))
        name = host
    entry = TableEntry(number, opened.secret, opened.code, table, former=opened.former)
    if plan.doors.any:
        entry.guess_weight = BESIDE_A_DOOR
        table.open_doors()
    invitation = listening.invite(entry)
    secure = listening.identity is not None
    if secure:
        table.set_invitation(invitation, opened.code, opened.secret)
    else:
        table.set_invitation(invitation)
    journal = None
    if store is not None:
        journal = Journal(
            store,
            lambda _table, error: notify(_not_kept(error)),
            lambda: notify(_("Games at this table are being saved again.")),
        )

    def invite(entry: TableEntry) -> str:
        if opened_table.doors is not None:
            opened_table.doors.invite(entry.secret, entry.code)
        return listening.invite(entry)

    registry = TableRegistry([entry], is_open=not secure, invite=invite)
    server = await listening.serve(
        registry, lambda server: server.keep_opened(entry, opened), journal=journal
    )
    opened_table = OpenTable(
        server, entry, owner_key, host=name, secure=secure, listening=listening
    )
    opened_table.is_carried = carried is not None
    try:
        opened_table.relay = await open_relay_line(listening, entry, server, notify)
        opened_table.doors = await open_doors(plan.doors, listening, server, opened.code, notify)
    except BaseException:
        await opened_table.close()
        raise
    if secure:
        outside = opened_table.outside = Outside(
            listening, server.port, wanted=plan.outside, changed=server.tell_links
        )
        outside.doors = opened_table.doors
        await outside.start(notify, owned=owned)
    if plan.announce and secure:
        opened_table.announcer = await announced(name, entry, server)
    return opened_table


def _resume() -> tuple[Store | None, int, Snapshot | None]:
    """Return the latest unfinished table and where it is kept; raises StoreError."""
    store = Store.open()
    with closed_on_failure(store):
        # Of one that is open in another program it is said that it is.
        found = store.unfinished() or store.unfinished(held=True)
        if found is None:
            raise StoreError(N_("There is no unfinished table on this machine."))
        return store, found.table, store.load(found.table)


def _carried(plan: Host, name: str) -> Snapshot | None:
    """Return the table of the latest sealed game that stopped elsewhere, as one's own log has it.

    It has a new invitation and a new code.
    """
    if not can_carry_on():
        return None
    from netcode.carrying.carrier import carried_snapshot

    for game, person in unfinished_persons(name):
        if not game.kept and person.sealing is not None and person.me is not None:
            port = game.port if plan.port is None else plan.port
            opened = _planned(replace(plan, port=port), None)
            parcels = person.parcels()
            return carried_snapshot(opened, person.sealing, person.me, parcels, game.evening)
    return None


def _open_store() -> tuple[Store | None, int, list[str]]:
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
        return None, number, [_not_kept(error)]
    if found is None or not found.playing:
        return store, number, []
    sentence = _("A game was interrupted here: driflamme host --resume brings it back.")
    return store, number, [sentence]


def _not_kept(error: StoreError) -> str:
    return _("{why} Play goes on, but it could not be resumed after a crash.").format(
        why=error.sentence(_)
    )


def _planned(plan: Host, kept: Snapshot | None) -> Opened:
    """Return how others are to get to the table: as planned, and else as they did before."""
    public = ",".join(map(str, plan.public)) or None
    if kept is None:
        return Opened(
            secret=secrets.token_bytes(SECRET_BYTES),
            code=new_code(secrets.token_bytes, ()),
            bind=plan.bind,
            port=DEFAULT_PORT if plan.port is None else plan.port,
            public=public,
            plain=plan.plain,
            unix=None if plan.unix is None else str(plan.unix),
            relay=plan.relay,
        )
    given = {"bind": plan.bind, "port": plan.port, "public": public, "relay": plan.relay}
    return replace(kept.table.opened, **{name: it for name, it in given.items() if it is not None})
