"""A table that is open in this program; one for a person and bots is there at once."""

import secrets
from random import Random, SystemRandom
from typing import TYPE_CHECKING

from msgspec import Struct

from driflamme_tui.hosting.host_plans import Alone
from netcode.joining.spoken_code import new_code
from netcode.protocol.fields import KEY_BYTES, SECRET_BYTES
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.snapshot import new_number
from netcode.table.table import Table
from netcode.transport.channel import Channel

if TYPE_CHECKING:
    from driflamme_tui.hosting.open_doors import OpenDoors
    from driflamme_tui.hosting.open_server import Listening
    from driflamme_tui.hosting.outside import Outside
    from netcode.joining.discovery import Announcer
    from netcode.relaying.relay_line import RelayLine


class OpenTable(Struct):
    """A table that is open, and how its owner gets there."""

    server: Server
    entry: TableEntry
    owner_key: bytes | None
    """Makes its holder the host; None when the first to sit down is."""
    host: str = ""
    """The name of its owner, if others can reach it: of one that is resumed, as it was."""
    secure: bool | None = None
    """Whether nobody on the way to it can read along; None if there is no way to it."""
    is_carried: bool = False
    """Whether it was somebody else's before, so that its link and its code are new."""
    listening: "Listening | None" = None
    """Where it listens; None if nobody else can reach it."""
    announcer: "Announcer | None" = None
    doors: "OpenDoors | None" = None
    """The doors for those who have no program of this one, if it has some."""
    relay: "RelayLine | None" = None
    """The line to the relay through which others come too, if there is one."""
    outside: "Outside | None" = None
    """The way for friends in other homes; None where there can be none."""

    @property
    def invitations(self) -> tuple[str, ...]:
        """What others join with: a link, or commands, the likeliest to work first.

        None at a table that nobody else can reach.
        """
        listening = self.listening
        return () if listening is None else listening.invitations(self.entry.secret)

    async def connect(self) -> Channel:
        """Return a connection for a client in this program."""
        return self.server.connect()

    async def close(self) -> None:
        """Say goodbye to everybody and stop."""
        if self.announcer is not None:
            await self.announcer.stop()
        if self.relay is not None:
            await self.relay.close()
        await self.server.close()
        if self.doors is not None:
            # Whoever came by them has been told goodbye.
            await self.doors.close()
        if self.outside is not None:
            await self.outside.close()


async def open_alone(plan: Alone) -> OpenTable:
    """Open a table for one person and bots: it listens nowhere and is not kept."""
    rng = random_for(plan.seed)
    owner_key = new_key()
    table = Table(rng, new_key, owner_key=owner_key, settings=plan.settings)
    entry = TableEntry(
        new_number(rng),
        secrets.token_bytes(SECRET_BYTES),
        new_code(secrets.token_bytes, ()),
        table,
    )
    return OpenTable(Server(TableRegistry([entry], is_open=True)), entry, owner_key)


def random_for(seed: int | None) -> Random:
    """Return what decides the deals: nothing that can be guessed, without a seed."""
    return SystemRandom() if seed is None else Random(seed)


def new_key() -> bytes:
    """Return a fresh key to a seat."""
    return secrets.token_bytes(KEY_BYTES)
