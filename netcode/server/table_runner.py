"""Runs the tables of a server: executes their effects in order.

An effect that reveals a state is executed only after that state was stored.
"""

from collections.abc import Callable
from functools import partial

from msgspec import Struct

from engine.actions import Action
from netcode.isolation import attempt
from netcode.limits import MAXIMUM_WAITING_BATCHES
from netcode.protocol.fields import TableNotice
from netcode.server.bot_runner import BotRunner
from netcode.server.peers import Peers
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.server.tables import TableJournal, Tables
from netcode.table.effects import (
    Alarm,
    Close,
    Effect,
    Keep,
    Reinvite,
    Report,
    Send,
    Strike,
    Think,
    Warm,
)
from netcode.table.table import Table
from netcode.transport.running_clock import RunningClock, ScheduledCall


class TableRunner(Struct, eq=False):
    """Executes the effects of the tables of one server."""

    _registry: TableRegistry
    _peers: Peers
    _clock: RunningClock
    _bot_runner: BotRunner
    _random_bytes: Callable[[int], bytes]
    """Returns random bytes, for new invitations."""
    _journal: TableJournal | None
    _tables: Tables
    moves: int = 0
    """Number of moves since the server began."""

    def execute(self, entry: TableEntry, effects: list[Effect]) -> None:
        """Execute the effects of a table, after the state in them is stored.

        Without a journal, execute them at once.
        """
        if not effects:
            return
        if isinstance(effects[0], Keep):
            self.moves += effects[0].moves
        execute = partial(self._execute, entry, entry.table)
        if self._journal is None:
            execute(effects)
        else:
            self._journal.submit(entry.number, effects, execute)

    def table_at_hand(self, entry: TableEntry) -> Table | None:
        """Return the table of an entry if `ready` would return it at once; otherwise None."""
        return None if self._is_behind(entry) else entry.table

    async def ready(self, entry: TableEntry) -> Table:
        """Return the table of an entry; restore the table if it is not in memory.

        If many batches of the table wait for the journal, wait until these are stored. Raises
        StoreError if the table cannot be restored.
        """
        if self._journal is not None and self._is_behind(entry):
            await self._journal.settled(entry.number)
        if entry.table is not None:
            return entry.table
        return await self._tables.ready(entry)

    def _is_behind(self, entry: TableEntry) -> bool:
        """Return True if many batches of a table wait for the journal."""
        waiting = None if self._journal is None else self._journal.waiting.get(entry.number)
        return waiting is not None and len(waiting) >= MAXIMUM_WAITING_BATCHES

    def now(self) -> float:
        """Return the time of the server's clock, in seconds."""
        return self._clock.now()

    def call_at(self, due: float, call: Callable[[], None]) -> ScheduledCall:
        """Call a function at a time of the server's clock; return the cancellable call."""
        return self._clock.call_at(due, call)

    def drop_bots(self, entry: TableEntry) -> None:
        """Stop the bots of a table."""
        self._bot_runner.drop(entry.number)

    @property
    def peers(self) -> Peers:
        """The connections of the server."""
        return self._peers

    def close_all(self, *, for_good: bool) -> None:
        """Let all tables send a Goodbye.

        With `for_good` a table stays resumable only if a game is running.
        """
        for entry in self._registry.entries:
            if entry.table is not None:
                is_kept = self._journal is not None and self._journal.keeps(entry.number)
                reason = "host_quit"
                if is_kept and entry.table.games.phase == "playing":
                    reason = "host_quit_game"
                elif is_kept and not for_good:
                    reason = "host_quit_for_now"
                self.execute(entry, entry.table.close(reason, for_good=for_good))

    def _execute(self, entry: TableEntry, table: Table | None, effects: list[Effect]) -> None:
        """Execute effects of a table; `table` is None if it is no longer in memory."""
        peers = self._peers.by_number
        for effect in effects:
            if isinstance(effect, Send):
                # Most effects are of this type.
                if effect.connection in peers:
                    peers[effect.connection].send(effect.message)
                continue
            match effect:
                case Close(connection):
                    if connection in peers:
                        peers[connection].close()
                case Strike(connection):
                    if connection in peers and peers[connection].count_strike():
                        peers[connection].dismiss("too_many_bad_messages")
                case Keep():
                    # The journal has executed this effect already.
                    pass
                case Think():
                    self._think(entry, table, effect)
                case Warm():
                    self._bot_runner.warm()
                case Alarm(delay_s):
                    self._clock.call_later(delay_s, self._alarm, entry, table)
                case Report(part, value):
                    self._report(entry, table, part, value)
                case Reinvite(keeps_secret):
                    self._reinvite(entry, table, keeps_secret=keeps_secret)
        if entry.number in self._bot_runner.searches:
            self._bot_runner.drop_if_pointless(entry.number)

    def send_wrong_guesses(self, entry: TableEntry) -> None:
        """Send the host of a table the number of wrong guesses at its code, if it is high."""
        if entry.table is not None:
            self.execute(entry, entry.table.see_guesses(entry.wrong_guesses))

    def set_notice(self, entry: TableEntry, notice: TableNotice) -> None:
        """Set a notice of a table, and send it to all interpreters that lack it.

        Does nothing if the table is not in memory.
        """
        if entry.table is not None:
            entry.table.set_notice(notice)
            self.execute(entry, entry.table.changed())

    def send_links(self) -> None:
        """Send each connection the present link of its table."""
        for entry in tuple(self._registry.entries):
            if entry.table is not None:
                self.execute(entry, entry.table.send_link(self._registry.invite(entry)))

    def _reinvite(self, entry: TableEntry, table: Table | None, *, keeps_secret: bool) -> None:
        if table is not None and entry.table is table:
            self._registry.renew(entry, self._random_bytes, keeps_secret=keeps_secret)
            invitation = self._registry.invite(entry)
            self.execute(entry, table.renew(entry.opened, invitation))

    def _report(self, entry: TableEntry, table: Table | None, part: str, value: object) -> None:
        def done() -> None:
            # Compare the objects: a table that was restored meanwhile reports again.
            if table is not None and entry.table is table:
                self.execute(entry, table.report_done(part, value, self._clock.now()))

        receive = entry.host_parts.get(part)
        if receive is not None:
            attempt(part, partial(receive, value, done), None)

    def _alarm(self, entry: TableEntry, table: Table | None) -> None:
        if table is not None and entry.table is table:
            self.execute(entry, table.alarm(self._clock.now()))

    def _think(self, entry: TableEntry, table: Table | None, think: Think) -> None:
        assert table is not None

        def is_pointless() -> bool:
            # Compare the objects: a table that was restored meanwhile is another object.
            return entry.table is not table or not table.games.expects(think.seat, think.revision)

        def answer(action: Action) -> None:
            now = self._clock.now()
            self.execute(entry, table.answer(think.seat, think.revision, action, now))

        self._bot_runner.think(entry.number, think, is_pointless, answer)
