"""Finds the table that a plan opens: a new one, one of the journal, or one of another machine.

Call `table_to_open` in a thread, since it waits for other programs and for the disk.
"""

import secrets
import time
from collections import Counter
from contextlib import ExitStack
from random import SystemRandom

from msgspec import Struct

from driflamme_tui.hosting.host_plans import USUAL, Host
from driflamme_tui.hosting.hosted_table import new_key, random_for
from driflamme_tui.hosting.moved_tables import moved_table
from driflamme_tui.hosting.open_server import Notify, drop_old
from driflamme_tui.hosting.parts import refuse_missing
from driflamme_tui.preferences.matched_bots import EVEN_BOT, seat_bots
from driflamme_tui.text.i18n import _
from netcode.joining.spoken_code import new_code
from netcode.protocol.fields import SECRET_BYTES
from netcode.protocol.table_settings import keeps_lobby
from netcode.registry import seams_of_wings
from netcode.storage.journal import Journal
from netcode.storage.solo_store import SOLO_KEEPERS
from netcode.storage.store import Store
from netcode.table.errors import NotThereError, StoreError
from netcode.table.snapshot import Snapshot, TableAccess, new_number
from netcode.table.table import Table


class TableToOpen(Struct, frozen=True):
    """A table before it is open, and the store that will contain it."""

    store: Store | None
    """The store; None if it cannot be opened. A new game can begin without a store."""
    number: int
    opened: TableAccess
    """The location and the invitation."""
    kept: Snapshot | None = None
    """The table's stored state; None for a new table."""
    has_moved: bool = False
    """True if another machine hosted the table before. Then its link and code are new."""
    sentence: str = ""
    """A sentence for the host about the store; "" without a problem."""

    @property
    def had_owner(self) -> bool:
        """True if the table is new, or had an owner when it was stored.

        Then its host may have a seat in this program.
        """
        return self.kept is None or self.kept.table.owner is not None

    def host_name(self, name: str, notify: Notify) -> str:
        """Return the name of the host: of a resumed table the stored name, otherwise `name`.

        If the two differ, `notify` receives an explanation.
        """
        seats = () if self.kept is None else self.kept.table.seats
        host = next((seat.name for seat in seats if seat.host), name)
        if host != name:
            notify(
                _(
                    "Your seat at this table has the name {owner}, so you play as {owner}.",
                    owner=host,
                )
            )
        return host

    async def table(self, plan: Host, owner_key: bytes | None) -> Table:
        """Return the new table of a plan, or the restored one."""
        rng = random_for(plan.seed)
        if self.kept is not None:
            return Table.restore(self.kept, rng, new_key, owner_key, unix_time=time.time)
        # If the table has an owner, the owner's program adds the bots once the owner has a seat.
        bots = () if owner_key is not None else await seat_bots(plan.bots)
        return Table(
            rng,
            new_key,
            owner_key=owner_key,
            settings=plan.settings,
            bots=bots,
            unix_time=time.time,
        )

    def journal(self, notify: Notify) -> Journal | None:
        """Return the table's journal; None without a store."""
        if self.store is None:
            return None
        return Journal(
            self.store,
            lambda _table, error: notify(_unkept(error)),
            lambda: notify(_("Games at this table are being saved again.")),
        )


def table_to_open(plan: Host, name: str) -> TableToOpen:
    """Return the new table of a plan, or the table that the plan resumes or continues.

    Raises:
        StoreError: The table cannot be resumed.
        ExplainedError: A wing fails to reopen a table of another machine.
    """
    moved = moved_table(plan, name) if plan.resume else None
    if plan.resume and moved is None:
        return _resumed(plan)
    if plan.continues and (continued := _continued(plan)) is not None:
        return continued
    store, number, sentence = _open_store()
    if moved is not None:
        opened = moved.table.opened
        return TableToOpen(store, number, opened, moved, has_moved=True, sentence=sentence)
    code = new_code(secrets.token_bytes, ())
    opened = plan.opened(secrets.token_bytes(SECRET_BYTES), code)
    return TableToOpen(store, number, opened, sentence=sentence)


