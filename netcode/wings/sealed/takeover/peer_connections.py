"""Manages the connections of one sealed game to the programs of other persons.

The takeover's decision and our takeover server use these connections. `TakeoverPlay` has the
connection by which we play, which is not among them.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any, Final

from netcode.client.code_join import NotAdmittedError
from netcode.client.connection import Connect, ConnectError, Connection
from netcode.client.session import ProtocolError
from netcode.protocol.fields import Message
from netcode.protocol.messages import PROGRAM, PROTOCOL, Hello, Lobby, Welcome
from netcode.table.errors import StoreError
from netcode.transport.channel import Channel
from netcode.wings.sealed.game.encoding import AddressBody, SealedError, is_address
from netcode.wings.sealed.game.parcels import Parcel, in_frames
from netcode.wings.sealed.game.sealed_person import SealedPerson, taken_from_players
from netcode.wings.sealed.kind import new_key_of, sealing_of
from netcode.wings.sealed.messages import AllowTakeover, LogAt, Sealed
from netcode.wings.sealed.takeover.callable_addresses import callable_at
from netcode.wings.sealed.takeover.decision import DIAL_S, HOST, MUTE_S, Dial, TakeoverDecision
from netcode.wings.sealed.takeover.host_call import any_of, call_host
from netcode.wings.sealed.takeover.takeover_server import (
    TakeoverServer,
    open_takeover_table,
    takeover_snapshot,
)

_log = logging.getLogger(__name__)

PLAY: Final = -2
"""The number that stands for the connection by which we play; other numbers are persons."""


class _PeerConnection(Connection):
    """A connection to a person whom we have called."""

    has_shown = False
    """True if the person's program has sent this game's sealing, or the end of its log."""
    is_reached = False
    """True if the call was reported to the decision as reached."""


class PeerConnections:
    """The connections of a game, except the one by which we play, with their `TakeoverDecision`."""

    def __init__(
        self,
        person: SealedPerson,
        lobby: Lobby,
        takeover: TakeoverServer | None,
        connect: Connect,
        *,
        is_at_home: bool,
        is_resumed: bool,
        local: str = "",
    ) -> None:
        """Start without connections.

        Args:
            person: Our program in the game, after the sealing.
            lobby: The present lobby of the table.
            takeover: Our takeover server; None if the table cannot continue here.
            connect: Opens a connection to the table's usual host.
            is_at_home: True if we play at our own server.
            is_resumed: True if our own table was resumed, so that others may host it by now.
            local: This machine's address on the connection by which we play; "" if unknown.
        """
        assert person.sealing is not None
        assert person.me is not None
        self.sealing: Final = person.sealing
        self.me: Final = person.me
        self.takeover: Final = takeover
        self.host = lobby.host_name
        """The name of the host, according to the last report."""
        plays_at: int | None = HOST
        if is_at_home:
            plays_at = None if is_resumed else self.me
        elif self.host in self.sealing.names and self.host != self.sealing.names[self.me]:
            # Persons host only at their own machine, so another host name stands for `HOST`.
            plays_at = self.sealing.names.index(self.host)
        pin, addresses = (
            (takeover.pin, takeover.addresses) if takeover is not None else (bytes(32), ())
        )
        self.deciding: Final = TakeoverDecision(
            self.sealing, self.me, person.secret, pin, addresses, plays_at
        )
        self.on_change: Callable[[], None] = lambda: None
        """Called after a change that may make actions of the decision due."""
        self.for_play: list[Message] = []
        """Messages for the connection by which we play. The caller sends and removes them."""
        self.received: list[tuple[Sealed | LogAt, int]] = []
        """Received messages of the game, each with the number of its connection."""
        self.key: bytes | None = None
        """The key to our seat at `HOST`, for a table that does not accept the key of the game; None
        until `HOST` has sent a Welcome.
        """
        self._connect: Final = connect
        self._call: Final = partial(call_host, self.sealing, self.me, person.secret)
        self.person: Final = person
        self.evening: Final = lobby.evening
        """The results of the evening before this game."""
        self.added: Final = lobby.settings.added
        """The settings of other wings, which the sealing does not contain."""
        self._secret: Final = lobby.secret
        self._machine_addresses: Final = (*addresses, local)
        self._dials: Final[dict[int, Dial]] = {}
        self._connections: Final[dict[int, _PeerConnection]] = {}
        self._called: Final[set[int]] = set()
        """The persons whom we are calling or connected to. We are among them while we use our own
        server.
        """
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._guests: set[int] = set()
        """The persons at our takeover server."""
        assert person.dealing is not None
        self._passed = len((person.log or person.dealing).journal)
        """Number of parcels of the deal and log that were forwarded."""

    def close(self) -> None:
        """Close all connections."""
        for task in self._tasks:
            task.cancel()

    async def call(self, person: int) -> tuple[Channel, bytes | None, bytes | None]:
        """Connect to a person's server; return the connection, the secret and a key to our seat.

        For ourselves, connect to our takeover server. For a person without a known server, connect
        to the game's first host, and return the key to our seat only if the host refuses our key of
        the game. Secret and key are None if they are unknown.

        Raises ConnectError if the server cannot be reached, or if a person's own server refuses our
        key of the game.
        """
        if person == self.me and self.takeover is not None:
            return self._at_home(self.takeover)
        dial = self._dials.get(person)
        if dial is not None and dial.pin:
            addresses = callable_at(dial.addresses, self._machine_addresses)
            return await self._call(any_of(addresses, dial.pin))
        with suppress(NotAdmittedError):
            return await self._call(self._connect, self._secret)
        # A club's table may sleep and then refuse the key of the game. The key to the seat wakes
        # it.
        return await self._connect(), self._secret, self.key

    def _at_home(self, takeover: TakeoverServer) -> tuple[Channel, bytes | None, bytes | None]:
        """Return a connection to our takeover server, with its secret and a key to our seat.

        If the server has no table of this game yet, open the table from our log first. Raises
        ConnectError if that fails.
        """
        table = takeover.entry.table
        sealing = None if table is None else sealing_of(table)
        if table is None or sealing is None or sealing.gid != self.sealing.gid:
            parcels = self.person.parcels()
            snapshot = takeover_snapshot(
                takeover.entry.opened, self.sealing, self.me, parcels, self.evening, self.added
            )
            try:
                table = open_takeover_table(takeover, snapshot)
            except StoreError as error:
                raise ConnectError(error.template, **error.values) from error
        return (
            takeover.server.connect(),
            takeover.entry.secret,
            new_key_of(table, self.me),
        )

    def dial(self, dial: Dial) -> None:
        """Call a person, and stay connected until the connection ends.

        If an earlier call or connection still exists, only report the call as failed.
        """
        self._dials[dial.person] = dial
        if dial.person in self._called:
            # The connection is slow. For now, report the call as failed.
            self.deciding.failed(dial.person)
        else:
            self._called.add(dial.person)
            self.spawn(self._stay_with(dial.person))

    def go_home(self) -> None:
        """Connect to our takeover server, so that it gets and forwards all messages of the game.

        Without a takeover server, and if we are connected already, do nothing.
        """
        if self.takeover is not None and self.me not in self._called:
            self._called.add(self.me)
            self.spawn(self._stay_with(self.me))

    def hang_up(self, person: int) -> None:
        """Close the connection to a person, if there is one."""
        connection = self._connections.pop(person, None)
        self._called.discard(person)
        if connection is not None:
            self.spawn(connection.channel.close())

    def send(self, messages: Iterable[Message], but: int | None = None) -> None:
        """Send messages of the game by all connections, or by all but one."""
        pending = list(messages)
        if but != PLAY:
            self.for_play += pending
        for person, connection in self._connections.items():
            for message in pending if person != but else ():
                connection.send(message)

    def forward(
        self, sent: Sequence[Sealed | LogAt], received: Sequence[tuple[Sealed | LogAt, int]]
    ) -> None:
        """Forward our own messages, and the parcels of others that the log has accepted.

        Messages that the log has not accepted are not forwarded, because they may be invalid.
        """
        assert self.person.dealing is not None
        journal = (self.person.log or self.person.dealing).journal
        news = [*chain(*map(taken_from_players, journal[self._passed :]))]
        self._passed = len(journal)
        for person in (PLAY, *self._connections):
            messages = (message for message, connection in received if connection == person)
            parcels = (each.parcels for each in (*sent, *messages) if isinstance(each, Sealed))
            known = {*chain(*parcels)}
            frames = [*in_frames(each for each in news if each not in known)]
            if person == PLAY:
                self.for_play += frames
            else:
                for message in (*frames, *sent):
                    self._connections[person].send(message)

    def take(self, message: Sealed, person: int) -> bool:
        """Handle parcels from a person. Parcels of the game itself go to `received`.

        Addresses go to the decision, and new ones are forwarded. Returns True if the message had
        addresses.
        """
        parcels = [Parcel(*each) for each in message.parcels]
        addresses = [parcel for parcel in parcels if is_address(parcel.body)]
        news = []
        for parcel in addresses:
            with suppress(SealedError):
                if self.deciding.receive_addresses(parcel, int(time.time())):
                    news.append(parcel)
                body = parcel.decoded
                if isinstance(body, AddressBody) and body.person == person:
                    self._reach(person)
        if news:
            self.send(in_frames(news), but=person)
        rest = tuple(parcel for parcel in parcels if parcel not in addresses)
        if rest:
            self.received.append((Sealed(rest), person))
        return bool(addresses)

    def present(self, lobby: Lobby) -> set[int]:
        """Return the other persons who are present in a lobby."""
        names = {seat.name for seat in lobby.seats if seat.present}
        return {one for one, name in enumerate(self.sealing.names) if name in names} - {self.me}

    def see_guests(self, lobby: Lobby) -> None:
        """Report to the decision the guests who have come to our takeover server, or left it."""
        there = self.present(lobby)
        for person in there - self._guests:
            self.deciding.joined(person, now())
        for person in self._guests - there:
            self.deciding.left(person)
        self._guests = there

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a task until it ends or these connections are closed."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        log_failure(task)

    async def _stay_with(self, person: int) -> None:
        """Stay connected to a person's server, or to our own, until the connection ends."""
        try:
            if person == self.me and self.takeover is not None:
                # Do not await anything before the Hello, so that the table sends us every message.
                channel, secret, key = self._at_home(self.takeover)
            else:
                channel, secret, key = await self._answered(person)
        except ConnectError:
            self._called.discard(person)
            self.deciding.failed(person)
            if person != self.me:
                # Do not try again at once: a call to our own server is repeated only after the next
                # change.
                self.on_change()
            return
        connection = self._connections[person] = _PeerConnection(channel)
        name = self.sealing.names[self.me]
        hello = Hello(protocol=PROTOCOL, program=PROGRAM, name=name, key=key, secret=secret)
        try:
            connection.send(hello)
            connection.send(AllowTakeover(allowed=bool(self.takeover and self.takeover.addresses)))
            for message in in_frames(self.deciding.parcels()):
                connection.send(message)
            if person != self.me:
                self.spawn(self._reach_in_time(person, connection))
            await connection.listen(partial(self._receive, person, connection))
        except (ProtocolError, ConnectError):
            pass
        finally:
            await connection.channel.close()
            if self._connections.get(person) is connection:
                if not connection.is_reached and person != self.me:
                    self.deciding.failed(person)
                self.hang_up(person)
                if person != self.me:
                    self.deciding.lost(person, now())
            self.on_change()

    async def _answered(self, person: int) -> tuple[Channel, bytes | None, bytes | None]:
        """Return the result of `call`, however long it takes, and raise its errors.

        After `DIAL_S`, report the call as failed while it continues.
        """
        calling = asyncio.create_task(self.call(person))
        try:
            await asyncio.wait([calling], timeout=DIAL_S)
            if not calling.done():
                self.deciding.failed(person)
                self.on_change()
            return await calling
        finally:
            calling.cancel()

    async def _reach_in_time(self, person: int, connection: _PeerConnection) -> None:
        """Report a person as reached once their program has sent this game.

        After `MUTE_S` waits of `DIAL_S` / 2 seconds each, report the call as failed, and hang up.
        Return early if the connection is no longer the one to this person.
        """
        for _ in range(MUTE_S):
            await asyncio.sleep(DIAL_S / 2)
            self._reach(person)
            self.on_change()
            if connection.is_reached or self._connections.get(person) is not connection:
                return
        # A program that sends nothing of this game does not host it, so report the call as failed.
        self.deciding.failed(person)
        self.hang_up(person)

    def _reach(self, person: int) -> None:
        connection = None if person == self.me else self._connections.get(person)
        if connection is not None and connection.has_shown and not connection.is_reached:
            connection.is_reached = True
            self.deciding.reached(person, now())

    def _receive(self, person: int, connection: _PeerConnection, message: Message) -> None:
        match message:
            case Sealed():
                connection.has_shown |= (self.sealing.body, b"") in message.parcels
                self.take(message, person)
            case LogAt():
                connection.has_shown |= message.gid == self.sealing.gid
                self.received.append((message, person))
            case Lobby() if person == self.me:
                self.see_guests(message)
            case Welcome() if person == HOST:
                self.key = message.key
        self.on_change()


def log_failure(task: asyncio.Task[None]) -> None:
    """Log the error of a failed task of the takeover."""
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("nobody can take this game over from here", exc_info=error)


def now() -> float:
    """Return the time of the running event loop, in seconds of a monotonic clock."""
    return asyncio.get_running_loop().time()
