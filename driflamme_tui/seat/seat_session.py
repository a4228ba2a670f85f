"""A place at a table, from the plan that leads there to the goodbye: with a screen and without.

Knows the target, the table if it is one's own, the key to the seat, and the connection while there
is one. What the messages say is the session's; what is shown of them is the face's.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from driflamme_tui.hosting.host_plans import Alone
from driflamme_tui.hosting.own_table import OwnTable, open_alone
from driflamme_tui.preferences.even_bots import seated
from driflamme_tui.preferences.remembered import WayBack, remember
from driflamme_tui.seat.even_seats import EvenSeats
from driflamme_tui.seat.seat_keys import OwnSeat
from driflamme_tui.seat.seat_parts import Journey, SeatPart, build_parts
from driflamme_tui.seat.sitting import LostLine, Sitting
from driflamme_tui.seat.targets import Join, Plan, Study
from driflamme_tui.text.i18n import _
from engine.words import ExplainedError
from netcode.client.client_history import ClientHistory
from netcode.client.connection import Connect, ConnectError, Connection
from netcode.client.interpreted import Asked
from netcode.client.interpreter import Interpreter, PassThrough
from netcode.client.reconnection import Connected, Lost, News, stay_connected
from netcode.client.session import ContradictionError, ProtocolError, Session
from netcode.protocol import messages
from netcode.protocol.fields import Message
from netcode.protocol.refusal_sentences import refusal_sentence
from netcode.workers.worker_pool import WorkerPool

if TYPE_CHECKING:
    from driflamme_tui.hosting.open_server import Notify
    from driflamme_tui.seat.targets import ResolvedTarget
    from netcode.client.followed_host import FollowedHost


class _EnoughError(Exception):
    """Whoever is told the news has had enough."""


class SeatSession(Sitting):
    """A place at a table, or the way to one: the connection, and what leads back to the seat."""

    def __init__(
        self,
        name: str,
        session: Session,
        connect: Connect,
        *,
        watch: bool = False,
        target: "ResolvedTarget | None" = None,
        table: OwnTable | None = None,
        opening: Sequence[Message] = (),
        bots: Sequence[str] = (),
        client_history: ClientHistory | None = None,
        workers: WorkerPool | None = None,
    ) -> None:
        """Know where to go; `stay` goes there.

        Args:
            name: The player's.
            session: What will be known of the table.
            connect: Opens a connection to it.
            watch: Whether no seat is wanted, unless one is there to come back to.
            target: Somebody else's table, and how to get there.
            table: The player's own table.
            opening: What is said as soon as one is welcome.
            bots: Those that are asked for with it, `EVEN` ones by that name.
            client_history: Keeps the games that are played there, unless the table's journal does.
            workers: Where bots think, unless they do at a table of the player's own or nowhere yet.
        """
        super().__init__(session, name)
        self.target = target
        """Somebody else's table, and how to get there; None at one's own."""
        self.table = table
        """The table, if it is one's own."""
        self._connect = connect
        self._watch = watch
        self._opening = opening
        self._even = EvenSeats(bots)
        self._client_history = client_history
        self._in_order: Final = asyncio.Lock()
        self._saying: Final = set[asyncio.Task[None]]()
        self._connection: Connection | None = None
        self._seat: OwnSeat | None = None
        self._left = False
        self._leaves = False
        """Whether the player has left for good, rather than ended the program."""
        self._wanted_name: str | None = None
        """What the player has asked to be called."""
        self._workers = workers
        """For hints at somebody else's table."""
        self._parts: list[SeatPart] = []
        self._interpreter: Interpreter = PassThrough()
        for part in () if self.is_private else build_parts(Journey(self, connect, target)):
            self._add(part)
        if target is not None:
            held = self._hold(target.secret)
            session.key = session.key or held

    def _add(self, part: SeatPart) -> None:
        """Add a part, before the first connection."""
        self._parts.append(part)
        self._connect = part.connector(self._connect)
        self._interpreter = part.interpreter or self._interpreter

    @property
    def is_private(self) -> bool:
        """Whether nobody else can come to the table."""
        return self.target is None and (self.table is None or self.table.listening is None)

    @property
    def secure(self) -> bool | None:
        """Whether nobody on the way can read along; None where there is no way."""
        if self.table is not None:
            return self.table.secure
        return None if self.target is None else self.target.secure

    @property
    def workers(self) -> WorkerPool:
        """Where a bot can think for the player: at their own table, where the others think."""
        if self.table is not None:
            return self.table.server.workers
        if self._workers is None:
            self._workers = WorkerPool(1)
        return self._workers

    @property
    def connected(self) -> bool:
        """Whether there is a line to the host now."""
        return self._connection is not None

    @property
    def latency_ms(self) -> int | None:
        """Of a message to somebody else's table and back; None while that is not known.

        Where the player's screen is elsewhere, it would not be that of their connection.
        """
        if self.target is None or self.target.is_on_behalf:
            return None
        if self._connection is None or self._connection.latency is None:
            return None
        return round(self._connection.latency * 1000)

    async def stay(self, on_news: Callable[[News], bool | None]) -> bool:
        """Stay until either side has had enough; tell what comes, once it has been taken in.

        Returns whether it was not `on_news` that had enough, by returning False. Raises
        ConnectError if there is no staying.
        """

        def take(news: News) -> None:
            # That the line is lost is no news to whoever has hung up.
            if not self._left:
                self._receive(news)
            if self._left or on_news(news) is False:
                raise _EnoughError

        for part in self._parts:
            await part.log_in()
        try:
            await stay_connected(
                self._connect,
                self.session,
                self.name,
                take,
                spectator=self._watch,
                interpreter=self._interpreter,
            )
        except _EnoughError:
            return self._left
        except ContradictionError:
            raise ConnectError(
                "The host contradicts what it sent before, so this program has left the table."
            ) from None
        except ProtocolError:
            raise ConnectError(
                "This program does not understand the table: are both of the same version?"
            ) from None
        return True

    def say(self, message: Asked) -> bool:
        """Send a message to the host; False if the line is lost and the message with it."""
        if self._connection is None:
            return super().say(message)
        self.session.refusal = None
        if isinstance(message, messages.Rename):
            self._wanted_name = message.name
        lobby = self.session.lobby
        if lobby is not None and self._even.is_about(message, lobby):
            saying = asyncio.create_task(self._say_even(message, lobby))
            self._saying.add(saying)
            saying.add_done_callback(self._saying.discard)
        else:
            self._interpreter.send(message)
        return True

    async def _say_even(self, message: Asked, lobby: messages.Lobby) -> None:
        """Say what takes a look at past games, after whatever was before it."""
        async with self._in_order:
            for each in await self._even.to_send(message, lobby):
                self._interpreter.send(each)

    def enter(self, secret: bytes, *, watch: bool) -> None:
        """Go to one of several tables that are open there, to sit down or to watch."""
        self.say(self.session.enter(secret, key=self._hold(secret), spectator=watch))

    def rename(self, name: str) -> None:
        """Try once more to come to a table that refused the player's name, under another."""
        self.name = self.session.name = name
        if self.session.secret is not None:
            self.enter(self.session.secret, watch=self.session.spectator)

    def greet(self) -> None:
        """Say hello again, as on the way here: a place with several tables sends their list."""
        if self.target is not None:
            self.session.secret = self.target.secret
            self.say(self.session.hello(self.name))

    def way_back(self) -> WayBack | None:
        """Return the way back to the seat that one has at somebody else's table."""
        lobby, secret = self.session.lobby, self.session.secret
        if self.target is None or lobby is None or lobby.you is None:
            return None
        host = lobby.host_name
        way = WayBack(self.name, host, self.target.typed_at(secret), self.target.seat_at(secret))
        for part in self._parts:
            way = part.way_back(way)
        return way

    def release_seat(self) -> None:
        """Let go of the seat, so that another program may sit there."""
        if self._seat is not None:
            self._seat.release()
            self._seat = None

    async def leave(self, *, leaves: bool) -> None:
        """End the connection. Who leaves gives the seat up; others find it again.

        A host goes with the table, which may be resumed with them in their seat.
        """
        self._left, self._leaves = True, leaves
        self.release_seat()
        connection, self._connection = self._connection, None
        if leaves and self._client_history and self.target and self.session.goodbye is None:
            self._client_history.leave(self.session, "left")
        for saying in self._saying:
            saying.cancel()
        await asyncio.gather(*self._saying, return_exceptions=True)
        if connection is not None:
            if leaves and self.table is None:
                connection.say(messages.Leave())
            await connection.channel.close()

    async def close(self) -> None:
        """Close the table if it is one's own, once the connection to it has ended.

        Games that are to be kept are then.
        """
        for part in self._parts:
            await part.close()
        if self._workers is not None:
            await self._workers.close()
        if self.table is not None:
            await self.table.close(for_good=self._leaves)
        if self._client_history is not None:
            table = None if self.table is None else self.table.entry.table
            record = None if table is None or table.games.phase != "playing" else table.record()
            if record is not None:
                self._client_history.abandon(record, self.session.own_seats)
            await self._client_history.settled()

    def farewell(self) -> str:
        """Return why the host has said goodbye, if that is not as the player wanted."""
        goodbye = self.session.goodbye
        if goodbye is None or goodbye.code == "left":
            return ""
        return refusal_sentence(goodbye, _)

    def _receive(self, news: News) -> None:
        if self._client_history is not None and not isinstance(news, Connected | Lost):
            self._client_history.see(self.session, news)
        match news:
            case Connected():
                self._connection, self.lost = news.connection, None
            case Lost():
                retry_at = time.monotonic() + news.wait_s
                self._connection = None
                self.lost = LostLine(news.attempt, retry_at, news.hurry)
                self._even.asked.clear()
            case messages.Lobby():
                self._even.see(news)
                if self.target is not None and self.target.host is not None:
                    self._follow(news, self.target.host)
                own = news.own_seat
                if own is not None and own.name == self._wanted_name:
                    self._renamed(own.name)
            case messages.Refused():
                self._even.asked.clear()
                if news.code == "invitation_renewed" and self._seat is not None:
                    # Only who has no seat any more is told so.
                    self._seat.forget()
            case messages.Admitted():
                self._hold(news.secret)
            case messages.Welcome():
                if self._seat is not None and news.family is not None:
                    self._seat.remember(self.session.key)
                opening, self._opening = self._opening, ()
                for message in opening:
                    self.say(message)
            case messages.Goodbye(code="removed") if self._seat is not None:
                # A table that has closed may be resumed.
                self._seat.forget()
        for part in self._parts:
            part.receive(news)

    def _follow(self, lobby: messages.Lobby, host: "FollowedHost") -> None:
        """Go by the host's present invitation from now on, and by its present addresses."""
        host.see(lobby)
        session, told = self.session, host.told_by(lobby)
        is_elsewhere = any(part.is_elsewhere for part in self._parts)
        if told is None or session.secret in (None, told.secret) or is_elsewhere:
            return
        if host.invitation.secret == session.secret:
            # Otherwise it is that of a place with several tables.
            host.invitation = replace(host.invitation, secret=told.secret)
        session.secret = told.secret
        if self._seat is not None and self.target is not None:
            self._seat.move(self.target.seat_at(told.secret))
            if session.family is not None:
                self._seat.remember(session.key)

    def _renamed(self, name: str) -> None:
        """Keep the name that the player has now, here and for the next evening, and their key."""
        self.name = self.session.name = name
        self._wanted_name = None
        remember(name=name)
        if self._seat is None or self.target is None:
            return
        if self.target.is_on_behalf:
            # The next hello has the name that led here.
            self._seat.remember(self.session.key, name)
            return
        self._seat.forget()
        self._hold(self.session.secret)
        self._seat.remember(self.session.key)

    def _hold(self, secret: bytes | None) -> bytes | None:
        """Return the key to the seat that one has at a table, unless another program sits there."""
        self.release_seat()
        if self.target is None:
            return None
        self._seat = OwnSeat(self.target.seat_at(secret), self.name)
        # The invitation may be a new one, to a table that one has a seat at.
        return self._seat.recall() or self._seat.recall_near(self.target.place)


