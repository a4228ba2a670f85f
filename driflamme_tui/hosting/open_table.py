"""Opening a table or a club for others on this machine: for the app and for a headless host."""

import asyncio
import secrets
import time
from contextlib import AsyncExitStack, ExitStack
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from driflamme_tui.hosting.host_plans import Host, Location, Serve
from driflamme_tui.hosting.open_doors import check_doors, open_doors
from driflamme_tui.hosting.open_relay import open_relay, open_relay_line
from driflamme_tui.hosting.open_server import (
    Notify,
    drop_old,
    hosts_only,
    keep_announced,
    keep_links,
    listen,
    tells_status,
)
from driflamme_tui.hosting.outside import Outside
from driflamme_tui.hosting.own_table import OpenServer, OwnTable, new_key, random_for
from driflamme_tui.hosting.takeover_games import can_take_over, unfinished_persons
from driflamme_tui.preferences.even_bots import seated
from driflamme_tui.text.i18n import _
from netcode.joining.spoken_code import new_code
from netcode.limits import BESIDE_A_DOOR, CLUB_LIMITS
from netcode.protocol.fields import SECRET_BYTES
from netcode.server.status import status_of
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.storage.journal import Journal
from netcode.storage.store import Store
from netcode.table.errors import NotThereError, StoreError
from netcode.table.snapshot import Opened, Snapshot, new_number
from netcode.table.table import Table

if TYPE_CHECKING:
    from netcode.wings.clubs.club_tables import ClubTables

CLUB: Final = 0
"""The number by which a club locks its tables, so that one program has them at a time."""


class OpenClub(OpenServer, kw_only=True):
    """A club that is open."""

    club: "ClubTables"
    journal: Journal
    kept: int
    """How many tables the club has from before."""
    began: float
    """When, by the monotonic clock."""

    def current_status(self) -> dict[str, Any]:
        """Return what `driflamme serve --status` tells."""
        status = status_of(self.server, self.journal, time.monotonic() - self.began)
        return status if self.relay is None else status | {"relay": self.relay.relay.status()}


async def _open_ways(opened: OpenServer, plan: Location, notify: Notify, *, owned: bool) -> None:
    """Open the doors of a server that listens, and the way for friends in other homes.

    What the doors and the links say is renewed when this machine gets other addresses.
    """
    listening, server = opened.listening, opened.server
    assert listening is not None

    def moved() -> None:
        server.tell_links()
        if opened.doors is not None:
            opened.doors.move(listening.addresses)
        if not owned and opened.invitations:
            # Whoever hosts reads it in the lobby.
            told = _("This machine has other addresses now, so the invitation is another: {link}")
            notify(told.format(link=opened.invitations[0]))

    opened.following = asyncio.create_task(keep_links(listening, moved))
    opened.doors = await open_doors(plan.doors, listening, server, notify)
    if listening.identity is not None:
        outside = opened.outside = Outside(
            listening, server.port, wanted=plan.outside, changed=server.tell_links
        )
        outside.doors = opened.doors
        await outside.start(notify, owned=owned)


async def open_club(plan: Serve, notify: Notify) -> OpenClub:
    """Open the club of this account, with the tables that it had.

    Raises ListenError, CertificateError, DoorError, StoreError and another ExplainedError.

    Args:
        plan: Where it listens.
        notify: Is given sentences for whoever runs it, later.
    """
    from netcode.wings.clubs.club_tables import ClubTables

    check_doors(plan.doors)
    async with AsyncExitStack() as undo:
        store = Store.open()
        undo.callback(store.close)
        secret = store.club_secret(secrets.token_bytes(SECRET_BYTES))
        store.claim(CLUB)
        drop_old(store, club=True)
        kept = store.club_tables()
        listening = await listen(plan.opened(secret, club=True), "serve")
        registry = TableRegistry(is_open=plan.plain, invite=listening.invite)
        journal = Journal(store, lambda _table, error: notify(error.sentence(_)))
        club = ClubTables(
            registry,
            journal,
            secret,
            SystemRandom(),
            secrets.token_bytes,
            has_doors=plan.doors.any,
        )
        for each in kept:
            club.remember(*each)
        opened = OpenClub(
            server=await listening.serve(
                registry, journal=journal, tables=club, limits=CLUB_LIMITS
            ),
            listening=listening,
            club=club,
            journal=journal,
            kept=len(kept),
            began=time.monotonic(),
        )
        # The store is closed with the rest from now on.
        undo.pop_all()
        undo.push_async_callback(opened.close)
        if plan.relay_port is not None:
            # At the same addresses, on a port of its own.
            there = Location(plan.bind, plan.relay_port, hosts_only(plan.public))
            opened.relay = await open_relay(there, notify, tells=False)
            club.relay_pass = opened.relay.pass_for
        await _open_ways(opened, plan, notify, owned=False)
        opened.status = await tells_status(opened.server.port, opened.current_status, notify)
        undo.pop_all()
    return opened


