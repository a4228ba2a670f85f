"""Running a club on this machine: many tables behind one door, for `driflamme serve`."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from random import SystemRandom
from typing import Any, Final

from driflamme_tui.seat.open_table import reachable
from driflamme_tui.text.i18n import _
from netcode.joining.invitation import Invitation
from netcode.protocol.messages import SECRET_BYTES
from netcode.server.club import Club
from netcode.server.peers import CLUB_LIMITS
from netcode.server.server import Server
from netcode.server.status import StatusSocket, status_path
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.storage.journal import Journal
from netcode.storage.store import GAMES_KEPT_S, LOBBIES_KEPT_S, Store
from netcode.table.errors import StoreError
from netcode.transport.address import DEFAULT_PORT, Address
from netcode.transport.certificate import load_identity
from netcode.transport.sockets import open_tcp

CLUB: Final = 0
"""What stands among the numbers of tables for the club, which is one program's at a time."""


@dataclass(frozen=True, slots=True)
class Serve:
    """Open a club."""

    bind: str | None = None
    """An address of this machine; None for all."""
    port: int = DEFAULT_PORT
    public: Address | None = None
    """What invitations say for an address; None for one of this machine's."""
    plain: bool = False
    """Whether nothing is encrypted, and whoever reaches the server is a member."""


@dataclass(slots=True)
class OpenClub:
    """A club that is open."""

    server: Server
    invitations: tuple[str, ...]
    """What members join with, the likeliest to work first: links, or commands where nothing is
    encrypted."""
    status: StatusSocket | None
    """None if figures cannot be told."""

    async def close(self) -> None:
        """Say goodbye to everybody and stop; the tables stay as they are."""
        if self.status is not None:
            await self.status.close()
        await self.server.close()


async def open_club(plan: Serve, tell: Callable[[str], None]) -> OpenClub:
    """Open the club of this account, with the tables that it had.

    Raises ListenError, CertificateError and StoreError. `tell` is given sentences for whoever
    runs it, later.
    """
    identity = None if plan.plain else load_identity()
    store = Store.open()
    sockets = []
    try:
        secret = store.club_secret(secrets.token_bytes(SECRET_BYTES))
        store.claim(CLUB)
        now = int(time.time())
        store.prune(now - LOBBIES_KEPT_S)
        store.abandon(now - GAMES_KEPT_S, club=True)
        kept = store.club_tables()
        sockets = await open_tcp(plan.bind, plan.port)
    except BaseException:
        store.close()
        raise
    port = sockets[0].getsockname()[1]
    addresses = reachable(plan.bind, port, plan.public)

    def invite(secret: bytes, address: Address) -> str:
        if identity is None:
            return f"driflamme join --insecure {address}"
        return str(Invitation(address, identity.pin, secret))

    def failed(table: int | None, error: StoreError) -> None:
        tell(error.sentence(_))

    registry = TableRegistry(
        is_open=plan.plain,
        club_secret=secret,
        invite=lambda entry: invite(entry.secret, addresses[0]),
    )
    journal = Journal(store, failed)
    club = Club(registry, journal, SystemRandom(), secrets.token_bytes)
    for each in kept:
        club.remember(each)
    server = Server(
        registry,
        journal=journal,
        club=club,
        certificate=b"" if identity is None else identity.certificate,
        limits=CLUB_LIMITS,
    )
    await server.listen(sockets, None if identity is None else identity.server_context())
    began = time.monotonic()
    try:
        status = await StatusSocket.open(
            status_path(port), lambda: _metrics(server, journal, time.monotonic() - began)
        )
    except OSError as error:
        tell(error.strerror or str(error))
        status = None
    return OpenClub(server, tuple(invite(secret, each) for each in addresses), status)


def _metrics(server: Server, journal: Journal, up_s: float) -> dict[str, Any]:
    """Return what `driflamme serve --status` tells."""
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
