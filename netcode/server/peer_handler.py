"""Handles one connection: its admission, its table, and its end.

Whatever a peer sends, it receives protocol messages or is disconnected, and never sees an internal
error. Logs contain no key, secret, view or card.
"""

import asyncio
import logging
from typing import Final

from netcode.isolation import log_failure
from netcode.joining.spoken_code import CodeExchangeError
from netcode.limits import HELLO_TIMEOUT_S
from netcode.protocol.codec import FROM_CLIENT, UNKNOWN_MESSAGE, CodecError, decode_client
from netcode.protocol.fields import BeforeTable, Message
from netcode.protocol.messages import (
    Hello,
    Knock,
    Refused,
    Welcome,
)
from netcode.server.admission import Admission, AnswerKnock, Enter
from netcode.server.peers import Peer, Peers
from netcode.server.routes import CORE, Routes
from netcode.server.table_registry import TableEntry
from netcode.server.table_runner import TableRunner
from netcode.server.tables import Tables
from netcode.table.effects import Send
from netcode.table.errors import StoreError
from netcode.transport.channel import Channel, ChannelClosedError
from netcode.transport.running_clock import RunningClock

TRY_AGAIN_LATER: Final = 1013
"""The WebSocket close code of a server that is full."""

_log = logging.getLogger(__name__)


class PeerHandler:
    """Serves each connection of one server from its first frame to its end."""

    def __init__(
        self,
        admission: Admission,
        runner: TableRunner,
        peers: Peers,
        clock: RunningClock,
        tables: Tables,
        routes: Routes,
    ) -> None:
        self._admission = admission
        self._runner = runner
        self._peers = peers
        self._clock = clock
        self._tables = tables
        self._routes = routes
        self._one_knock = asyncio.Lock()

    async def serve(self, channel: Channel) -> None:
        """Handle one connection until it ends.

        If the server has no place for it, close the connection at once.
        """
        if not self._peers.make_space_for(channel):
            await channel.close(TRY_AGAIN_LATER)
            return
        peer = self._peers.add(channel)
        peer.overdue = self._clock.call_later(HELLO_TIMEOUT_S, self._hello_overdue, peer, True)
        _log.info("connection %d opened", peer.number)
        try:
            while True:
                frame = await channel.receive()
                now = self._clock.now()
                if peer.silent_until > now:
                    # If a peer sends too fast, read from it more slowly. Other peers are not
                    # affected.
                    await asyncio.sleep(peer.silent_until - now)
                    now = self._clock.now()
                if peer.is_closing:
                    # After a Goodbye, ignore all frames until the peer closes the connection.
                    continue
                try:
                    await self._handle_frame(peer, frame)
                    peer.count_frame(now)
                except StoreError as error:
                    # The journal cannot restore the table, so the peer cannot join it.
                    _log.error("%s", error)
                    peer.dismiss("table_damaged")
        except ChannelClosedError:
            pass
        finally:
            _log.info("connection %d ended", peer.number)
            if peer.overdue is not None:
                peer.overdue.cancel()
            self._peers.remove(peer)
            peer.cut()
            self._connection_lost(peer)

    async def _handle_frame(self, peer: Peer, frame: bytes | str) -> None:
        """Handle a frame of a peer with or without a table."""
        entry = peer.entry
        table = None
        if entry is not None:
            table = self._runner.table_at_hand(entry) or await self._runner.ready(entry)
        longest = FROM_CLIENT if table is None else table.games.kind.maximum_frame_bytes
        try:
            message = decode_client(frame, longest)
        except CodecError as error:
            if entry is not None and error.code == UNKNOWN_MESSAGE:
                # The guest's program has a wing that is missing here, so count no strike.
                peer.answer(Refused(code=error.code))
            else:
                peer.answer(peer.strike(error.code, error.values))
            return
        if table is None or entry is None:
            await self._at_admission(peer, message)
        elif isinstance(message, BeforeTable) or (
            isinstance(message, Hello) and message.secret not in (None, entry.secret)
        ):
            peer.answer(peer.strike("another_table"))
        else:
            now = self._clock.now()
            self._runner.execute(entry, table.receive(peer.number, message, now))

    async def _at_admission(self, peer: Peer, message: Message) -> None:
        """Handle a message of a peer that has no table yet."""
        now = self._clock.now()
        kind = type(message)
        handler = self._tables.handlers.get(kind)
        if handler is None and kind not in CORE:
            handler = self._routes.handler_of(kind)
        if handler is not None:
            try:
                await handler(peer, message, now)
            except (StoreError, ChannelClosedError):
                raise
            except Exception as error:
                log_failure(error, handler)
                peer.answer(Refused(code=UNKNOWN_MESSAGE))
            return
        if isinstance(message, Knock) and not await peer.has_turn(now, "too_many_knocks"):
            return
        outcome = self._admission.receive(peer, message, self._clock.now())
        match outcome:
            case Enter(entry, hello):
                await self._enter(peer, entry, hello)
            case AnswerKnock():
                peer.answer(await self._answer_knock(peer, outcome))
                self._runner.send_wrong_guesses(outcome.entry)
            case _:
                peer.answer(outcome)

    async def _answer_knock(self, peer: Peer, knock: AnswerKnock) -> Message:
        """Return the answer to a knock.

        It is computed in a thread, so that other peers need not wait.
        """
        try:
            # Compute one answer at a time, so that a flood of knocks uses only a part of one core.
            async with self._one_knock:
                return await asyncio.to_thread(knock.compute)
        except CodeExchangeError:
            return peer.strike("malformed")

    async def _enter(self, peer: Peer, entry: TableEntry, hello: Hello) -> None:
        """Bring a peer to a table. A peer that the table refuses may try again."""
        if self._tables.is_costly(entry) and not await peer.has_turn(
            self._clock.now(), "too_many_came"
        ):
            return
        table = await self._runner.ready(entry)
        if not self._admission.still_opens(entry, hello):
            peer.answer(peer.strike("no_such_table"))
            return
        now = self._clock.now()
        effects = table.receive(peer.number, hello, now, peer.network, peer.port)
        is_welcome = any(
            isinstance(effect, Send)
            and effect.connection == peer.number
            and isinstance(effect.message, Welcome)
            for effect in effects
        )
        if is_welcome:
            peer.entry = entry
            if peer.overdue is not None:
                peer.overdue.cancel()
                peer.overdue = None
            self._tables.peer_gone(peer, now)
        self._runner.execute(entry, effects)
        if not is_welcome:
            self._runner.execute(entry, table.disconnected(peer.number, now))

    def _hello_overdue(self, peer: Peer, first: bool) -> None:
        """End a connection that has not joined a table in time.

        At the `first` deadline, a peer with `more_time_s` gets a second deadline instead.
        """
        if peer.number not in self._peers.by_number:
            return
        if peer.more_time_s and first:
            peer.overdue = self._clock.call_later(
                peer.more_time_s, self._hello_overdue, peer, False
            )
        else:
            peer.dismiss("hello_overdue")

    def _connection_lost(self, peer: Peer) -> None:
        """Notify the server's tables, and the peer's own table, that the connection has ended."""
        entry, now = peer.entry, self._clock.now()
        self._tables.peer_gone(peer, now)
        if entry is not None and entry.table is not None:
            self._runner.execute(entry, entry.table.disconnected(peer.number, now))
            self._tables.left(entry)
