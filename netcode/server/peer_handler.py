"""The life of one connection: admission, a table, and its end.

Whatever a peer does, it sees frames of the protocol and closed connections, never an error of ours.
Nothing that is logged contains a key, a secret, a view or a card.
"""

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from netcode.joining.spoken_code import CodeExchangeError
from netcode.limits import HELLO_TIMEOUT_S, MEMBER_TIMEOUT_S
from netcode.protocol.codec import FROM_CLIENT, FROM_SEALED_CLIENT, CodecError, decode_client
from netcode.protocol.messages import (
    AdmissionMessage,
    Admitted,
    AskLeague,
    ClientMessage,
    Hello,
    HostMessage,
    Knock,
    OpenTable,
    Welcome,
)
from netcode.protocol.table_settings import TableSettings
from netcode.server.admission import Admission, AnswerKnock, Enter, LetIn
from netcode.server.peers import Peer, Peers
from netcode.server.table_registry import TableEntry
from netcode.server.table_runner import TableRunner
from netcode.table.effects import Send
from netcode.table.errors import StoreError
from netcode.transport.channel import Channel, ChannelClosedError
from netcode.transport.running_clock import RunningClock

if TYPE_CHECKING:
    from netcode.server.club import Club

TRY_AGAIN_LATER: Final = 1013
"""The WebSocket close code for a server that is full."""

SLEEP_AGAIN_AFTER_S: Final = 15.0
"""How long nobody has been at a table that was woken by somebody who may not come in before it is
put to sleep: longer than `absence.LOBBY_GRACE_S`, so that a name which is free then can be had."""

_log = logging.getLogger(__name__)


class PeerHandler:
    """Serves the connections of one server, each from its first frame to its end."""

    def __init__(
        self,
        admission: Admission,
        tables: TableRunner,
        peers: Peers,
        clock: RunningClock,
        club: "Club | None",
    ) -> None:
        """Begin without any connection; a club opens further tables."""
        self._admission = admission
        self._tables = tables
        self._peers = peers
        self._clock = clock
        self._club = club
        self._one_knock = asyncio.Lock()

    async def serve(self, channel: Channel) -> None:
        """Serve one connection until it ends."""
        if not self._peers.make_room_for(channel):
            await channel.close(TRY_AGAIN_LATER)
            return
        peer = self._peers.add(channel)
        peer.overdue = self._clock.call_later(HELLO_TIMEOUT_S, self._hello_overdue, peer, True)
        _log.info("connection %d opened", peer.number)
        try:
            while True:
                frame = await channel.receive()
                pause = peer.silent_until - self._clock.now()
                if pause > 0:
                    # Who speaks too fast is listened to more slowly, and nobody else is.
                    await asyncio.sleep(pause)
                if peer.is_closing:
                    # It has been told goodbye, and need not agree to that for a while.
                    continue
                try:
                    await self._take_in(peer, frame)
                    peer.count_frame(self._clock.now())
                except StoreError as error:
                    # The journal cannot wake the table.
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

    async def _take_in(self, peer: Peer, frame: bytes | str) -> None:
        """Take in what a peer says, for the table to which it has come, or before it has."""
        entry = peer.entry
        table = None if entry is None else await self._tables.ready(entry)
        is_sealed = table is not None and table.games.settings.sealed
        try:
            message = decode_client(frame, FROM_SEALED_CLIENT if is_sealed else FROM_CLIENT)
        except CodecError as error:
            peer.answer(peer.strike(error.code, error.values))
            return
        if table is None or entry is None:
            await self._at_admission(peer, message)
        elif isinstance(message, AdmissionMessage) or (
            isinstance(message, Hello) and message.secret not in (None, entry.secret)
        ):
            peer.answer(peer.strike("another_table"))
        else:
            now = self._clock.now()
            self._tables.carry_out(entry, table.receive(peer.number, message, now))

    async def _at_admission(self, peer: Peer, message: ClientMessage) -> None:
        """Do what is asked for before a peer has come to a table."""
        now = self._clock.now()
        if isinstance(message, Knock) and not await peer.has_turn(now, "too_many_knocks"):
            return
        outcome = self._admission.receive(peer, message, self._clock.now())
        match outcome:
            case Enter(entry, hello):
                await self._enter(peer, entry, hello)
            case LetIn(entry, admitted):
                assert entry.table is not None
                kept = entry.table.changed()
                self._tables.carry_out(entry, [*kept, Send(peer.number, admitted)])
            case AnswerKnock():
                peer.answer(await self._answer_knock(peer, outcome))
                self._tables.tell_guesses(outcome.entry)
            case OpenTable(settings):
                self._open(peer, settings)
            case AskLeague(season):
                assert self._club is not None
                if await peer.has_turn(now, "too_many_asked"):
                    peer.answer(await self._club.league(season))
            case _:
                peer.answer(outcome)

    def _open(self, peer: Peer, settings: TableSettings) -> None:
        """Open a table for a member."""
        assert self._club is not None
        entry, effects = self._club.open(settings, peer.number)
        peer.opened = entry
        effects.append(Send(peer.number, Admitted(secret=entry.secret)))
        self._tables.open(entry, effects)

    async def _answer_knock(self, peer: Peer, knock: AnswerKnock) -> HostMessage:
        """Return the answer to a knock, which a thread computes so that others are heard."""
        try:
            # One at a time, so that a flood of them takes a part of one core only.
            async with self._one_knock:
                return await asyncio.to_thread(knock.compute)
        except CodeExchangeError:
            return peer.strike("malformed")

    async def _enter(self, peer: Peer, entry: TableEntry, hello: Hello) -> None:
        """Bring a peer to a table; one who is not welcome there may try again."""
        woke = self._club is not None and self._club.is_asleep(entry)
        if woke and not await peer.has_turn(self._clock.now(), "too_many_came"):
            return
        table = await self._tables.ready(entry)
        if woke:
            # Unless somebody stays.
            self._tables.sleep_later(entry, SLEEP_AGAIN_AFTER_S)
        if not self._admission.still_opens(entry, hello):
            peer.answer(peer.strike("no_such_table"))
            return
        now = self._clock.now()
        effects = table.receive(peer.number, hello, now, peer.network)
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
            self._give_up_opened(peer, now)
        self._tables.carry_out(entry, effects)
        if not is_welcome:
            self._tables.carry_out(entry, table.disconnected(peer.number, now))

    def _hello_overdue(self, peer: Peer, first: bool) -> None:
        """End a connection that has come to no table in time; a club's member has more of it."""
        if peer.number not in self._peers.by_number:
            return
        if peer.member and first:
            peer.overdue = self._clock.call_later(
                MEMBER_TIMEOUT_S, self._hello_overdue, peer, False
            )
        else:
            peer.dismiss("hello_overdue")

    def _connection_lost(self, peer: Peer) -> None:
        """Tell the table at which a peer was that its connection has ended."""
        entry, now = peer.entry, self._clock.now()
        self._give_up_opened(peer, now)
        if entry is not None and entry.table is not None:
            self._tables.carry_out(entry, entry.table.disconnected(peer.number, now))
            self._tables.sleep_later(entry)

    def _give_up_opened(self, peer: Peer, now: float) -> None:
        """Tell the table that a peer has opened, if it is not there, that it will not come."""
        opened = peer.opened
        if opened is not None and opened is not peer.entry and opened.table is not None:
            self._tables.carry_out(opened, opened.table.opener_gone(peer.number, now))
