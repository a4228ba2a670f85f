"""Lets a player's own machine host a sealed table after the table's host has gone."""

import asyncio
import ipaddress
import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from hashlib import sha256
from random import SystemRandom

from driflamme_tui.hosting.host_plans import LOOPBACK
from driflamme_tui.hosting.hosted_table import HostedTable, OpenServer
from driflamme_tui.hosting.open_server import Listening, announce_table, listen
from driflamme_tui.hosting.parts import (
    add_to_parts,
    build_parts,
    part_kinds,
    record_of,
    start_parts,
)
from driflamme_tui.wings.sealed.takeover_games import TakeoverGame, recall, remember
from netcode.joining.invitation import INDIRECT
from netcode.joining.spoken_code import new_code
from netcode.protocol.evening import Evening
from netcode.protocol.fields import SECRET_BYTES, TableNotice
from netcode.protocol.table_settings import SettingValue
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.snapshot import Location, TableAccess, new_number
from netcode.transport.address import Address
from netcode.transport.certificate import CertificateError, Identity
from netcode.transport.sockets import ListenError
from netcode.wings.sealed.game.parcels import Parcel
from netcode.wings.sealed.takeover.callable_addresses import LEAST_PORT, callable_at
from netcode.wings.sealed.takeover.decision import MOST_ADDRESSES
from netcode.wings.sealed.takeover.takeover_server import TakeoverServer


