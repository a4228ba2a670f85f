"""Opens a table for others on this machine, for the app and for a host without a screen."""

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack, ExitStack
from functools import partial

from driflamme_tui.hosting.core_parts import ANNOUNCEMENT, LINKS, Announcement, LinkRenewal
from driflamme_tui.hosting.host_plans import Host
from driflamme_tui.hosting.hosted_table import HostedTable, new_key
from driflamme_tui.hosting.open_server import Listening, Notify, listen
from driflamme_tui.hosting.parts import (
    Part,
    add_to_parts,
    build_parts,
    check_records,
    start_parts,
)
from driflamme_tui.hosting.table_to_open import TableToOpen, table_to_open
from netcode.isolation import attempt
from netcode.server.table_registry import TableEntry, TableRegistry


async def open_table(
    plan: Host,
    *,
    owned: bool,
    name: str = "",
    notify: Notify = lambda _sentence: None,
) -> HostedTable:
    """Open and return a table as planned.

    Args:
        plan: The plan of the table.
        owned: True if the player of this program is the host. If False, the first person with a
            seat is the host. A resumed table without an owner stays without one.
        name: The name of the table's host, which is announced on the local network; "" without a
            host.
        notify: Receives sentences for the host, now or later, for example about the journal or a
            part.

    Raises:
        ListenError: A socket cannot be opened.
        CertificateError: The certificate cannot be loaded.
        StoreError: The table cannot be resumed.
        ExplainedError: A part that the plan requests cannot be opened.
    """
    check_records(plan.parts)
    # Use a thread: waiting for another program must not block the screen.
    found = await asyncio.to_thread(table_to_open, plan, name)
    async with AsyncExitStack() as undo:
        if found.store is not None:
            undo.callback(found.store.close)
        if found.sentence and (found.store is None or plan.reminds):
            notify(found.sentence)
        owned = owned and found.had_owner
        table = await _served(plan, found, owned=owned, name=name, notify=notify)
        # From now on the server closes the store.
        undo.pop_all()
        undo.push_async_callback(table.close)
        await table.open_parts(plan.parts)
        undo.pop_all()
    return table


async def _served(
    plan: Host, found: TableToOpen, *, owned: bool, name: str, notify: Notify
) -> HostedTable:
    """Start the server of a table; return the table, with its parts started but not opened."""
    location = found.opened.location
    host = found.host_name(name, notify) if owned else name
    owner_key = new_key() if owned else None
    table = await found.table(plan, owner_key)
    parts = {
        LINKS: LinkRenewal(),
        **build_parts(found.opened.parts, notify, plan.parts, encrypted=location.encrypted),
        ANNOUNCEMENT: Announcement(host, location),
    }
    listening = await listen(found.opened)
    with ExitStack() as undo:
        undo.callback(listening.close)
        start_parts(parts, listening, notify, plan.parts)
        # Complete the table before the server admits anybody.
        entry = TableEntry(found.number, listening.opened, table)
        add_to_parts(parts, entry)
        table.set_invitation(listening.invite(entry), is_secret=location.encrypted)
        invite = partial(_invitation, listening, parts)
        server = await listening.serve(
            TableRegistry([entry], is_open=not location.encrypted, invite=invite),
            lambda server: server.keep_opened(entry),
            journal=found.journal(notify),
        )
        undo.pop_all()
    return HostedTable(
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
        has_moved=found.has_moved,
    )


def _invitation(listening: Listening, parts: Mapping[str, Part], entry: TableEntry) -> str:
    """Notify all parts of a table's new invitation, and return the invitation."""
    for part in parts.values():
        attempt(part, partial(part.invited, entry), None)
    return listening.invite(entry)
