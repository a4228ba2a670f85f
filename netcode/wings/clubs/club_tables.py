"""Manages a club's tables: members open them, empty ones fall asleep, visitors or timers wake them.

A sleeping table is stored in the journal, and costs little memory.
"""

import asyncio
import hmac
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from heapq import nsmallest
from math import inf
from random import Random
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from netcode.joining.spoken_code import new_code, prefix_of
from netcode.limits import UPDATE_INTERVAL_S, Buckets, TokenBucket, spend
from netcode.protocol.fields import SECRET_BYTES, Message
from netcode.protocol.messages import Admitted, Hello
from netcode.protocol.table_settings import TableSettings, without_unknown
from netcode.server.peers import Peer
from netcode.server.table_registry import NO_NOTES, TableEntry, TableRegistry
from netcode.server.tables import Handler, Runner
from netcode.table.effects import Effect, Keep, Send
from netcode.table.errors import NotAllowedError, StoreError
from netcode.table.finished_game import PastGame
from netcode.table.parts import stored_notes
from netcode.table.snapshot import Snapshot, TableAccess, new_number
from netcode.table.table import Table
from netcode.transport.running_clock import ScheduledCall
from netcode.wings.clubs.club_limits import (
    MEMBER_TIMEOUT_S,
    MOST_TABLES,
    NETWORK_OPENINGS,
    OPENINGS,
)
from netcode.wings.clubs.messages import (
    MAXIMUM_TABLES,
    AskLeague,
    Club,
    League,
    OpenTable,
    Season,
    TableInfo,
)
from netcode.wings.clubs.wake_ups import WakeUps, wakes_at

if TYPE_CHECKING:
    from netcode.storage.journal import Journal

_log = logging.getLogger(__name__)

SLEEP_AFTER_S: Final = 120.0
"""Seconds before an empty table falls asleep. Reconnecting takes only seconds, so nobody is
disturbed.
"""

SLEEP_AGAIN_AFTER_S: Final = 15.0
"""Seconds before a table that was woken falls asleep again. The number exceeds
`absence.LOBBY_GRACE_S`, so that a refused visitor can take a name that becomes free then.
"""


IDLE_AGAIN_AFTER_S: Final = 3600.0
"""Minimum seconds before a timer wakes a table again, if the table could not be restored, or did
nothing when it was last awake.
"""


