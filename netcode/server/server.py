"""The shell around the tables of one server: connections, clock and tasks, and no decisions.

It reads frames and gives them to the door or to the table that a connection has come to, carries
out the effects that come back, and lets the bots think. Whatever a peer does, it sees frames of
the protocol and closed connections, never an error of ours. Nothing that is logged contains a
key, a secret, a view or a card.
"""

import asyncio
import logging
import secrets
import socket
import ssl
from collections.abc import Callable, Coroutine, Iterable
from functools import partial
from random import Random, SystemRandom
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from engine.actions import Action
from netcode.joining.spoken_code import CodeExchangeError
from netcode.protocol.codec import CodecError, decode_client
from netcode.protocol.messages import Goodbye, Hello, Knock, OpenTable, Prove, Welcome
from netcode.protocol.rate_limit import NetworkRateLimits
from netcode.server.admission import (
    HELLO_TIMEOUT_S,
    MEMBER_TIMEOUT_S,
    NO_CERTIFICATE,
    Admission,
    AnswerKnock,
    Enter,
    Say,
)
from netcode.server.bot_runner import BotRunner
from netcode.server.club import (
    SLEEP_AFTER_S,
    SLEEP_AGAIN_AFTER_S,
    WAKE_EVERY_S,
    WAKES_AT_ONCE,
    Club,
)
from netcode.server.metrics import Metrics
from netcode.server.peers import HOST_LIMITS, SWEEP_S, Limits, Peer, Peers
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.storage.journal import Journal
from netcode.table.effects import Alarm, Close, Effect, Keep, Reinvite, Send, Think, Warm
from netcode.table.entries import KeptAct, Opened
from netcode.table.errors import StoreError
from netcode.table.table import Table
from netcode.transport.address import Address
from netcode.transport.channel import CLOSE_TIMEOUT_S, Channel, ChannelClosedError, memory_channel
from netcode.transport.connection_limits import ConnectionLimits
from netcode.transport.running_clock import RunningClock
from netcode.workers.worker_pool import Pool, WorkerPool

if TYPE_CHECKING:
    from netcode.transport.sockets import Listener

TRY_AGAIN_LATER: Final = 1013
"""The WebSocket close code for a server that is full."""

KNOCKS_PER_S: Final = 10.0
"""How many knocks of one network are answered a second: each takes some ten milliseconds of a
core."""

MAXIMUM_HELD: Final = 8
"""How often something may come from a table while its journal is at work before who speaks there
has to wait, too: so nobody fills memory faster than the disk, and who answers once never waits."""

_log = logging.getLogger(__name__)