def _resumed(plan: Host) -> TableToOpen:
    """Return the latest unfinished table; raises StoreError."""
    with ExitStack() as undo:
        store = Store.open()
        undo.callback(store.close)
        # If another program has the table open, let the error name that program.
        found = (
            store.unfinished() or store.unfinished(with_locked=True) or store.unfinished(empty=True)
        )
        if found is None:
            _refuse_missing_keepers(store)
            raise NotThereError(
                "There is no unfinished table on this machine: open a new one with driflamme host."
            )
        kept = store.load(found.table)
        refuse_missing(kept.table.opened.parts)
        if _has_other_bots(plan, kept):
            raise StoreError(
                "The unfinished table has other bots, which it keeps: omit --bots, or give the "
                "same bots."
            )
        undo.pop_all()
    return TableToOpen(store, found.table, plan.reopened(kept.table.opened), kept)


def _continued(plan: Host) -> TableToOpen | None:
    """Return the table that was interrupted at the plan's port; None if there is none.

    The table must be encrypted and have no owner. It must also meet one of three conditions: a game
    is running; a wing's note has a time at which the table must be in memory; or both the plan and
    the table have settings of wings, so that the table's invitation may be on its way.

    Returns None also if the store cannot be read: opening a new table then reports it.

    Raises:
        StoreError: The table cannot be resumed.
    """

    def is_same(kept: Snapshot) -> bool:
        table, here = kept.table, USUAL.changed_by(plan.location)
        location = table.opened.location
        if table.owner is not None or not (location.encrypted and here.encrypted):
            return False
        if location.port != here.port:
            return False
        if kept.game.phase == "playing":
            return True
        has_people = any(seat.keys is not None for seat in table.seats)
        return keeps_lobby(table.settings) and (has_people or keeps_lobby(plan.settings))

    with ExitStack() as undo:
        try:
            store = Store.open()
            undo.callback(store.close)
            found = store.unfinished(empty=True, is_wanted=is_same)
        except StoreError:
            return None
        if found is None:
            return None
        kept = store.load(found.table)
        refuse_missing(kept.table.opened.parts)
        undo.pop_all()
    sentence = _("The interrupted table is open again; --restart opens a new one instead.")
    if _has_other_bots(plan, kept) or plan.settings != kept.table.settings:
        sentence = _(
            "The interrupted table is open again, with its own settings and bots; --restart opens "
            "a new one instead."
        )
    opened = plan.continued(kept.table.opened)
    return TableToOpen(store, found.table, opened, kept, sentence=sentence)


def _has_other_bots(plan: Host, kept: Snapshot) -> bool:
    """Return True if a plan names bots that differ from those at a stored table."""
    there = Counter(seat.bot for seat in kept.table.seats if seat.bot is not None)
    named = Counter(bot for bot in plan.bots if bot != EVEN_BOT)
    return bool(plan.bots) and (len(plan.bots) != there.total() or bool(named - there))


def _refuse_missing_keepers(store: Store) -> None:
    """Raise StoreError if a missing optional part stores tables itself."""
    for keeper in sorted(store.keepers() - SOLO_KEEPERS - {*seams_of_wings("netcode")}):
        raise StoreError(
            "The tables on this machine belong to the optional part {part}, which is missing here."
            " They are left as they are: install that part to open them.",
            part=keeper,
        )


def _open_store() -> tuple[Store | None, int, str]:
    """Open the store, drop old games there, and claim a number for a new table.

    Returns the store, the number, and a sentence for the host. The sentence names an interrupted
    game or the store's failure; otherwise it is "". If the store fails, None is returned for it,
    and the table is opened without a store.
    """
    number = new_number(SystemRandom())
    try:
        store = Store.open()
        drop_old(store)
        found = store.unfinished()
        store.claim(number)
    except StoreError as error:
        return None, number, _unkept(error)
    if found is None or not found.playing:
        return store, number, ""
    return store, number, _("A game was interrupted here: driflamme host --resume resumes it.")


def _unkept(error: StoreError) -> str:
    return _(
        "{why} The game continues, but it could not be resumed after a crash.",
        why=error.sentence(_),
    )
