"""Opening a table on this machine: what the app, a headless host and a game of bots share."""

import secrets
from dataclasses import dataclass
from random import Random, SystemRandom

from driflamme_tui.plans import LOOPBACK, Host
from netcode.address import Address, own_addresses
from netcode.messages import KEY_BYTES
from netcode.server import Server
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


async def open_table(plan: Host, *, owned: bool, unattended: bool = False) -> OpenTable:
    """Open a table as planned; raises ServerError.

    Args:
        plan: Where it listens and how it begins.
        owned: Whether somebody on this machine is its host, rather than the first who comes.
        unattended: Whether bots play on while no person is present.
    """
    owner_key = secrets.token_bytes(KEY_BYTES) if owned else None
    table = Table(
        SystemRandom() if plan.seed is None else Random(plan.seed),
        lambda: secrets.token_bytes(KEY_BYTES),
        owner_key=owner_key,
        unattended=unattended,
        settings=plan.settings,
    )
    server = Server(table)
    await server.start(plan.bind, plan.port)
    invitations = _invitations(plan.bind, server.port)
    table.invitation = invitations[0] if invitations else ""
    local = Address(plan.bind or LOOPBACK, server.port)
    return OpenTable(server, local, owner_key, invitations)


def _invitations(bind: str | None, port: int) -> tuple[str, ...]:
    if bind == LOOPBACK:
        return ()
    hosts = own_addresses() if bind in (None, "0.0.0.0", "::") else [bind]
    return tuple(f"driflamme join {Address(host, port)}" for host in hosts)
