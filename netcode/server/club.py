"""The tables of a club: opened for its members, put to sleep when deserted, woken on demand.

Asleep, a table is in the journal and costs no memory.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from msgspec.structs import replace

from netcode.joining.spoken_code import new_code, room_of
from netcode.protocol.fields import SECRET_BYTES, Season
from netcode.protocol.messages import League, TableInfo
from netcode.protocol.table_settings import TableSettings
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.table.effects import Effect, Keep
from netcode.table.errors import StoreError
from netcode.table.finished_game import PastGame
from netcode.table.snapshot import Opened, Snapshot, new_number
from netcode.table.table import Table

if TYPE_CHECKING:
    from netcode.storage.journal import Journal


@dataclass(eq=False)
class Club:
    """Opens tables and puts them to sleep; the server that has it tells it when."""

    _registry: TableRegistry
    _journal: "Journal"
    _rng: Random
    """Decides the deals and the numbers of tables."""
    _random_bytes: Callable[[int], bytes]
    """For keys and secrets."""
    _clock: Callable[[], float] = time.time
    """Returns the Unix time, by which seasons change."""
    has_doors: bool = False
    """Whether people come by doors, whose programs are on this machine."""
    relay_pass: Callable[[TableEntry], str] | None = None
    """Returns by what the players of a sealed table may be reached through the club's relay."""
    _waking: dict[int, asyncio.Task[Table]] = field(default_factory=dict)
    _games: list[PastGame] = field(default_factory=list)
    """Those that came to their end here, as far as the league has asked for them."""
    _leagues: dict[Season, League] = field(default_factory=dict)
    """The league of these games, of seasons that were asked for."""
    _asked: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while the league is added up."""

    def remember(self, number: int, kept: Snapshot) -> None:
        """Take in a table that was kept; it is asleep."""
        opened = kept.table.opened
        info = TableInfo(
            room=room_of(opened.code),
            secret=opened.secret,
            phase=kept.game.phase,
            edition=kept.table.settings.edition,
            names=tuple(seat.name for seat in kept.table.seats),
            asleep=True,
        )
        self._registry.add(TableEntry(number, opened, None, info))

    def open(self, settings: TableSettings, opener: int) -> tuple[TableEntry, list[Effect]]:
        """Open a table; return it, and what is to be kept first.

        Whoever is on the opener's connection is its host.
        """
        code = new_code(self._random_bytes, self._registry.rooms)
        secret = self._random_bytes(SECRET_BYTES)
        table = Table(self._rng, self._new_key, settings=settings, opener=opener)
        entry = TableEntry(new_number(self._rng), Opened(secret, code, club=True), table)
        self._registry.add(entry)
        self._introduce(entry, table)
        return entry, table.open(entry.opened)

    def is_asleep(self, entry: TableEntry) -> bool:
        """Whether nobody has begun to wake a table that sleeps."""
        return entry.table is None and entry.number not in self._waking

    async def wake(self, entry: TableEntry) -> Table:
        """Return the table, which was asleep; raises StoreError if it cannot be brought back."""
        waking = self._waking.get(entry.number)
        if waking is None:
            waking = asyncio.create_task(self._restore(entry))
            self._waking[entry.number] = waking
            waking.add_done_callback(lambda _: self._waking.pop(entry.number))
        # Several may wait for it, of whom one may go.
        return await asyncio.shield(waking)

    def sleep(self, entry: TableEntry) -> list[Effect]:
        """Put a table to sleep if nobody is there; return what is to be kept of that.

        One at which nobody has a seat either is closed for good.
        """
        table = entry.table
        if table is None or table.participants.attended or not self._journal.keeps(entry.number):
            return []
        info = entry.info()
        entry.table = None
        if info.phase == "lobby" and not table.participants.has_persons:
            self._registry.remove(entry)
            return [Keep(None)]
        entry.asleep = replace(info, asleep=True)
        self._registry.changes += 1
        return []

    async def league(self, season: Season | None) -> League:
        """Return how the league stands in a season, the present one for None."""
        from netcode.storage.club_league import league_of, nearest_season

        async with self._asked:
            # If the disk fails, what is known is told.
            with suppress(StoreError):
                last = self._games[-1].id if self._games else 0
                while games := await self._journal.club_games(last):
                    self._games += games
                    self._leagues.clear()
                    last = games[-1].id
            season = nearest_season(self._games, season, self._clock())
            if season not in self._leagues:
                told = await asyncio.to_thread(league_of, self._games, season)
                self._leagues[season] = told
            return self._leagues[season]

    async def _restore(self, entry: TableEntry) -> Table:
        kept = await self._journal.load(entry.number)
        table = Table.restore(kept, self._rng, self._new_key)
        self._introduce(entry, table)
        entry.table, entry.asleep = table, None
        self._registry.changes += 1
        return table

    def _introduce(self, entry: TableEntry, table: Table) -> None:
        table.set_invitation(self._registry.invite(entry))
        if self.has_doors:
            table.open_doors()
        if self.relay_pass is not None:
            table.set_relay_pass(self.relay_pass(entry))

    def _new_key(self) -> bytes:
        return self._random_bytes(32)
