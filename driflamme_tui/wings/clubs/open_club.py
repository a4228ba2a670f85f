"""Opens a club: many tables at once, stored on this machine."""

import secrets
import time
from contextlib import AsyncExitStack
from random import SystemRandom
from typing import Any, Final

from driflamme_tui.hosting.core_parts import (
    ANNOUNCEMENT,
    LINKS,
    STATUS,
    LinkRenewal,
    MarkAnnouncement,
    StatusAnswers,
)
from driflamme_tui.hosting.host_plans import OpenPlan
from driflamme_tui.hosting.hosted_table import OpenServer
from driflamme_tui.hosting.open_server import Notify, drop_old, listen
from driflamme_tui.hosting.parts import Part, add_to_parts, build_parts, start_parts
from driflamme_tui.text.i18n import _
from netcode.protocol.fields import SECRET_BYTES
from netcode.server.table_registry import TableRegistry
from netcode.storage.journal import Journal
from netcode.wings.clubs.club_limits import CLUB_LIMITS
from netcode.wings.clubs.club_status import club_status
from netcode.wings.clubs.club_store import ClubStore
from netcode.wings.clubs.club_tables import ClubTables

CLUB: Final = 0
"""The number of a lock that stands for the whole club, so that only one program opens its
tables.
"""


class OpenClub(OpenServer, kw_only=True):
    """A club that is open in this program."""

    club: ClubTables
    journal: Journal
    kept: int
    """Number of stored tables from earlier runs."""
    began: float
    """The time at which the club was opened, by the monotonic clock."""

    def current_status(self) -> dict[str, Any]:
        """Return the figures of `driflamme serve --status`."""
        up_s = time.monotonic() - self.began
        return club_status(self.server, self.journal, up_s) | super().current_status()


async def open_club(plan: OpenPlan, notify: Notify) -> OpenClub:
    """Open and return the club of this account, with its stored tables.

    Args:
        plan: The addresses and parts of the club.
        notify: Receives later sentences for the operator.

    Raises:
        ExplainedError: The store, the sockets, the certificate or a part cannot be used.
    """
    encrypted = plan.location.encrypted
    brought = build_parts(plan.parts, notify, plan.parts, encrypted=encrypted)
    parts: dict[str, Part] = {LINKS: LinkRenewal(), **brought}
    parts |= {ANNOUNCEMENT: MarkAnnouncement(plan.location), STATUS: StatusAnswers()}
    async with AsyncExitStack() as undo:
        store = ClubStore.open()
        undo.callback(store.close)
        secret = store.secret(secrets.token_bytes(SECRET_BYTES))
        store.claim(CLUB)
        drop_old(store)
        kept = store.tables()
        listening = await listen(plan.opened(secret))
        undo.callback(listening.close)
        start_parts(parts, listening, notify, plan.parts)
        registry = TableRegistry(is_open=not encrypted, invite=listening.invite)
        journal = Journal(store, lambda _table, error: notify(error.sentence(_)))
        club = ClubTables(
            registry,
            journal,
            secret,
            SystemRandom(),
            secrets.token_bytes,
            past_games=store.games,
            add_table=lambda entry: add_to_parts(parts, entry),
        )
        for each in kept:
            club.remember(*each)
        opened = OpenClub(
            server=await listening.serve(
                registry, journal=journal, tables=club, limits=CLUB_LIMITS
            ),
            listening=listening,
            parts=parts,
            notify=notify,
            club=club,
            journal=journal,
            kept=len(kept),
            began=time.monotonic(),
        )
        # From now on the club itself closes the store.
        undo.pop_all()
        undo.push_async_callback(opened.close)
        await opened.open_parts(plan.parts)
        undo.pop_all()
    return opened