async def sit_down(plan: Plan, name: str, notify: "Notify" = lambda _sentence: None) -> SeatSession:
    """Open a table or find one, as planned; raises an ExplainedError.

    Args:
        plan: What is wanted.
        name: The player's.
        notify: Is given sentences about what is not kept, now or later.
    """

    def failed(error: ExplainedError) -> None:
        notify(_("{why} This game is not in your history.", why=error.sentence(_)))

    if isinstance(plan, Join):
        from driflamme_tui.seat.targets import resolve

        target = await resolve(plan.target)
        session = Session(secret=target.secret)
        kept = ClientHistory("joined", failed)
        return SeatSession(
            name, session, target.connect, watch=plan.watch, target=target, client_history=kept
        )
    if isinstance(plan, Study):
        return SeatSession(name, Session(), plan.table.connect, workers=plan.table.workers)
    bots = await seated(plan.bots)
    opening: list[Message] = [messages.AddBot(bot=bot) for bot in bots]
    client_history = None
    if isinstance(plan, Alone):
        table = await open_alone(plan)
        client_history = ClientHistory("own", failed)
        opening.append(messages.Start())
    else:
        from driflamme_tui.hosting.open_table import open_table

        table = await open_table(plan, owned=True, name=name, notify=notify)
    # A table that was opened without a seat for its host is resumed without one.
    return SeatSession(
        table.host or name,
        Session(table.owner_key, table.entry.secret),
        table.connect,
        watch=table.owner_key is None,
        table=table,
        opening=opening,
        bots=plan.bots,
        client_history=client_history,
    )
