"""Running a club on this machine: many tables behind one door, for `driflamme serve`."""

import secrets
import time
from functools import reduce
from random import SystemRandom
from typing import Any, Final

import msgspec
from msgspec import Struct, structs

from driflamme_tui.seat.open_doors import (
    OpenDoors,
    check_doors,
    listen_for_visitors,
    open_doors,
)
from driflamme_tui.seat.open_server import Listening, Notify, closed_on_failure, drop_old, listen
from driflamme_tui.seat.plans import Serve
from driflamme_tui.text.i18n import _, language
from netcode.protocol.fields import SECRET_BYTES
from netcode.server.club import Club
from netcode.server.club_processes import ClubProcesses
from netcode.server.club_shards import Shard
from netcode.server.server import Server
from netcode.server.server_limits import CLUB_LIMITS
from netcode.server.status import StatusSocket, status_path
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.storage.commit_then_send import Journal
from netcode.storage.store import Store
from netcode.table.journal_entries import Opened
from netcode.transport.address import Address

CLUB: Final = 0
"""The number by which a club locks its tables, so that one program has them at a time."""


class OpenClub(Struct):
    """A club that is open, or what one of its processes has of it."""

    server: Server
    club: Club
    journal: Journal
    listening: Listening
    invitations: tuple[str, ...]
    """What members join with, the likeliest to work first: links, or commands where nothing is
    encrypted."""
    kept: int
    """How many tables the club has from before, in all of its processes."""
    began: float
    """When, by the monotonic clock."""
    status: StatusSocket | None = None
    """Answers those who ask for figures; None if its socket could not be opened."""
    processes: ClubProcesses | None = None
    """The further processes, if there are any."""
    doors: OpenDoors | None = None
    """The doors for those who have no program of this one, if it has some."""

    def metrics(self) -> dict[str, Any]:
        """Return what `driflamme serve --status` tells, of all processes together."""
        figures = _metrics(self.server, self.journal, time.monotonic() - self.began)
        others = [] if self.processes is None else self.processes.metrics
        return reduce(_together, others, figures)

    async def close(self) -> None:
        """Say goodbye to everybody and stop; the tables stay as they are."""
        if self.status is not None:
            await self.status.close()
        if self.processes is not None:
            await self.processes.close()
        await self.server.close()
        if self.doors is not None:
            await self.doors.close()


async def open_club(plan: Serve, notify: Notify) -> OpenClub:
    """Open the club of this account, with the tables that it had.

    Raises ListenError, CertificateError, DoorError, StoreError and ProcessError.

    Args:
        plan: Where it listens.
        notify: Is given sentences for whoever runs it, later.
    """
    check_doors(plan.doors)
    club = await open_shard(plan, 0, notify)
    if plan.processes > 1:
        first = structs.replace(plan, port=club.server.port)
        processes = ClubProcesses(
            [shard_command(first, index) for index in range(1, plan.processes)],
            notify,
            club.server.registry.hear_of_others,
        )
        club.processes = club.club.processes = processes
        try:
            await processes.start()
        except BaseException:
            await club.close()
            raise
    try:
        club.doors = await open_doors(plan.doors, club.listening, club.server, "", notify)
    except BaseException:
        await club.close()
        raise
    try:
        club.status = await StatusSocket.open(status_path(club.server.port), club.metrics)
    except OSError as error:
        notify(error.strerror or str(error))
    return club


async def open_shard(plan: Serve, index: int, notify: Notify) -> OpenClub:
    """Open what one process of a club has; with an index above 0 that is a further one.

    Raises ListenError, CertificateError and StoreError.
    """
    store = Store.open()
    with closed_on_failure(store):
        secret = store.club_secret(secrets.token_bytes(SECRET_BYTES))
        if not index:
            store.claim(CLUB)
            drop_old(store, club=True)
        kept = store.club_tables()
        port = plan.port + index
        public = plan.public
        if public is not None and index:
            public = Address(public.host, public.port + index)
        shown = None if public is None else str(public)
        listening = await listen(Opened(secret, "", plan.bind, port, shown, plan.plain, club=True))
    registry = TableRegistry(
        is_open=plan.plain,
        club_secret=secret,
        shard=Shard(index, plan.processes, listening.opened.port - index),
        invite=listening.invite,
    )
    journal = Journal(store, lambda _table, error: notify(error.sentence(_)))
    club = Club(registry, journal, SystemRandom(), secrets.token_bytes, has_doors=plan.doors.any)
    for each in kept:
        club.remember(each)
    server = listening.server(registry, journal=journal, club=club, limits=CLUB_LIMITS)
    await listening.begin(server)
    if index and plan.doors.any:
        await listen_for_visitors(server)
    invitations = listening.invitations(secret)
    return OpenClub(server, club, journal, listening, invitations, len(kept), time.monotonic())


def shard_command(plan: Serve, index: int) -> tuple[str, ...]:
    """Return what starts a further process of a club: a module and its arguments."""
    told = msgspec.json.encode((plan, index, language()))
    return "driflamme_tui.cli.club_process", told.decode()


def _metrics(server: Server, journal: Journal, up_s: float) -> dict[str, Any]:
    """Return what `driflamme serve --status` tells of one process."""
    entries: list[TableEntry] = list(server.registry.entries)
    awake = sum(entry.table is not None for entry in entries)
    kept = journal.metrics()
    return {
        "up_s": round(up_s),
        "tables": {"awake": awake, "asleep": len(entries) - awake},
        "connections": server.connections,
        "moves": server.metrics.moves,
        "moves_per_s": round(server.metrics.moves_per_s, 2),
        "journal": {
            "works": kept.works,
            "commits": kept.commits,
            "p50_ms": round(kept.p50_ms, 3),
            "p99_ms": round(kept.p99_ms, 3),
        },
    }


def _together(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the figures of two processes as those of both: sums, and the slower's times."""
    both: dict[str, Any] = {}
    for name, value in one.items():
        match value, other[name]:
            case dict(), dict():
                both[name] = _together(value, other[name])
            case bool(), _:
                both[name] = value and other[name]
            case _ if name.endswith(("_ms", "_s")) and name != "moves_per_s":
                both[name] = max(value, other[name])
            case _:
                both[name] = value + other[name]
    return both
