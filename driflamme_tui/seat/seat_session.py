"""Runs a seat at a table, from the plan to the goodbye, with a screen or without.

A seat session has the target, the player's own table, the key to the seat, and the connection. The
session interprets messages; screens and `plain` show it.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from driflamme_tui.hosting.host_plans import SoloPlan
from driflamme_tui.hosting.hosted_table import HostedTable, open_alone
from driflamme_tui.preferences.matched_bots import seat_bots
from driflamme_tui.preferences.remembered import WayBack, forget_back, remember
from driflamme_tui.seat.matched_seats import MatchedSeats
from driflamme_tui.seat.player_seat import LostConnection, PlayerSeat
from driflamme_tui.seat.seat_keys import LockedSeat
from driflamme_tui.seat.seat_parts import (
    IsolatedInterpreter,
    Journey,
    SeatPart,
    or_unchanged,
    part_builders,
)
from driflamme_tui.seat.targets import Join, Plan, Study
from driflamme_tui.text.i18n import _
from engine.texts import ExplainedError
from netcode.client.connection import Connect, ConnectError, Connection
from netcode.client.history_writer import HistoryWriter
from netcode.client.interpreter import Interpreter, PassThrough
from netcode.client.reconnection import Connected, ConnectionLost, HostMoved, News, stay_connected
from netcode.client.session import ContradictionError, ProtocolError, Session
from netcode.isolation import IsolatedParts
from netcode.protocol import messages
from netcode.protocol.fields import BeforeTable, FamilyLetter, Message
from netcode.protocol.refusal_sentences import (
    NO_SEAT,
    NO_SUCH_TABLE,
    WISHES_REFUSED,
    refusal_sentence,
)
from netcode.table.errors import NotThereError
from netcode.workers.worker_pool import WorkerPool

if TYPE_CHECKING:
    from driflamme_tui.hosting.open_server import Notify
    from driflamme_tui.seat.targets import ResolvedTarget
    from netcode.client.followed_host import FollowedHost


class _EnoughError(Exception):
    """Raised to close the connection when the subscriber wants no more news."""


class SeatSession(PlayerSeat):
    """A seat at a table, or the way to one: the connection, and the way back to the seat."""

    def __init__(
        self,
        name: str,
        session: Session,
        connect: Connect,
        *,
        watch: bool = False,
        target: "ResolvedTarget | None" = None,
        table: HostedTable | None = None,
        opening: Sequence[Message] = (),
        bots: Sequence[str] = (),
        history_writer: HistoryWriter | None = None,
        workers: WorkerPool | None = None,
    ) -> None:
        """Prepare the way to a table; `stay` goes there.

        Args:
            name: The player's name.
            session: Stores the host's messages.
            connect: Opens a connection to the table.
            watch: True to watch, unless the player has a seat there already.
            target: Another person's table, and the way to it; None at the player's own table and
                at a table to study.
            table: The player's own table; None at another person's table and at a table to study.
            opening: The messages to send after the first Welcome.
            bots: The bots that the messages in `opening` add. `EVEN_BOT` stands for a bot of the
                player's strength.
            history_writer: Stores the games that are played, unless the table's journal does; None
                to store none.
            workers: The worker pool for bots. By default it is the pool of the player's own table,
                or a new one.
        """
        super().__init__(session, name)
        self.target = target
        """Another person's table, and the way to it; None at the player's own table and at a table
        to study.
        """
        self.table = table
        """The player's own table; None at another person's table and at a table to study."""
        self._connect = connect
        self._watch = watch
        self._opening = opening
        self._even = MatchedSeats(bots)
        self._history_writer = history_writer
        self._in_order: Final = asyncio.Lock()
        self._sending: Final = set[asyncio.Task[None]]()
        self._connection: Connection | None = None
        self._seat: LockedSeat | None = None
        self._secret: bytes | None = None
        """The secret of the invitation by which the seat is locked; None without an invitation."""
        self._left = False
        self._leaves = False
        """True if the player has given up the seat, and has not only ended the program."""
        self._wanted_name: str | None = None
        """The new name that the player has requested; None without a request."""
        self._wished: FamilyLetter | None = None
        """A family of the bot whose seat the player has asked for; None without an open wish."""
        self._asks_again = False
        """True after a reconnect, until the wish for a bot's seat has been sent again."""
        self._workers = workers
        """The workers that judge decisions; None before the first use, if none were passed."""
        self._interpreter: Interpreter = PassThrough()
        self._parts = IsolatedParts[SeatPart]()
        if not self.is_private:
            for build in part_builders(Journey(self, connect, target)):
                self._add(build)
        if target is not None:
            seat_lock = self._hold(target.secret)
            session.key = session.key or seat_lock

    def _add(self, build: Callable[[], SeatPart]) -> None:
        """Build and add a part, before the first connection, unless it fails."""
        part = self._parts.add(build)
        if part is None:
            return
        try:
            self._connect = or_unchanged(part.connector(self._connect), self._connect)
            interpreter = part.interpreter
        except Exception as error:
            self._parts.leave_out(part, error)
            return
        if interpreter is not None:
            self._interpreter = IsolatedInterpreter(interpreter)

    @property
    def is_private(self) -> bool:
        """True if no other person can join the table."""
        return self.target is None and (self.table is None or self.table.listening is None)

    @property
    def secure(self) -> bool | None:
        """True if nobody between player and table can read along; None without a network."""
        if self.table is not None:
            return self.table.secure
        return None if self.target is None else self.target.secure

    @property
    def workers(self) -> WorkerPool:
        """The workers that judge decisions; at the player's own table, the workers of its bots."""
        if self.table is not None:
            return self.table.server.workers
        if self._workers is None:
            self._workers = WorkerPool(1)
        return self._workers

    @property
    def connected(self) -> bool:
        """True if there is a connection to the host."""
        return self._connection is not None

    @property
    def is_let_in(self) -> bool:
        """True if the host has answered the Hello of the present connection with a Welcome."""
        return self._connection is not None and self._connection.is_welcome

    @property
    def latency_ms(self) -> int | None:
        """Milliseconds to another person's table and back; None if unknown.

        If the player's screen is on another machine, this program cannot measure it.
        """
        if self.target is None or self.target.is_on_behalf:
            return None
        if self._connection is None or self._connection.latency is None:
            return None
        return round(self._connection.latency * 1000)

    @property
    def answered(self) -> int | None:
        """The number of events before the player's last answer, after a return to a running game.

        None if the player has not answered in this game, or if the answer is unknown.
        """
        return self._parts.first(lambda part: part.answered())

    @property
    def missed_from(self) -> int | None:
        """The index of the first chat line that was written while the player was away.

        None if the player has missed no line, or if that is unknown.
        """
        return self._parts.first(lambda part: part.missed_from())

    @property
    def leaving(self) -> str:
        """The effect of leaving a game in which the player keeps the seat; "" in other games."""
        return self._parts.first(lambda part: part.leaving() or None) or ""

    async def stay(self, on_news: Callable[[News], bool | None]) -> bool:
        """Stay until host or player leaves; pass all news to the session, then to `on_news`.

        `on_news` may return False to leave. Returns False in that case, and True in all others.

        Raises:
            ConnectError: The table cannot be reached any more, or its messages are wrong.
        """

        def take(news: News) -> None:
            if isinstance(news, messages.Welcome | BeforeTable):
                moved = self._moved()
                if moved is not None:
                    take(moved)
            # After the player has left, the end of the connection is expected, so ignore it.
            if not self._left:
                self._receive(news)
            if self._left or on_news(news) is False:
                raise _EnoughError
            if isinstance(news, messages.State) and self.table is not None:
                self.table.opens_journal()

        await self._parts.each_in_turn(lambda part: part.log_in(), ConnectError)
        try:
            await stay_connected(
                self._connect,
                self.session,
                self.name,
                take,
                spectator=self._watch,
                waits=self.target is not None and not self.target.is_on_behalf,
                route=None if self.target is None else self.target.host,
                interpreter=self._interpreter,
            )
        except _EnoughError:
            return self._left
        except ContradictionError:
            raise ConnectError(
                "The host contradicts what it sent before, so this program has left the table: "
                "join it again."
            ) from None
        except ProtocolError:
            raise ConnectError(
                "This program cannot read the table's answer: upgrade the older of the two."
            ) from None
        return True

    def _moved(self) -> HostMoved | None:
        """Return the news of the host's new address; None if the address is the old one."""
        host = None if self.target is None else self.target.host
        return None if host is None else host.moved()

    def send(self, message: Message) -> bool:
        """Clear the last refusal, and send a message to the host, perhaps with other bots.

        Even bots in the message become bots of a certain level.
        A new name and a wish for a bot's seat are stored until the host's reply. Returns False if
        there is no connection.
        """
        if self._connection is None:
            return super().send(message)
        self.session.refusal = None
        self._parts.each(lambda part: part.send(message))
        if isinstance(message, messages.Rename):
            self._wanted_name = message.name
        if isinstance(message, messages.AskSeat):
            self._wished = message.family
        lobby = self.session.lobby
        if lobby is not None and self._even.is_about(message, lobby):
            sending = asyncio.create_task(self._send_even(message, lobby))
            self._sending.add(sending)
            sending.add_done_callback(self._sending.discard)
        else:
            self._interpreter.send(message)
        return True

    async def _send_even(self, message: Message, lobby: messages.Lobby) -> None:
        """Send a message about bots after choosing even bots' levels, in the order of the calls."""
        async with self._in_order:
            for each in await self._even.to_send(message, lobby):
                self._interpreter.send(each)

    def enter(self, secret: bytes, *, watch: bool) -> None:
        """Go to one of several tables of the host, to sit down or to watch."""
        self.send(self.session.enter(secret, key=self._hold(secret), spectator=watch))

    def watch_instead(self, refused: messages.Refused) -> bool:
        """After a refusal because no seat is free, watch the table, and return True.

        The way back to a seat there is then forgotten. Returns False for other refusals, and if the
        player watches already.
        """
        if refused.code not in NO_SEAT or self.session.spectator:
            return False
        forget_back(self.way_to_seat())
        self.send(self.session.hello(self.name, spectator=True))
        return True

    def keeps_seat(self, code: str) -> bool:
        """Return True if the player keeps the seat after a refusal with this code.

        A server without the seat's table may belong to another table of the host's machine, which
        has taken the address.
        """
        return code == NO_SUCH_TABLE and self._seat is not None and self._seat.recall() is not None

    def rename(self, name: str) -> None:
        """Store another name, after a table has refused the player's name, and join again.

        Without the secret of a table, do not join.
        """
        self.name = self.session.name = name
        if self.session.secret is not None:
            self.enter(self.session.secret, watch=self.session.spectator)

    def greet(self) -> None:
        """Send Hello again. A host with several tables then sends its list of tables.

        At the player's own table, do nothing.
        """
        if self.target is not None:
            self.session.secret = self.target.secret
            self.send(self.session.hello(self.name))

    def way_back(self) -> WayBack | None:
        """Return the way back to the player's seat at another person's table.

        Returns None without a seat there.
        """
        lobby, secret = self.session.lobby, self.session.secret
        if self.target is None or lobby is None or lobby.you is None:
            return None
        host = lobby.host_name
        way = WayBack(self.name, host, self.target.typed_at(secret), self.target.seat_at(secret))
        return self._parts.changed(way, lambda part, back: part.way_back(back))

    def way_to_seat(self) -> WayBack | None:
        """Return the way to a seat that the player may have at another person's table.

        Returns None at the player's own table.
        """
        if self.target is None:
            return None
        place = self.target.seat_at(self.session.secret)
        return WayBack(self.name, "", self.target.typed_now, place)

    def release_seat(self) -> None:
        """Release the seat, so that another program can take it."""
        if self._seat is not None:
            self._seat.release()
            self._seat = None

    async def leave(self, *, leaves: bool) -> None:
        """End the connection, and release the lock on the seat.

        With `leaves`, the player gives up a seat at another person's table, and the present game is
        stored as left. If `leaving` names a reason to keep the seat, `leaves` has no effect.

        A host leaves with the table, which can be resumed with the host in the same seat.
        """
        leaves = leaves and not self.leaving
        self._left, self._leaves = True, leaves
        self.release_seat()
        connection, self._connection = self._connection, None
        if leaves and self._history_writer and self.target and self.session.goodbye is None:
            self._history_writer.leave(self.session, "left")
        for sending in self._sending:
            sending.cancel()
        await asyncio.gather(*self._sending, return_exceptions=True)
        if connection is not None:
            if leaves and self.table is None:
                connection.send(messages.Leave())
            await connection.channel.close()

    async def close(self) -> None:
        """Close parts, workers and the player's own table, after the connection has ended.

        A game in progress that no journal stores goes into the history as abandoned.
        """
        is_stored = False
        await self._parts.close_in_turn(lambda part: part.close())
        if self._workers is not None:
            await self._workers.close()
        if self.table is not None:
            # A private table is worth resuming only with an unfinished game.
            await self.table.close(for_good=self._leaves or self.is_private)
            # Ask after closing, which also waits for a journal that was still opening.
            is_stored = self.table.server.is_stored(self.table.entry)
        if self._history_writer is not None and not is_stored:
            table = None if self.table is None else self.table.entry.table
            record = None if table is None or table.games.phase != "playing" else table.record()
            if record is not None:
                self._history_writer.abandon(record, self.session.player_seats)
            await self._history_writer.settled()

    def farewell(self) -> str:
        """Return the reason for the host's goodbye; "" without one, or if the player left."""
        goodbye = self.session.goodbye
        if goodbye is None or goodbye.code == "left":
            return ""
        return refusal_sentence(goodbye, _)

    def _receive(self, news: News) -> None:
        if self._history_writer is not None and not isinstance(
            news, Connected | ConnectionLost | HostMoved
        ):
            self._history_writer.see(self.session, news)
        match news:
            case Connected():
                self._connection, self.lost = news.connection, None
            case ConnectionLost():
                retry_at = time.monotonic() + news.wait_s
                self._connection = None
                is_closed = news.closed is not None
                self.lost = LostConnection(news.attempt, retry_at, news.hurry, is_closed)
                self._even.pending.clear()
            case messages.Lobby():
                self._even.see(news)
                self._repeat_wish(news)
                if self.target is not None and self.target.host is not None:
                    self._follow(news, self.target.host)
                own = news.your_seat
                if own is not None and own.name == self._wanted_name:
                    self._renamed(own.name)
            case messages.Refused():
                self._even.pending.clear()
                if news.code == "invitation_renewed" and self._seat is not None:
                    # Only a player who has lost the seat gets this message.
                    self._seat.forget()
                if news.code in WISHES_REFUSED:
                    self._wished = None
            case messages.Admitted():
                self._hold(news.secret)
            case messages.Welcome():
                if self._seat is not None and news.family is not None:
                    self._seat.remember(self.session.key)
                self._asks_again = self._wished is not None
                opening, self._opening = self._opening, ()
                for message in opening:
                    self.send(message)
            case messages.Goodbye(code="removed") if self._seat is not None:
                # Keep the key after other goodbyes: a table that has closed may be resumed.
                self._seat.forget()
        self._parts.each(lambda part: part.receive(news))

    def _repeat_wish(self, lobby: messages.Lobby) -> None:
        """Ask again for a bot's seat after a reconnect, since the host forgets spectators.

        With a seat, and when no game is running, drop the wish.
        """
        asks_again, self._asks_again = self._asks_again, False
        if lobby.phase != "playing" or lobby.you is not None:
            self._wished = None
        elif asks_again and self._wished is not None:
            self.send(messages.AskSeat(self._wished))

    def _follow(self, lobby: messages.Lobby, host: "FollowedHost") -> None:
        """Use the host's present invitation and addresses from now on.

        Does nothing if the host has no new invitation, or if the table has moved to another host.
        """
        host.see(lobby)
        session, announced = self.session, host.announced_by(lobby)
        is_elsewhere = any(self._parts.results(lambda part: part.is_elsewhere))
        # The session may already have the new secret, from the same lobby.
        former = self._secret
        if announced is None or former in (None, announced.secret) or is_elsewhere:
            return
        if host.invitation.secret == former:
            # If the secrets differ, the invitation is to a place with several tables and stays.
            host.invitation = replace(host.invitation, secret=announced.secret)
        self._secret = session.secret = announced.secret
        if self._seat is not None and self.target is not None:
            self._seat.move(self.target.seat_at(announced.secret))
            if session.family is not None:
                self._seat.remember(session.key)

    def _renamed(self, name: str) -> None:
        """Store the player's new name for later evenings.

        With a seat at another person's table, also store the key under the new name. The key under
        the former name is deleted, unless the program plays on behalf of another person.
        """
        self.name = self.session.name = name
        self._wanted_name = None
        remember(name=name)
        if self._seat is None or self.target is None:
            return
        if self.target.is_on_behalf:
            # The next hello has the name that led here, so store the key under both names.
            self._seat.remember(self.session.key, name)
            return
        self._seat.forget()
        self._hold(self.session.secret)
        self._seat.remember(self.session.key)

    def _hold(self, secret: bytes | None) -> bytes | None:
        """Lock the seat at the table of a secret, in place of an earlier seat.

        Return the stored key to the seat. Return None if no key is stored, at the player's own
        table, or if another program has the seat.
        """
        self._secret = secret
        self.release_seat()
        if self.target is None:
            return None
        self._seat = LockedSeat(self.target.seat_at(secret), self.name)
        # Look for older keys, too: the invitation may be new, to a table with the player's seat.
        return self._seat.recall() or self._seat.recall_near(self.target.place)


