"""Runs the tables of a server: carries out their effects in order.

What is to be kept is kept before anything that tells of it is carried out.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from engine.actions import Action
from netcode.limits import MAXIMUM_HELD
from netcode.server.bot_runner import BotRunner
from netcode.server.peers import Peers
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.server.tables import Tables
from netcode.table.effects import Alarm, Close, Effect, Keep, Reinvite, Send, Strike, Think, Warm
from netcode.table.table import Table
from netcode.transport.running_clock import RunningClock, ScheduledCall

if TYPE_CHECKING:
    from netcode.storage.journal import Journal


@dataclass(eq=False)
class TableRunner:
    """Carries out what the tables of one server want done."""

    _registry: TableRegistry
    _peers: Peers
    _clock: RunningClock
    _bot_runner: BotRunner
    _random_bytes: Callable[[int], bytes]
    """For new invitations."""
    _journal: "Journal | None"
    _tables: Tables
    """How they are kept."""
    moves: int = 0
    """Actions that have counted since the server began."""

    def carry_out(self, entry: TableEntry, effects: list[Effect]) -> None:
        """Do what a table wants done, once what is to be kept has been."""
        if not effects:
            return
        if isinstance(effects[0], Keep):
            self.moves += effects[0].moves
        execute = partial(self._execute, entry, entry.table)
        if self._journal is None:
            execute(effects)
        else:
            self._journal.submit(entry.number, effects, execute)

    async def ready(self, entry: TableEntry) -> Table:
        """Return the table of an entry, brought back if need be; raises StoreError.

        Waits for the journal if that is far behind.
        """
        if (
            self._journal is not None
            and len(self._journal.held.get(entry.number, ())) >= MAXIMUM_HELD
        ):
            await self._journal.settled(entry.number)
        if entry.table is not None:
            return entry.table
        return await self._tables.ready(entry)

    def now(self) -> float:
        """Return the time of the server's clock, in seconds."""
        return self._clock.now()

    def call_at(self, due: float, call: Callable[[], None]) -> ScheduledCall:
        """Call something at a time, unless it is cancelled before."""
        return self._clock.call_at(due, call)

    def drop_bots(self, entry: TableEntry) -> None:
        """Forget the bots of a table."""
        self._bot_runner.drop(entry.number)

    @property
    def peers(self) -> Peers:
        """The connections of the server."""
        return self._peers

    def close_all(self, *, for_good: bool) -> None:
        """Have all tables say goodbye to those who are there.

        Those that are closed for good are no longer kept, unless a game is under way.
        """
        for entry in self._registry.entries:
            if entry.table is not None:
                is_kept = self._journal is not None and self._journal.keeps(entry.number)
                reason = "host_quit"
                if is_kept and entry.table.games.phase == "playing":
                    reason = "host_quit_game"
                elif is_kept and not for_good:
                    reason = "host_quit_for_now"
                self.carry_out(entry, entry.table.close(reason, for_good=for_good))

    def _execute(self, entry: TableEntry, table: Table | None, effects: list[Effect]) -> None:
        """Do what a table wanted, which may not be in memory any more."""
        for effect in effects:
            match effect:
                case Send() | Close() | Strike():
                    peer = self._peers.by_number.get(effect.connection)
                    if peer is None:
                        continue
                    if isinstance(effect, Send):
                        peer.send(effect.message)
                    elif isinstance(effect, Close):
                        peer.close()
                    elif peer.count_strike():
                        peer.dismiss("too_many_bad_messages")
                case Keep():
                    # The journal's, which has seen to it.
                    pass
                case Think():
                    self._think(entry, table, effect)
                case Warm():
                    self._bot_runner.warm()
                case Alarm(delay_s):
                    self._clock.call_later(delay_s, self._alarm, entry, table)
                case Reinvite(keeps_secret):
                    self._reinvite(entry, table, keeps_secret=keeps_secret)
        if entry.number in self._bot_runner.searches:
            self._bot_runner.drop_if_pointless(entry.number)

    def tell_guesses(self, entry: TableEntry) -> None:
        """Tell the host of a table how often its code was guessed wrong, if that is often."""
        if entry.table is not None:
            self.carry_out(entry, entry.table.see_guesses(entry.wrong_guesses))

    def send_links(self) -> None:
        """Tell everybody at every table by what others come to it now."""
        for entry in tuple(self._registry.entries):
            if entry.table is not None:
                self.carry_out(entry, entry.table.tell_link(self._registry.invite(entry)))

    def _reinvite(self, entry: TableEntry, table: Table | None, *, keeps_secret: bool) -> None:
        if table is not None and entry.table is table:
            self._registry.renew(entry, self._random_bytes, keeps_secret=keeps_secret)
            invitation = self._registry.invite(entry)
            self.carry_out(entry, table.renew(entry.opened, invitation))

    def _alarm(self, entry: TableEntry, table: Table | None) -> None:
        if table is not None and entry.table is table:
            self.carry_out(entry, table.alarm(self._clock.now()))

    def _think(self, entry: TableEntry, table: Table | None, think: Think) -> None:
        assert table is not None

        def is_pointless() -> bool:
            # Another object is in its place once it was brought back.
            return entry.table is not table or not table.games.expects(think.seat, think.revision)

        def answer(action: Action) -> None:
            now = self._clock.now()
            self.carry_out(entry, table.answer(think.seat, think.revision, action, now))

        self._bot_runner.think(entry.number, think, is_pointless, answer)