class ClubTables:
    """Manages the tables of a club, answers its members, and computes its league."""

    def __init__(
        self,
        registry: TableRegistry,
        journal: "Journal",
        secret: bytes,
        rng: Random,
        random_bytes: Callable[[int], bytes],
        clock: Callable[[], float] = time.time,
        *,
        past_games: Callable[[int], list[PastGame]] = lambda _after: [],
        add_table: Callable[[TableEntry], object] = lambda _entry: None,
    ) -> None:
        """Start without tables.

        Args:
            registry: The tables of the server.
            journal: Stores the tables.
            secret: The secret of the club's members.
            rng: Decides the deals and the numbers of tables.
            random_bytes: Returns this many random bytes, for keys, codes and secrets.
            clock: Returns the Unix time, for the seasons and for the tables.
            past_games: Returns the next of the club's games after a game's id; an empty list after
                the last. It runs in the journal's thread.
            add_table: Prepares a table that is opened or woken. It is called before anybody joins
                the table.
        """
        self._registry = registry
        self._journal = journal
        self._secret = secret
        self._rng = rng
        self._random_bytes = random_bytes
        self._clock = clock
        self._past_games = past_games
        self._add_table = add_table
        self.handlers: Mapping[type[Message], Handler] = {
            OpenTable: self._open_for,
            AskLeague: self._send_league,
        }
        self._asleep: dict[TableEntry, TableInfo] = {}
        """The sleeping tables, each with its description for the list."""
        self._to_sleep: dict[TableEntry, tuple[float, ScheduledCall]] = {}
        """For each table that may be empty, the time at which it falls asleep, and the timer."""
        self._waking: dict[int, asyncio.Task[Table]] = {}
        self._opened: dict[Peer, TableEntry] = {}
        """The table that each member has opened, at most one."""
        self._list: Club | None = None
        """The last list of tables that was sent to members; None before the first request."""
        self._list_of = (-inf, 0)
        """The time of `_list` by the server's clock, and the number of changes of the registry at
        that time. The time is minus infinity before the first list.
        """
        self._openings = TokenBucket(OPENINGS)
        self._openings_from = Buckets(NETWORK_OPENINGS)
        self._games: list[PastGame] = []
        """The club's finished games that were loaded for the league so far."""
        self._leagues: dict[Season, League] = {}
        """The computed leagues, by season. They contain only the loaded games."""
        self._wake_ups = WakeUps(self._wake, clock)
        self._woken: dict[TableEntry, float] = {}
        """For each table that a timer has woken, the Unix time for which the timer was set."""
        self._league_lock = asyncio.Lock()
        """A lock that is taken while a league is computed."""

    def attach(self, runner: Runner) -> None:
        """Store the server's runner, and begin to wake tables. Call this before other methods."""
        self._runner = runner
        self._wake_ups.start(runner)

    # Members

    def answer_without_table(self, peer: Peer, hello: Hello, now: float) -> Message | None:
        """Return the list of tables; None if a Hello has a secret that is not the club's.

        A peer that gets the list counts as a member, and has more time to choose a table. Only an
        open server passes a Hello without a secret to this method.
        """
        if hello.secret is not None and not hmac.compare_digest(hello.secret, self._secret):
            return None
        peer.is_trusted, peer.more_time_s = True, MEMBER_TIMEOUT_S
        made_at, changes = self._list_of
        if (
            self._list is None
            or now >= made_at + UPDATE_INTERVAL_S
            or changes != self._registry.changes
        ):
            self._list = Club(tables=tuple(self._infos()))
            self._list_of = now, self._registry.changes
        return self._list

    async def _open_for(self, peer: Peer, message: OpenTable, now: float) -> None:
        """Open a table for a member, or refuse it."""
        refusal = self._refusal(peer, now)
        if refusal is not None:
            peer.answer(refusal)
            return
        try:
            entry, effects = self.open(without_unknown(message.settings), peer.number)
        except NotAllowedError as error:
            peer.answer(peer.strike(error.code, error.values))
            return
        self._opened[peer] = entry
        self._runner.execute(entry, [*effects, Send(peer.number, Admitted(secret=entry.secret))])
        # If nobody takes a seat, the table falls asleep, and is then removed.
        self.left(entry)

    def _refusal(self, peer: Peer, now: float) -> Message | None:
        """Return the refusal if a peer may not open a table now.

        Otherwise count the opening, and return None.
        """
        if not peer.is_trusted:
            return peer.strike("not_a_member")
        if peer in self._opened or len(self._registry) >= MOST_TABLES:
            return peer.strike("too_many_tables")
        wait = spend(now, self._openings, self._openings_from.of(peer.network, now))
        return peer.strike("too_many_opened", {"seconds": int(wait) + 1}) if wait else None

    async def _send_league(self, peer: Peer, message: AskLeague, now: float) -> None:
        if not peer.is_trusted:
            peer.answer(peer.strike("not_a_member"))
        elif await peer.has_turn(now, "too_many_asked"):
            peer.answer(await self.league(message.season))

    def peer_gone(self, peer: Peer, now: float) -> None:
        """Notify a table if the peer that opened it has gone without joining it."""
        entry = self._opened.get(peer)
        if entry is not None and entry is not peer.entry and entry.table is not None:
            self._runner.execute(entry, entry.table.opener_gone(peer.number, now))
        if peer.number not in self._runner.peers.by_number:
            self._opened.pop(peer, None)

    def close(self, *, for_good: bool) -> None:
        """Wake no more tables. Sleeping tables stay stored, for either value of `for_good`."""
        self._wake_ups.stop()

    def dismiss(self, peer: Peer) -> None:
        """Send a peer the Goodbye of a closed club."""
        peer.dismiss("club_closed")

    # Tables

    def _infos(self) -> list[TableInfo]:
        """Return the descriptions of at most `MAXIMUM_TABLES` tables, active tables first.

        Tables with a renewed invitation are left out.
        """
        # Members often request the list, and there are many tables, so describe only listed ones.
        # A host renews the invitation to keep a person out, so list no such table.
        entries = (entry for entry in self._registry.entries if not entry.opened.former)
        return [self.info(entry) for entry in nsmallest(MAXIMUM_TABLES, entries, key=self._order)]

    def _order(self, entry: TableEntry) -> tuple[bool, bool]:
        """Return the sort key of a table: awake tables come first, and of these the lobbies."""
        phase = self._asleep[entry].phase if entry.table is None else entry.table.games.phase
        return entry.table is None, phase != "lobby"

    def info(self, entry: TableEntry) -> TableInfo:
        """Return the description of a table for the list."""
        table = entry.table
        if table is None:
            return self._asleep[entry]
        return TableInfo(
            prefix=entry.prefix,
            secret=entry.secret,
            phase=table.games.phase,
            edition=table.games.settings.edition,
            names=table.participants.names,
        )

    def remember(self, number: int, kept: Snapshot) -> None:
        """Add a stored table as a sleeping one."""
        opened = kept.table.opened
        info = TableInfo(
            prefix=prefix_of(opened.code),
            secret=opened.secret,
            phase=kept.game.phase,
            edition=kept.table.settings.edition,
            names=tuple(seat.name for seat in kept.table.seats),
            asleep=True,
        )
        entry = TableEntry(number, opened, None, notes=stored_notes(kept))
        self._asleep[entry] = info
        self._registry.add(entry)
        self._wake_ups.add(entry, wakes_at(entry))

    def open(self, settings: TableSettings, opener: int) -> tuple[TableEntry, list[Effect]]:
        """Open a table; return it with the effects that store it.

        The peer with the number `opener` becomes its host. Raises NotAllowedError if a table cannot
        have the settings.
        """
        code = new_code(self._random_bytes, self._registry.prefixes)
        secret = self._random_bytes(SECRET_BYTES)
        table = Table(
            self._rng, self._new_key, settings=settings, opener=opener, unix_time=self._clock
        )
        entry = TableEntry(new_number(self._rng), TableAccess(secret, code), table)
        self._registry.add(entry)
        self._introduce(entry, table)
        return entry, table.open(entry.opened)

    def is_costly(self, entry: TableEntry) -> bool:
        """Return True if a table sleeps and is not being woken: joining it then needs the disk."""
        return entry.table is None and entry.number not in self._waking

    async def ready(self, entry: TableEntry) -> Table:
        """Wake a table and return it. Raises StoreError if it cannot be restored."""
        waking = self._waking.get(entry.number)
        if waking is None:
            waking = asyncio.create_task(self._restore(entry))
            self._waking[entry.number] = waking
            waking.add_done_callback(lambda _: self._waking.pop(entry.number))
        # Several peers may wait for the table, so do not cancel the task when one of them leaves.
        return await asyncio.shield(waking)

    def left(self, entry: TableEntry) -> None:
        """Let a table fall asleep after `SLEEP_AFTER_S`, if it is empty then."""
        self._sleep_later(entry, SLEEP_AFTER_S)

    def _sleep_later(self, entry: TableEntry, delay_s: float) -> None:
        """Set the timer that puts a table to sleep.

        If one is set already, the later time counts.
        """
        due = self._runner.now() + delay_s
        earlier, timer = self._to_sleep.get(entry, (due, None))
        if timer is not None:
            timer.cancel()
        due = max(due, earlier)
        self._to_sleep[entry] = due, self._runner.call_at(due, partial(self.sleep, entry))

    def sleep(self, entry: TableEntry) -> None:
        """Put a table to sleep if it is empty.

        If it is in the lobby and no person has a seat, close it for good instead. If its latest
        state is not stored yet, try again later.
        """
        _, timer = self._to_sleep.pop(entry, (0.0, None))
        if timer is not None:
            timer.cancel()
        table = entry.table
        if table is None or table.participants.attended:
            return
        if not self._journal.keeps(entry.number):
            self.left(entry)
            return
        info = self.info(entry)
        entry.table = None
        if info.phase == "lobby" and not table.participants.has_persons:
            self._registry.remove(entry)
            self._runner.execute(entry, [Keep(None)])
        else:
            self._asleep[entry] = replace(info, asleep=True)
            self._registry.changes += 1
            if table.kept is not None:
                entry.notes = stored_notes(table.kept)
            # A table that could do nothing while it was awake must not wake again at once.
            due = wakes_at(entry)
            is_idle = self._woken.get(entry) == due
            soonest = self._clock() + (IDLE_AGAIN_AFTER_S if is_idle else SLEEP_AGAIN_AFTER_S)
            self._wake_ups.add(entry, max(soonest, due))
        self._woken.pop(entry, None)
        self._runner.drop_bots(entry)

    async def league(self, season: Season | None) -> League:
        """Read new league games, and return the league of the season nearest to `season`.

        None means the present season. If the games cannot be read, the known ones count.
        """
        from netcode.wings.clubs.league import league_of, nearest_season

        async with self._league_lock:
            # If the disk fails, use the games that were loaded before.
            with suppress(StoreError):
                last = self._games[-1].id if self._games else 0
                while games := await self._journal.run(partial(self._past_games, last)):
                    self._games += games
                    self._leagues.clear()
                    last = games[-1].id
            season = nearest_season(self._games, season, self._clock())
            if season not in self._leagues:
                standings = await asyncio.to_thread(league_of, self._games, season)
                self._leagues[season] = standings
            return self._leagues[season]

    async def _restore(self, entry: TableEntry) -> Table:
        kept = await self._journal.load(entry.number)
        table = Table.restore(kept, self._rng, self._new_key, unix_time=self._clock)
        entry.table, entry.notes = table, NO_NOTES
        self._introduce(entry, table)
        del self._asleep[entry]
        self._registry.changes += 1
        # If the visitor leaves, the table soon falls asleep. If they stay, the timer has no effect.
        self._sleep_later(entry, SLEEP_AGAIN_AFTER_S)
        return table

    async def _wake(self, entry: TableEntry) -> None:
        """Wake a table, so that its due timers run. It soon falls asleep again."""
        self._woken[entry] = wakes_at(entry)
        try:
            table = await self.ready(entry)
        except StoreError as error:
            _log.error("%s", error)
            self._woken.pop(entry, None)
            # The disk may work again later, and perhaps no visitor comes.
            self._wake_ups.add(entry, self._clock() + IDLE_AGAIN_AFTER_S)
            return
        self._runner.execute(entry, table.alarm(self._runner.now()))

    def _introduce(self, entry: TableEntry, table: Table) -> None:
        table.set_invitation(self._registry.invite(entry))
        self._add_table(entry)

    def _new_key(self) -> bytes:
        return self._random_bytes(32)