async def open_table(
    plan: Host,
    *,
    owned: bool,
    name: str = "",
    notify: Notify = lambda _sentence: None,
) -> OwnTable:
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
        kept = None if carried is None else carried.snapshot
        if told and (store is None or plan.reminds):
            notify(told)
    owned = owned and (kept is None or kept.table.owner is not None)
    owner_key = new_key() if owned else None
    rng = random_for(plan.seed)
    async with AsyncExitStack() as undo:
        if store is not None:
            undo.callback(store.close)
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
        if kept is not None and owned:
            host = next((seat.name for seat in kept.table.seats if seat.host), name)
            if host != name:
                notify(_("This is {owner}'s table, so you sit there as {owner}.", owner=host))
            name = host
        entry = TableEntry(number, listening.opened, table)
        is_announced = plan.announce and (carried is None or carried.is_announced)
        if not is_announced:
            table.keep_unannounced()
        if plan.doors.any:
            entry.guess_weight = BESIDE_A_DOOR
            table.open_doors()
        secure = listening.identity is not None
        table.set_invitation(listening.invite(entry), is_secret=secure)
        journal = None
        if store is not None:
            journal = Journal(
                store,
                lambda _table, error: notify(_not_kept(error)),
                lambda: notify(_("Games at this table are being saved again.")),
            )

        def invite(entry: TableEntry) -> str:
            if opened.doors is not None:
                opened.doors.invite(entry)
            return listening.invite(entry)

        registry = TableRegistry([entry], is_open=not secure, invite=invite)
        server = await listening.serve(
            registry, lambda server: server.keep_opened(entry), journal=journal
        )
        opened = OwnTable(
            server=server,
            listening=listening,
            entry=entry,
            owner_key=owner_key,
            host=name,
            is_kept=store is not None,
            is_carried=carried is not None,
        )
        # The store is closed with the rest from now on.
        undo.pop_all()
        undo.push_async_callback(opened.close)
        opened.line = await open_relay_line(listening, entry, server, notify)
        await _open_ways(opened, plan, notify, owned=owned)
        if is_announced and secure:
            opened.announcing = asyncio.create_task(keep_announced(name, entry, server))
        undo.pop_all()
    return opened


def _resume() -> tuple[Store | None, int, Snapshot | None]:
    """Return the latest unfinished table and where it is kept; raises StoreError."""
    with ExitStack() as undo:
        store = Store.open()
        undo.callback(store.close)
        # Of one that is open in another program it is said that it is.
        found = store.unfinished() or store.unfinished(held=True) or store.unfinished(empty=True)
        if found is None:
            raise NotThereError("There is no unfinished table on this machine.")
        snapshot = store.load(found.table)
        undo.pop_all()
    return store, found.table, snapshot


class TakeoverTable(Struct, frozen=True):
    """A table that this player carries on."""

    snapshot: Snapshot
    is_announced: bool
    """Whether its host had told the local network of it."""


def _carried(plan: Host, name: str) -> TakeoverTable | None:
    """Return the table of the latest sealed game that stopped elsewhere, as one's own log has it.

    It has a new invitation and a new code.
    """
    if not can_take_over():
        return None
    from netcode.takeover.takeover_server import takeover_snapshot

    for game, person in unfinished_persons(name):
        if not game.kept and person.sealing is not None and person.me is not None:
            port = game.port if plan.port is None else plan.port
            opened = _planned(replace(plan, port=port), None)
            parcels = person.parcels()
            snapshot = takeover_snapshot(opened, person.sealing, person.me, parcels, game.evening)
            return TakeoverTable(snapshot, game.is_announced)
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


def _planned(plan: Host, kept: Snapshot | None) -> Opened:
    """Return how others are to get to the table: as planned, and else as they did before."""
    relay = {} if plan.relay is None else {"relay": plan.relay}
    if kept is not None:
        return replace(kept.table.opened, **plan.said, **relay)
    unix = {} if plan.unix is None else {"unix": str(plan.unix)}
    code = new_code(secrets.token_bytes, ())
    return plan.opened(secrets.token_bytes(SECRET_BYTES), code, **relay, **unix)
