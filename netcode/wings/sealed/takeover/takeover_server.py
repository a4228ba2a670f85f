"""A player's takeover server: its one table has the sealed game that they play elsewhere."""

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
from netcode.wings.sealed.sealings import Sealings, memory_of


class TakeoverServer(Struct, kw_only=True):
    """Where our machine hosts a table after a takeover, or would."""

    server: Server
    entry: TableEntry
    pin: bytes
    """The fingerprint of the certificate that it shows."""
    addresses: tuple[str, ...]
    """Where others reach it; none if they cannot, or may not."""
    invite: Callable[[TableEntry], str]
    """Returns the invitation to its table."""
    announce: Callable[[bool], None] = lambda is_open: None
    """Tells the local network of it, or no more."""
    is_announced: Callable[[], bool] = lambda: True
    """Returns whether the local network may be told of it."""


class Home(Protocol):
    """What lets a table go on at a player's machine."""

    is_table: bool
    """Whether the player hosts the table there from the beginning."""

    is_resumed: bool
    """Whether it is a table that stopped, which others may have taken over."""

    is_announced: bool
    """Whether the local network may be told of the table: not if its host did not."""

    is_allowed: bool | None
    """Whether the player lets the table go on there; None where only neighbours can call."""

    def allows(self, towards: str) -> bool:
        """Return whether the table may go on there, before that is tried."""

    def is_on_loopback(self, towards: str) -> bool:
        """Return whether only programs on the same machine could call there."""

    async def open(self, towards: str) -> TakeoverServer | None:
        """Return the takeover server, which listens; None if the table may not go on there.

        `towards` is the own address on the way to a host.
        """

    def take_notice(self, notice: TableNotice, towards: str) -> None:
        """Store a fact about the table that tells how others may reach this machine.

        `towards` is the own address on the way to the host that sent it.
        """

    def recall(self, key: bytes) -> list[Parcel]:
        """Return where others could be called in the game of a public key, when last told."""

    def remember(self, key: bytes, parcels: list[Parcel], evening: Evening | None) -> None:
        """Keep that for as long as the game is under way; with None for an evening, no longer."""


def takeover_snapshot(
    opened: Opened, sealing: Sealing, me: int, parcels: Iterable[Parcel], evening: Evening
) -> Snapshot:
    """Return the table of a sealed game as one's own log has it: all are away, and one hosts."""
    said, settings = sealing.said, sealing.settings
    seconds = said.seats[2:] if settings.two else ()
    seats = tuple(
        KeptSeat(
            family=seat.family,
            name=seat.name,
            second=second.family if second is not None else None,
            bot=seat.bot,
            # Everybody comes by the key of the game.
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
        memory=memory_of(Sealings(said.table)),
    )
    game = KeptGame(
        begun=said.game, phase="playing", acted=(0,) * len(seats), pieces=tuple(parcels)
    )
    return Snapshot(table, game)


def open_takeover_table(takeover: TakeoverServer, snapshot: Snapshot) -> Table:
    """Have a takeover server's table be that one, and return it."""
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