async def sit_down(plan: Plan, name: str, notify: "Notify" = lambda _sentence: None) -> SeatSession:
    """Open a table or find one, as planned, and return the seat.

    Args:
        plan: The table to open or to join.
        name: The player's name.
        notify: Called with sentences for the player, now or later: mostly about failures to save.

    Raises:
        ExplainedError: The table cannot be opened or found.
    """

    def failed(error: ExplainedError) -> None:
        notify(_("{why} This game is not in your history.", why=error.sentence(_)))

    if isinstance(plan, Join):
        from driflamme_tui.seat.targets import resolve

        target = await resolve(plan.target)
        session = Session(secret=target.secret)
        kept = HistoryWriter("joined", failed)
        return SeatSession(
            name, session, target.connect, watch=plan.watch, target=target, history_writer=kept
        )
    if isinstance(plan, Study):
        return SeatSession(name, Session(), plan.table.connect, workers=plan.table.workers)
    history_writer = None
    opening: list[Message] = []
    bots = plan.bots
    if isinstance(plan, SoloPlan):
        history_writer = HistoryWriter("own", failed)
        found = await _continued(plan, name, notify) if plan.continues else None
        if found is None:
            opening = [messages.AddBot(bot=bot) for bot in await seat_bots(plan.bots)]
            opening.append(messages.Start())
        table = found or await open_alone(plan, notify)
    else:
        from driflamme_tui.hosting.open_table import open_table

        # A resumed table has its bots already.
        bots = () if plan.resume else plan.bots
        opening = [messages.AddBot(bot=bot) for bot in await seat_bots(bots)]
        table = await open_table(plan, owned=True, name=name, notify=notify)
    # Watch a resumed table that was opened without a seat for its host.
    return SeatSession(
        table.host or name,
        Session(table.owner_key, table.entry.secret),
        table.connect,
        watch=table.owner_key is None,
        table=table,
        opening=opening,
        bots=bots,
        history_writer=history_writer,
    )


async def _continued(plan: SoloPlan, name: str, notify: "Notify") -> HostedTable | None:
    """Return the unfinished game that a plan continues; None if a new one begins.

    Raises an ExplainedError if the game cannot be continued, or if no game can begin.
    """
    from driflamme_tui.hosting.solo_games import NoContinuationError, continue_alone, is_same

    found = await continue_alone(notify)
    if found is None:
        if plan.begins:
            return None
        raise NotThereError(
            "No unfinished game against bots is stored on this machine: begin a new one."
        )
    if plan.needs_same and not is_same(found, plan):
        await found.close()
        raise NoContinuationError(
            "You have an unfinished game with other bots or rules: driflamme play without options "
            "resumes it. To give it up for a new game, add --restart."
        )
    if found.host != name:
        notify(
            _(
                "Your seat at this table has the name {owner}, so you play as {owner}.",
                owner=found.host,
            )
        )
    if plan.begins:
        notify(_("You resume your unfinished game. For a new one, type driflamme play --restart."))
    return found
