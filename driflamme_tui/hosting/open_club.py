"""Running a club on this machine: many tables behind one door, for `driflamme serve`."""

import secrets
import time
from random import SystemRandom
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from driflamme_tui.hosting.host_plans import Forward, Serve
from driflamme_tui.hosting.open_doors import OpenDoors, check_doors, open_doors
from driflamme_tui.hosting.open_relay import OpenRelay, open_relay
from driflamme_tui.hosting.open_server import (
    Listening,
    Notify,
    closed_on_failure,
    drop_old,
    listen,
)
from driflamme_tui.hosting.outside import Outside
from driflamme_tui.text.i18n import _
from netcode.limits import CLUB_LIMITS
from netcode.protocol.fields import SECRET_BYTES
from netcode.server.club import Club
from netcode.server.server import Server
from netcode.server.status import StatusSocket, status_of, status_path
from netcode.server.table_registry import TableRegistry
from netcode.storage.journal import Journal
from netcode.storage.store import Store
from netcode.table.snapshot import Opened

CLUB: Final = 0
"""The number by which a club locks its tables, so that one program has them at a time."""


class OpenClub(Struct):
    """A club that is open."""

    server: Server
    club: Club
    journal: Journal
    listening: Listening
    secret: bytes
    """What members show."""
    kept: int
    """How many tables the club has from before."""
    began: float
    """When, by the monotonic clock."""
    outside: Outside | None
    """The way for members in other homes; None where nothing is encrypted."""
    status: StatusSocket | None = None
    """Answers those who ask for its status; None if its socket could not be opened."""
    doors: OpenDoors | None = None
    """The doors for those who have no program of this one, if it has some."""
    relay: OpenRelay | None = None
    """The relay for hosts whom nobody reaches, if it has one."""

    @property
    def invitations(self) -> tuple[str, ...]:
        """What members join with: a link, or commands, the likeliest to work first."""
        return self.listening.invitations(self.secret)

    def current_status(self) -> dict[str, Any]:
        """Return what `driflamme serve --status` tells."""
        status = status_of(self.server, self.journal, time.monotonic() - self.began)
        return status if self.relay is None else status | {"relay": self.relay.relay.status()}

    async def close(self) -> None:
        """Say goodbye to everybody and stop; the tables stay as they are."""
        if self.status is not None:
            await self.status.close()
        await self.server.close()
        if self.doors is not None:
            await self.doors.close()
        if self.outside is not None:
            await self.outside.close()
        if self.relay is not None:
            await self.relay.close()


async def open_club(plan: Serve, notify: Notify) -> OpenClub:
    """Open the club of this account, with the tables that it had.

    Raises ListenError, CertificateError, DoorError, StoreError and another ExplainedError.

    Args:
        plan: Where it listens.
        notify: Is given sentences for whoever runs it, later.
    """
    check_doors(plan.doors)
    store = Store.open()
    with closed_on_failure(store):
        secret = store.club_secret(secrets.token_bytes(SECRET_BYTES))
        store.claim(CLUB)
        drop_old(store, club=True)
        kept = store.club_tables()
        public = ",".join(map(str, plan.public)) or None
        listening = await listen(
            Opened(secret, "", plan.bind, plan.port, public, plan.plain, club=True)
        )
    registry = TableRegistry(is_open=plan.plain, club_secret=secret, invite=listening.invite)
    journal = Journal(store, lambda _table, error: notify(error.sentence(_)))
    club = Club(registry, journal, SystemRandom(), secrets.token_bytes, has_doors=plan.doors.any)
    for each in kept:
        club.remember(each)
    server = await listening.serve(registry, journal=journal, club=club, limits=CLUB_LIMITS)
    outside = None
    if listening.identity is not None:
        outside = Outside(listening, server.port, wanted=plan.outside, changed=server.tell_links)
    opened = OpenClub(
        server, club, journal, listening, secret, len(kept), time.monotonic(), outside
    )
    try:
        if plan.relay is not None:
            # At the same addresses, on a port of its own.
            public_too = tuple(replace(each, port=plan.relay) for each in plan.public)
            forward = Forward(plan.bind, plan.relay, public_too)
            opened.relay = await open_relay(forward, notify, tells_status=False)
            club.relay_pass = opened.relay.pass_for
        opened.doors = await open_doors(plan.doors, listening, server, "", notify)
        if outside is not None:
            outside.doors = opened.doors
            await outside.start(notify, owned=False)
    except BaseException:
        await opened.close()
        raise
    try:
        opened.status = await StatusSocket.open(status_path(server.port), opened.current_status)
    except OSError as error:
        notify(error.strerror or str(error))
    return opened
