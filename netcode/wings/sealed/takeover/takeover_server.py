"""A player's takeover server: its one table continues a sealed game that another host had."""

import secrets
import time
from collections.abc import Callable, Iterable
from itertools import zip_longest
from random import SystemRandom
from typing import Protocol

from msgspec import Struct

from netcode.protocol.evening import Evening
from netcode.protocol.fields import KEY_BYTES, TableNotice
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry
from netcode.table.people.seats import KeptSeat, KeyRing, key_hash
from netcode.table.snapshot import KeptGame, KeptTable, Opened, Snapshot
from netcode.table.table import Table
from netcode.wings.sealed.game.parcels import Parcel
from netcode.wings.sealed.game.sealing import Sealing
from netcode.wings.sealed.messages import Unannounced
from netcode.wings.sealed.sealings import NAME, Sealings, record_of


class TakeoverServer(Struct, kw_only=True):
    """The server where our machine hosts a table after a takeover."""

    server: Server
    entry: TableEntry
    pin: bytes
    """The fingerprint of the server's certificate."""
    addresses: tuple[str, ...]
    """The server's addresses for others; empty if others cannot or may not call."""
    invite: Callable[[TableEntry], str]
    """Returns the invitation to the table."""
    announce: Callable[[bool], None] = lambda is_open: None
    """Starts the announcement on the local network if the argument is True, or stops it."""
    is_announced: Callable[[], bool] = lambda: True
    """Returns True if the table may be announced on the local network."""


class Home(Protocol):
    """The player's machine as a possible host of the table."""

    is_table: bool
    """True if the player has been the table's host from the beginning."""

    is_resumed: bool
    """True if the player's table was interrupted and resumed, so that others may host it now."""

    is_announced: bool
    """True if the table may be announced on the local network, because its host announced it
    too.
    """

    is_allowed: bool | None
    """True if the player lets the table continue there; None without a choice."""

    def allows(self, towards: str) -> bool:
        """Return True if the table may probably continue there. Only `open` finds out."""

    def is_on_loopback(self, towards: str) -> bool:
        """Return True if only programs on the same machine could call there."""

    async def open(self, towards: str) -> TakeoverServer | None:
        """Return the listening takeover server; None if the table may not continue there.

        `towards` is our address on the way to a host.
        """

    def take_notice(self, notice: TableNotice, towards: str) -> None:
        """Store a fact about the table that others need to reach this machine.

        `towards` is our address on the way to the host that sent the fact.
        """

    def recall(self, key: bytes) -> list[Parcel]:
        """Return the stored addresses of others; `key` is our public key in the game."""

    def remember(self, key: bytes, parcels: list[Parcel], evening: Evening | None) -> None:
        """Store addresses while the game is running. If `evening` is None, delete them.

        `key` is our public key in the game.
        """


def takeover_snapshot(
    opened: Opened, sealing: Sealing, me: int, parcels: Iterable[Parcel], evening: Evening
) -> Snapshot:
    """Return the snapshot of a table with our log, at which we host and all others are absent."""
    said, settings = sealing.said, sealing.settings
    seconds = said.seats[2:] if settings.two else ()
    seats = tuple(
        KeptSeat(
            family=seat.family,
            name=seat.name,
            second=second.family if second is not None else None,
            bot=seat.bot,
            # Everybody logs in by the key of the game, so nobody receives these keys.
            keys=KeyRing.of(_new_key()) if seat.bot is None else None,
            host=seat.name == sealing.names[me],
        )
        for seat, second in zip_longest(said.seats[: 2 if settings.two else None], seconds)
    )
    table = KeptTable(
        settings=settings,
        seats=seats,
        owner=key_hash(_new_key()),
        opened=opened,
        evening=evening,
        wings={NAME: record_of(Sealings(said.table))},
    )
    game = KeptGame(
        begun=said.game, phase="playing", acted=(0,) * len(seats), pieces=tuple(parcels)
    )
    return Snapshot(table, game)


def open_takeover_table(takeover: TakeoverServer, snapshot: Snapshot) -> Table:
    """Open the table of a snapshot at a takeover server, and return it."""
    table = Table.restore(
        snapshot, SystemRandom(), _new_key, owner_key=_new_key(), unix_time=time.time
    )
    entry = takeover.entry
    table.set_invitation(takeover.invite(entry))
    if not takeover.is_announced():
        table.set_notice(Unannounced())
    entry.table = table
    return table


def _new_key() -> bytes:
    return secrets.token_bytes(KEY_BYTES)
