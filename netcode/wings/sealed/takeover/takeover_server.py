"""Opens a player's takeover server, whose one table continues another host's sealed game."""

import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from itertools import zip_longest
from random import SystemRandom
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from netcode.protocol.evening import Evening
from netcode.protocol.fields import KEY_BYTES, TableNotice
from netcode.protocol.table_settings import SettingValue, without_misfits
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry
from netcode.table.people.seats import KeptSeat, KeyRing, key_hash
from netcode.table.snapshot import KeptGame, KeptTable, Snapshot, TableAccess
from netcode.table.table import Table
from netcode.wings.sealed.game.parcels import Parcel
from netcode.wings.sealed.game.sealing import Sealing
from netcode.wings.sealed.messages import Unannounced
from netcode.wings.sealed.sealings import NAME, Sealings, record_of


class TakeoverServer(Struct, kw_only=True):
    """The server with which this machine hosts a table after a takeover."""

    server: Server
    entry: TableEntry
    pin: bytes
    """The fingerprint of the server's certificate."""
    addresses: tuple[str, ...]
    """The addresses at which others can call the server; empty if they cannot or may not."""
    invite: Callable[[TableEntry], str]
    """Returns the invitation to the table."""
    announce: Callable[[bool], None] = lambda is_open: None
    """Starts the announcement on the local network if the argument is True; otherwise stops it."""
    is_announced: Callable[[], bool] = lambda: True
    """Returns True if the table may be announced on the local network."""


class Home(Protocol):
    """The player's machine, as the possible host of a table."""

    is_table: bool
    """True if the player hosted the table from the beginning."""

    is_resumed: bool
    """True if the player's own table was interrupted and resumed. Others may host it now."""

    is_announced: bool
    """True if the table may be announced on the local network, because its host announced it."""

    added: Mapping[str, SettingValue]
    """The settings of other wings at the table."""

    is_allowed: bool | None
    """True if the player allows the table to continue on this machine; None without a decision."""

    def allows(self, towards: str) -> bool:
        """Return True if the table can probably continue here. Only `open` can make sure.

        `towards` is our address on the route to a host.
        """

    def is_on_loopback(self, towards: str) -> bool:
        """Return True if only programs on this machine could call the server."""

    async def open(self, towards: str) -> TakeoverServer | None:
        """Return the listening takeover server; None if the table cannot continue here.

        `towards` is our address on the route to a host.
        """

    def take_notice(self, notice: TableNotice, towards: str) -> None:
        """Store a fact that others need to reach this machine.

        `towards` is our address on the route to the host that sent the fact.
        """

    def recall(self, key: bytes) -> list[Parcel]:
        """Return the stored addresses of others; `key` is our public key in the game."""

    def remember(self, key: bytes, parcels: list[Parcel], evening: Evening | None) -> None:
        """Store the addresses and the evening of a running game. If `evening` is None, delete both.

        `key` is our public key in the game.
        """


def takeover_snapshot(
    opened: TableAccess,
    sealing: Sealing,
    me: int,
    parcels: Iterable[Parcel],
    evening: Evening,
    added: Mapping[str, SettingValue],
) -> Snapshot:
    """Return the snapshot of a table from our log: we host it, and all other persons are absent."""
    body, settings = sealing.decoded, sealing.settings
    seconds = body.seats[2:] if settings.two else ()
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
        for seat, second in zip_longest(body.seats[: 2 if settings.two else None], seconds)
    )
    table = KeptTable(
        # Other wings start anew: only the lost host has their records, and they may be secret.
        settings=without_misfits(replace(settings, added={**added})),
        seats=seats,
        owner=key_hash(_new_key()),
        opened=opened,
        evening=evening,
        wings={NAME: record_of(Sealings(body.table))},
    )
    game = KeptGame(
        begun=body.game, phase="playing", acted=(0,) * len(seats), pieces=tuple(parcels)
    )
    return Snapshot(table, game)


def open_takeover_table(takeover: TakeoverServer, snapshot: Snapshot) -> Table:
    """Open the table of a snapshot at a takeover server, and return the table.

    Raises StoreError if the snapshot is invalid.
    """
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