class Server:
    """The tables of a hall on the network; also an asynchronous context manager that closes it."""

    def __init__(
        self,
        registry: TableRegistry,
        *,
        rng: Random | None = None,
        journal: Journal | None = None,
        club: Club | None = None,
        certificate: bytes = NO_CERTIFICATE,
        limits: Limits = HOST_LIMITS,
        bot_runner: BotRunner | None = None,
        workers: Pool | None = None,
        random_bytes: Callable[[int], bytes] = secrets.token_bytes,
    ) -> None:
        """Make the server of a hall.

        Args:
            registry: The tables.
            rng: What the bots leave to chance.
            journal: Keeps what happens, if anything does; closed with the server.
            club: Opens further tables, if members may.
            certificate: What peers are shown (DER), to which spoken codes are bound.
            limits: How many connections there may be.
            bot_runner: Who answers for bots; bots, unless given.
            workers: Where bots that search think; closed with the server. Its own, unless given.
            random_bytes: Returns so many fresh random bytes, for new invitations.
        """
        self.registry = registry
        self.metrics = Metrics()
        self._journal = journal
        self._random_bytes = random_bytes
        self._club = club
        self._admission = Admission(registry, certificate)
        self._listeners: list[Listener] = []
        self._wakes_from = NetworkRateLimits(1 / WAKE_EVERY_S, WAKES_AT_ONCE)
        self._knocks_from = NetworkRateLimits(KNOCKS_PER_S, 1.0)
        self._one_knock = asyncio.Lock()
        network_burst, table_burst = limits.network_burst, limits.table_burst
        self._frames_from = NetworkRateLimits(
            limits.network_frames_per_s, network_burst, debt=network_burst
        )
        self._frames_at = NetworkRateLimits(
            limits.table_frames_per_s, table_burst, debt=table_burst
        )
        """By the table's room."""
        self._closed = False
        self._limits = limits
        self._connection_limits = ConnectionLimits(limits.connections, limits.from_one_address)
        self._clock = RunningClock()
        self._peers = Peers(limits, self._clock)
        self.workers: Pool = workers or WorkerPool()
        self._bot_runner = bot_runner or BotRunner(rng or SystemRandom(), self.workers, self._clock)
        self._tasks: set[asyncio.Task[None]] = set()
        """Connections within this program, and what looks for floods."""

    async def listen(
        self, sockets: Iterable[socket.socket], context: ssl.SSLContext | None = None
    ) -> None:
        """Serve whoever connects to sockets that listen, with TLS if there is a context."""
        # A table within one program needs no sockets, and is there sooner without them.
        from netcode.transport.sockets import listen

        for each in sockets:
            listener = await listen(
                self.serve,
                each,
                context,
                limits=self._connection_limits,
                backlog=self._limits.backlog,
                frames_per_s=self._limits.frames_per_s,
                burst=self._limits.burst,
            )
            self._listeners.append(listener)
        if not self._tasks:
            self._do_besides(self._look_after())

    def connect(self) -> Channel:
        """Return a connection to this server from within this program."""
        near, far = memory_channel()
        self._do_besides(self.serve(far))
        return near

    def keep_opened(self, entry: TableEntry, opened: Opened) -> None:
        """Have kept that a table was opened; to be done before anybody can come to it."""
        assert entry.table is not None
        self._carry_out(entry, [Keep(opened), Keep(entry.table.kept())])

    @property
    def addresses(self) -> list[Address]:
        """Where on TCP the server listens."""
        return [each.address for each in self._listeners if each.address is not None]

    @property
    def port(self) -> int:
        """The TCP port on which the server listens."""
        return self.addresses[0].port

    @property
    def connections(self) -> int:
        """How many connections there are."""
        return len(self._peers)

    async def close(self) -> None:
        """Say goodbye to everybody, and stop.

        What was sent before still goes out. The tables of a club stay as they are, asleep. Once
        is enough.
        """
        if self._closed:
            return
        self._closed = True
        self._bot_runner.stop()
        if self._club is None:
            for entry in self.registry.entries:
                if entry.table is not None:
                    self._carry_out(entry, entry.table.close(self._why_closed(entry)))
        if self._journal is not None:
            await self._journal.settled()
        # Those too that were held back until now.
        self._bot_runner.stop()
        peers = list(self._peers)
        for peer in peers:
            if self._club is not None:
                peer.send(Goodbye(code="club_closed"))
            peer.close()
        closing = [asyncio.create_task(peer.closed()) for peer in peers]
        if closing:
            await asyncio.wait(closing, timeout=CLOSE_TIMEOUT_S)
        for listener in self._listeners:
            await listener.close()
        for task in self._tasks:
            task.cancel()
        await self.workers.close()
        if self._journal is not None:
            await self._journal.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    # Connections

    async def serve(self, channel: Channel) -> None:
        """Serve one connection until it ends."""
        if not self._peers.make_room_for(channel):
            await channel.close(TRY_AGAIN_LATER)
            return
        connection, peer = self._peers.add(channel)
        overdue = self._clock.call_later(HELLO_TIMEOUT_S, self._hello_overdue, connection, True)
        _log.info("connection %d opened", connection)
        try:
            while True:
                frame = await channel.receive()
                pause = peer.silent_until - self._clock.now()
                if pause > 0:
                    # Who speaks too fast is listened to more slowly, and nobody else is.
                    await asyncio.sleep(pause)
                await self._kept(peer.entry)
                try:
                    await self._take(connection, peer, frame)
                except StoreError as error:
                    # The journal cannot wake the table.
                    _log.error("%s", error)
                    self._say(peer, Say(Goodbye(code="table_damaged")))
        except ChannelClosedError:
            pass
        finally:
            _log.info("connection %d ended", connection)
            overdue.cancel()
            self._peers.remove(connection)
            peer.cut()
            self._left(connection, peer)

    async def _kept(self, entry: TableEntry | None) -> None:
        """Wait until the journal of a table has caught up, if it is behind by much."""
        if self._journal is None or entry is None:
            return
        if self._journal.held(entry.number) >= MAXIMUM_HELD:
            await self._journal.settled(entry.number)

    async def _take(self, connection: int, peer: Peer, frame: bytes | str) -> None:
        if peer.is_closing:
            # It has been told goodbye, and need not agree to that for a while.
            return
        if peer.entry is None:
            await self._at_door(connection, peer, frame, self._clock.now())
        else:
            table = await self._table(peer.entry)
            self._at_table(connection, peer.entry, table, frame, self._clock.now())
        self._count(peer, self._clock.now())

    def _count(self, peer: Peer, now: float) -> None:
        """Count a frame that was taken in; who speaks too fast is not listened to for a while."""
        others_s = self._frames_from.take(peer.network, now)
        if peer.entry is not None:
            others_s = max(others_s, self._frames_at.take(peer.entry.room, now))
        peer.has_spoken(now, others_s)

    async def _at_door(self, connection: int, peer: Peer, frame: bytes | str, now: float) -> None:
        try:
            message = decode_client(frame)
        except CodecError as error:
            self._say(peer, self._admission.strike(peer.pending, error.code, error.values))
            return
        if isinstance(message, Knock):
            await asyncio.sleep(self._knocks_from.take(peer.network, now))
            now = self._clock.now()
        outcome = self._admission.receive(peer.pending, message, now)
        match outcome:
            case Say():
                self._say(peer, outcome)
            case Enter(entry, hello):
                await self._enter(connection, peer, entry, hello)
            case AnswerKnock():
                self._say(peer, await self._answer_knock(peer, outcome))
            case _:
                assert self._club is not None
                entry, effects = self._club.open(outcome.settings, connection)
                effects.append(Send(connection, self._admission.opened(peer.pending, entry)))
                self._carry_out(entry, effects)
                # Unless somebody sits down, it is gone again soon.
                self._sleep_later(entry)

    async def _answer_knock(self, peer: Peer, knock: AnswerKnock) -> Say:
        """Return the answer to a knock, which a thread computes so that others are heard."""
        try:
            # One at a time, so that a flood of them takes a part of one core only.
            async with self._one_knock:
                computed = await asyncio.to_thread(knock.compute)
        except CodeExchangeError:
            return self._admission.strike(peer.pending, "malformed")
        return Say(self._admission.answered(peer.pending, knock, computed))

    async def _enter(self, connection: int, peer: Peer, entry: TableEntry, hello: Hello) -> None:
        """Bring a visitor to a table; one who is not welcome there stays at the door."""
        woke = self._club is not None and self._club.is_asleep(entry)
        if woke:
            await asyncio.sleep(self._wakes_from.take(peer.network, self._clock.now()))
        table = await self._table(entry)
        now = self._clock.now()
        effects = table.receive(connection, hello, now, peer.network)
        welcome = any(
            isinstance(effect, Send)
            and effect.connection == connection
            and isinstance(effect.message, Welcome)
            for effect in effects
        )
        if welcome:
            peer.entry = entry
            self._stay_away(connection, peer, now)
        else:
            effects += table.disconnected(connection, now)
        self._carry_out(entry, effects)
        if woke and not welcome:
            self._sleep_later(entry, SLEEP_AGAIN_AFTER_S)
        if not welcome and self._admission.is_tired_of(peer.pending):
            self._say(peer, Say(Goodbye(code="too_many_bad_messages")))

    def _at_table(
        self,
        connection: int,
        entry: TableEntry,
        table: Table,
        frame: bytes | str,
        now: float,
    ) -> None:
        try:
            message = decode_client(frame)
        except CodecError as error:
            effects = table.malformed(connection, error.code, now, error.values)
        else:
            if isinstance(message, Knock | Prove | OpenTable) or (
                isinstance(message, Hello) and message.secret not in (None, entry.secret)
            ):
                effects = table.malformed(connection, "another_table", now)
            else:
                effects = table.receive(connection, message, now)
        self._carry_out(entry, effects)

    async def _table(self, entry: TableEntry) -> Table:
        """Return the table of a place, woken if it was asleep; raises StoreError."""
        if entry.table is not None:
            return entry.table
        assert self._club is not None
        return await self._club.wake(entry)

    def _why_closed(self, entry: TableEntry) -> str:
        """Return what a table's company is told when the host closes it."""
        kept = self._journal is not None and self._journal.keeps(entry.number)
        playing = entry.table is not None and entry.table.phase == "playing"
        return "host_quit_game" if kept and playing else "host_quit"

    def _say(self, peer: Peer, say: Say) -> None:
        peer.send(say.message)
        if isinstance(say.message, Goodbye):
            peer.close()

    def _hello_overdue(self, connection: int, first: bool) -> None:
        peer = self._peers.get(connection)
        if peer is None or peer.entry is not None:
            return
        if peer.pending.member and first:
            self._clock.call_later(MEMBER_TIMEOUT_S, self._hello_overdue, connection, False)
        else:
            self._say(peer, Say(Goodbye(code="hello_overdue")))

    def _left(self, connection: int, peer: Peer) -> None:
        entry, now = peer.entry, self._clock.now()
        self._stay_away(connection, peer, now)
        if entry is not None and entry.table is not None:
            self._carry_out(entry, entry.table.disconnected(connection, now))
            self._sleep_later(entry)

    def _stay_away(self, connection: int, peer: Peer, now: float) -> None:
        """Tell the table that a peer has opened, if it is not there, that it will not come."""
        opened = peer.pending.opened
        if opened is not None and opened is not peer.entry and opened.table is not None:
            self._carry_out(opened, opened.table.opener_gone(connection, now))

    # Tables

    def _sleep_later(self, entry: TableEntry, delay_s: float = SLEEP_AFTER_S) -> None:
        if self._club is not None:
            self._clock.call_later(delay_s, self._sleep, entry)

    def _sleep(self, entry: TableEntry) -> None:
        assert self._club is not None
        self._carry_out(entry, self._club.sleep(entry))
        if entry.table is None:
            self._bot_runner.forget(entry.number)

    def _carry_out(self, entry: TableEntry, effects: list[Effect]) -> None:
        """Do what a table wants done, once what is to be kept has been."""
        if not effects:
            return
        for effect in effects:
            if not isinstance(effect, Keep):
                # What is to be kept comes first.
                break
            if isinstance(effect.entry, KeptAct):
                self.metrics.moves += 1
        do = partial(self._do, entry, entry.table)
        if self._journal is None:
            do(effects)
        else:
            self._journal.submit(entry.number, effects, do)

    def _do(self, entry: TableEntry, table: Table | None, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(connection, message):
                    peer = self._peers.get(connection)
                    if peer is not None:
                        peer.send(message)
                case Close(connection):
                    peer = self._peers.get(connection)
                    if peer is not None:
                        peer.close()
                case Think():
                    self._think(entry, table, effect)
                case Warm():
                    self._bot_runner.warm()
                case Alarm(delay_s):
                    self._clock.call_later(delay_s, self._alarm, entry, table)
                case Reinvite():
                    self._reinvite(entry, table)
                case Keep():
                    # The journal's, which has seen to it.
                    pass
        self._bot_runner.look_again(entry.number)

    def _reinvite(self, entry: TableEntry, table: Table | None) -> None:
        if table is not None and entry.table is table:
            invited = self.registry.renew(entry, self._random_bytes)
            told = table.renew(entry.secret, self.registry.invite(entry), entry.code)
            self._carry_out(entry, [Keep(invited), *told])

    def _alarm(self, entry: TableEntry, table: Table | None) -> None:
        if table is not None and entry.table is table:
            self._carry_out(entry, table.alarm(self._clock.now()))

    def _think(self, entry: TableEntry, table: Table | None, think: Think) -> None:
        def is_pointless() -> bool:
            # Another table is in its place once it has slept.
            return (
                table is None
                or entry.table is not table
                or not table.expects(think.seat, think.revision)
            )

        def answer(action: Action) -> None:
            if table is not None and entry.table is table:
                now = self._clock.now()
                self._carry_out(entry, table.answer(think.seat, think.revision, action, now))

        self._bot_runner.think(entry.number, think, is_pointless, answer)

    # Besides

    async def _look_after(self) -> None:
        while True:
            await self._clock.tick(SWEEP_S)
            self._peers.cut_flooded()
            self.metrics.sample(self._clock.now())

    def _do_besides(self, coroutine: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