class HomeTakeover:
    """Opens the takeover server of this machine, during one stay at a table.

    If the player hosts the table, the table's own server is the takeover server.
    """

    def __init__(
        self,
        table: HostedTable | None,
        name: str,
        *,
        resumed: bool,
        came_by: Sequence[Address] = (),
    ) -> None:
        """Start without a server.

        `came_by` has the addresses that were tried for another player's table.
        """
        self.is_resumed = resumed
        self.is_allowed: bool | None = None
        self.is_announced = True
        self.added: Mapping[str, SettingValue] = {}
        self.is_table = table is not None and table.listening is not None
        self._table = table
        self._name = name
        self._came_by = came_by
        self._takeover: TakeoverServer | None = None
        self._identity: Identity | None = None
        """The certificate of the takeover server; None until that server listens."""
        self._records: dict[str, str] = {}
        """The records of hosting parts that forward connections to this machine, by name of the
        part. They come from passes of hosts.
        """
        self._place: OpenServer | None = None
        """The server for another person's table, with its parts; None until it is needed."""
        self._opening: asyncio.Task[None] | None = None
        """The task that opens the parts of `_place`; None until `_place` exists."""
        self._announcing: asyncio.Task[None] | None = None
        """The latest task that announces the table on the local network until it is cancelled; None
        before the first.
        """

    def allows(self, towards: str) -> bool:
        """Return True if the table can probably continue here.

        `towards` is this machine's address on the route to the host.
        """
        if self.is_allowed is False:
            return False
        if self._takeover is not None:
            return bool(self._takeover.addresses)
        listening = None if self._table is None else self._table.listening
        if self._records or (listening is not None and listening.indirect):
            return True
        if listening is None or listening.identity is None:
            return self._is_reported(towards)
        return any(self._is_reported(each.host) for each in listening.addresses)

    def is_on_loopback(self, towards: str) -> bool:
        """Return True if only programs on this machine could call a guest's takeover server."""
        with suppress(ValueError):
            is_guest = self._table is None and not self._records
            return is_guest and ipaddress.ip_address(towards).is_loopback
        return False

    async def open(self, towards: str) -> TakeoverServer | None:
        """Open the takeover server of this machine, unless it is open, and return it.

        Returns None if this is not allowed or fails.
        """
        if not self.allows(towards):
            return None
        if self._takeover is None:
            with suppress(ListenError, CertificateError):
                self._takeover = await self._open(towards)
        return self._takeover

    def take_notice(self, notice: TableNotice, towards: str) -> None:
        """Store a host's notice about a machine that forwards connections to this one.

        The host of a table ignores such notices.

        A notice may contain any address, so only some are accepted: addresses that `callable_at`
        allows, an address by which the player joined, and other ports of that address's machine.
        """
        if self._table is not None:
            return
        hosts = {each.host for each in self._came_by}

        def is_allowed(address: Address) -> bool:
            return (
                address in self._came_by
                or (address.host in hosts and address.port >= LEAST_PORT)
                or bool(callable_at([str(address)], [towards]))
            )

        for name, kind in part_kinds().items():
            record = record_of(kind, notice, is_allowed)
            if record is not None:
                # A notice is about one part, so keep the records of other parts.
                self._records[name] = record
        self._records = {name: record for name, record in self._records.items() if record}

    def recall(self, key: bytes) -> list[Parcel]:
        """Return the stored addresses of other programs in a game; [] for an unknown public key."""
        game = recall(key)
        return [] if game is None else [Parcel(*each) for each in game.addresses]

    def remember(self, key: bytes, parcels: list[Parcel], evening: Evening | None) -> None:
        """Store the data for taking a game over later. If `evening` is None, delete them."""
        game = None
        if evening is not None:
            addresses = tuple((each.body, each.signature) for each in parcels)
            port = None if self._takeover is None else self._takeover.server.port
            game = TakeoverGame(
                int(time.time()),
                self.is_table,
                evening,
                port,
                addresses,
                self.is_announced,
                {**self.added},
            )
        remember(key, game)

    async def close(self) -> None:
        """Close the takeover server and its parts, and end the announcement.

        If the player hosts the table, the table's own server stays open.
        """
        takeover, self._takeover = self._takeover, None
        if self._opening is not None:
            self._opening.cancel()
            await asyncio.wait([self._opening])
        if self._place is not None:
            await self._place.stop_parts()
        self.announce(False)
        if self._announcing is not None:
            await asyncio.wait([self._announcing])
        if takeover is not None and self._table is None:
            await takeover.server.close()
        if self._place is not None:
            await self._place.close_parts()

    def announce(self, is_open: bool) -> None:
        """Start or stop the announcement of the table on the local network.

        A table that may not be announced, or has no address, is never announced.
        """
        takeover, before = self._takeover, self._announcing
        if not (is_open and self.is_announced):
            if before is not None:
                before.cancel()
        elif (
            (before is None or before.cancelling()) and takeover is not None and takeover.addresses
        ):
            self._announcing = asyncio.create_task(self._announce(takeover, before))

    async def _announce(self, takeover: TakeoverServer, before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait([before])
        await announce_table(self._name, takeover.entry, takeover.server, self._identity)

    async def _open(self, towards: str) -> TakeoverServer | None:
        table = self._table
        if table is not None:
            if table.listening is None:
                return None
            return self._server_at(table.listening, table.entry, table.server)
        is_called = self._is_reported(towards)
        opened = TableAccess(
            secret=secrets.token_bytes(SECRET_BYTES),
            code=new_code(secrets.token_bytes, ()),
            # If others reach this machine only through another one, listen on loopback alone.
            location=Location(towards if is_called else LOOPBACK, 0),
        )
        listening = await listen(opened)
        with ExitStack() as undo:
            undo.callback(listening.close)
            parts = build_parts(self._records, lambda _sentence: None, (), encrypted=False)
            start_parts(parts, listening, lambda _sentence: None, ())
            entry = TableEntry(new_number(SystemRandom()), listening.opened, None)
            server = await listening.serve(TableRegistry([entry], invite=listening.invite))
            undo.pop_all()
        add_to_parts(parts, entry)
        # A part that cannot open now tries again later.
        self._place = OpenServer(server=server, listening=listening, parts=parts, is_resumed=True)
        self._opening = asyncio.create_task(self._place.open_parts(()))
        return self._server_at(listening, entry, server, is_called=is_called)

    def _server_at(
        self, listening: Listening, entry: TableEntry, server: Server, *, is_called: bool = True
    ) -> TakeoverServer:
        self._identity = listening.identity
        certificate = b"" if listening.identity is None else listening.identity.certificate
        called = listening.addresses if is_called else ()
        addresses = [str(each) for each in called if self._is_reported(each.host)]
        indirect = [f"{INDIRECT}{each}" for each in listening.indirect]
        addresses = [*addresses[: MOST_ADDRESSES - len(indirect)], *indirect]
        return TakeoverServer(
            server=server,
            entry=entry,
            invite=listening.invite,
            pin=sha256(certificate).digest(),
            addresses=tuple(addresses) if certificate else (),
            announce=self.announce,
            is_announced=lambda: self.is_announced,
        )

    def _is_reported(self, host: str) -> bool:
        """Return True if other programs get this address, so that they can call this machine.

        A private address is valid for everybody in its network. On the internet a router usually
        blocks calls, so a global address is sent only if the player allows it.
        """
        try:
            number = ipaddress.ip_address(host)
        except ValueError:
            return False
        return not number.is_link_local and (not number.is_global or self.is_allowed is True)
