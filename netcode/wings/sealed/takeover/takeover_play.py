"""Runs a player's program at a sealed table that may move to another machine, or to their own.

It executes the actions of `TakeoverDecision`: calls others, hosts the table, and moves the player's
connection to the table's present host.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Final

from msgspec.structs import replace

from netcode.client.connection import Connect, ConnectError
from netcode.client.reconnection import ConnectionLost
from netcode.client.session import Session
from netcode.protocol.fields import Message, TableNotice
from netcode.protocol.messages import Goodbye, Lobby, Refused, Welcome
from netcode.transport.channel import Channel
from netcode.wings.sealed.game.encoding import SealedError
from netcode.wings.sealed.game.parcels import Parcel, in_frames
from netcode.wings.sealed.game.sealed_person import SealedPerson
from netcode.wings.sealed.messages import AllowTakeover, LogAt, Sealed, StartTakeover, Unannounced
from netcode.wings.sealed.news import Notice
from netcode.wings.sealed.sealed_play import PlayOutput, SealedPlay
from netcode.wings.sealed.stored_logs import StoredLogs
from netcode.wings.sealed.takeover.decision import (
    HOST,
    Deed,
    Dial,
    Follow,
    GiveUp,
    HangUp,
    SendAddresses,
    StepBack,
    TakeOver,
)
from netcode.wings.sealed.takeover.host_call import NOBODY
from netcode.wings.sealed.takeover.peer_connections import PLAY, PeerConnections, log_failure
from netcode.wings.sealed.takeover.peer_connections import now as loop_now
from netcode.wings.sealed.takeover.takeover_server import Home, TakeoverServer

LOOK_S: Final = 1.0
"""Seconds between two checks for work that depends only on time."""

_HOST_GONE: Final = frozenset({"host_quit", "host_quit_for_now", "host_quit_game"})
"""The codes of a host's Goodbye after which the table may continue."""

_log = logging.getLogger(__name__)


class TakeoverPlay(SealedPlay):
    """Plays at a sealed table that can move to another host.

    Use it like `SealedPlay`, but open each connection with `connect`, and call `lost` after it
    ends.
    """

    def __init__(
        self,
        logs: StoredLogs,
        session: Session,
        connect: Connect,
        home: Home,
        unix_s: Callable[[], float] = time.time,
        rng: Random | None = None,
    ) -> None:
        """Start without a game. `connect` opens a connection to the player's table."""
        super().__init__(logs, unix_s, rng)
        self.channel: Channel | None = None
        """The connection by which we play; None while it is lost."""
        self.was_taken_over = False
        """True if we last moved to a person's machine, not to the usual host."""
        self._session: Final = session
        self._connect: Final = connect
        self._home: Final = home
        self._connections: PeerConnections | None = None
        """The connections of the present game. None before it is sealed and our server listens."""
        self._gid = b""
        self._opening: asyncio.Task[None] | None = None
        self._is_at_home = home.is_table
        self._is_changing_host = False
        self._is_welcome = True
        self._lost: ConnectionLost | None = None
        self._remembered: list[Parcel] = []
        self._split: frozenset[int] = frozenset()
        """The persons who play elsewhere, according to the last notice."""

    @property
    def takeover(self) -> TakeoverServer | None:
        """The player's takeover server, even while the player plays at another host.

        It is None without a sealed game, and if the table cannot continue on this machine.
        """
        return None if self._connections is None else self._connections.takeover

    # The connection for playing

    async def connect(self) -> Channel:
        """Connect to the table's present host, and return the connection.

        Raises ConnectError if no host is known or reached, or if the host changes meanwhile.
        """
        connections, self._is_changing_host, self._is_welcome = self._connections, False, False
        where = None if connections is None else connections.deciding.plays_at
        if connections is None or (where == connections.me and connections.takeover is None):
            channel = await self._connect()
        elif where is None:
            raise ConnectError(NOBODY)
        else:
            connections.key = self._session.key
            channel, self._session.secret, self._session.key = await connections.call(where)
        if self._is_changing_host:
            channel.abort()
            raise ConnectError(NOBODY)
        self.channel = channel
        self._is_at_home = self._home.is_table if connections is None else where == connections.me
        return channel

    def lost(self, lost: ConnectionLost) -> None:
        """Record that the connection to the table has ended, or could not be opened."""
        self._lost, self.channel = lost, None
        if self._is_changing_host:
            lost.hurry()
        elif self._connections is not None:
            deciding = self._connections.deciding
            if deciding.plays_at is not None:
                deciding.lost(deciding.plays_at, loop_now())
            self._advance()

    def close(self) -> None:
        """Close all connections and logs."""
        self._leave_game()
        super().close()

    # Methods of SealedPlay

    def from_host(self, message: Message, now: float) -> None:
        """Apply a message from the host to the takeover, then usually to the sealed game."""
        if isinstance(message, Unannounced):
            self._home.is_announced = False
            return
        if isinstance(message, TableNotice):
            self._home.take_notice(message, self._local)
            self._output.sent.append(self._permission())
            return
        connections, is_new = self._connections, self._lobby is None or isinstance(message, Welcome)
        self._is_welcome |= isinstance(message, Welcome)
        if connections is not None:
            match message:
                case Welcome():
                    connections.for_play = [*in_frames(connections.deciding.parcels())]
                    self._advance()
                case Lobby() if message.phase == "lobby" or not message.settings.sealed:
                    # The host has ended the game or begins another evening, so delete the
                    # addresses.
                    self._home.remember(connections.person.public_key, [], None)
                    self._leave_game()
                case Lobby():
                    if self._is_at_home:
                        connections.see_guests(message)
                    else:
                        connections.deciding.see(connections.present(message))
                    self._advance()
                case Sealed():
                    connections.deciding.unanswered_since = None
                    if connections.take(message, PLAY):
                        self._advance()
                    return
                case LogAt():
                    connections.deciding.unanswered_since = None
                case StartTakeover():
                    connections.deciding.ask_to_open()
                    self._advance()
                case Refused() if not self._is_welcome:
                    # The key is outdated. The next connection logs in by the key of the game and
                    # gets a new one.
                    self._hang_up()
                case Goodbye(code=code) if code in _HOST_GONE and self._is_under_way:
                    if set(connections.deciding.possible_hosts) - {connections.deciding.plays_at}:
                        self._hang_up()
                        return
        super().from_host(message, now)
        if is_new and self._lobby is not None and self._lobby.you is not None:
            self._output.sent.append(self._permission())

    def from_player(self, message: Message) -> None:
        """Accept a message; store a permission for a takeover, and send it with the port."""
        if isinstance(message, AllowTakeover):
            self._home.is_allowed = message.allowed
            message = replace(message, port=self._permission().port)
        super().from_player(message)

    def tick(self, now: float) -> PlayOutput:
        """Do everything that is due, and send messages of the game by all connections."""
        connections, lobby = self._connections, self._lobby
        received = [] if connections is None else connections.received
        for message, _ in received:
            super().from_host(message, now)
        body = super().tick(now)
        if connections is not None:
            connections.received = []
            of_game = [each for each in body.sent if isinstance(each, Sealed | LogAt)]
            connections.forward(of_game, received)
            if any(isinstance(each, LogAt) for each in of_game):
                connections.deciding.expect_answer(loop_now())
            body.sent.extend(connections.for_play)
            connections.for_play = []
        person = None if self._game is None else self._game.person
        sealing = None if person is None or person.me is None else person.sealing
        if person is not None and sealing is not None and sealing.gid != self._gid and lobby:
            self._leave_game()
            self._gid = sealing.gid
            self._opening = asyncio.create_task(self._begin_game(person, lobby))
            self._opening.add_done_callback(log_failure)
        return body

    # The game

    @property
    def _local(self) -> str:
        """This machine's address on the connection for playing; empty without one."""
        return "" if self.channel is None else self.channel.local

    def _permission(self) -> AllowTakeover:
        """Return the player's permission. It contains our port if the host is on this machine."""
        channel, local = self.channel, self._local
        port = channel.ports[0] if channel and self._home.is_on_loopback(local) else 0
        return AllowTakeover(self._home.allows(local), port)

    @property
    def _is_under_way(self) -> bool:
        return self.person is not None and self.person.is_under_way

    async def _begin_game(self, person: SealedPerson, lobby: Lobby) -> None:
        """Open our takeover server for the others, and prepare to call their servers."""
        local, self._home.added = self._local, lobby.settings.added
        takeover = await self._home.open(local)
        if self.person is not person:
            # The game has ended meanwhile, so delete the addresses.
            self._home.remember(person.public_key, [], None)
            return
        here, resumed, self._home.is_resumed = self._is_at_home, self._home.is_resumed, False
        connections = PeerConnections(
            person,
            lobby,
            takeover,
            self._connect,
            is_at_home=here,
            is_resumed=resumed,
            local=local,
        )
        if resumed and not connections.deciding.possible_hosts:
            # Nobody can call or be called, so only this machine can continue the table.
            connections.deciding.ask_to_open()
        for parcel in self._home.recall(person.public_key):
            with suppress(SealedError):
                connections.deciding.receive_addresses(parcel, int(time.time()))
        self._connections, connections.on_change = connections, self._proceed
        if here:
            connections.see_guests(self._lobby or lobby)
        connections.spawn(self._look(connections))
        self._proceed()

    def _leave_game(self) -> None:
        """Close all connections of the game except the one for playing."""
        if self._opening is not None:
            self._opening.cancel()
        self._split = frozenset()
        if self._connections is not None:
            self._connections.close()
            self._connections = None

    async def _look(self, connections: PeerConnections) -> None:
        while True:
            await asyncio.sleep(LOOK_S)
            self._proceed()

    def _remember(self, connections: PeerConnections) -> None:
        """Store the known addresses for a restart. Once the game is over, delete them."""
        known = [] if not self._is_under_way else connections.deciding.parcels()
        if known != self._remembered:
            self._remembered = known
            evening = connections.evening if self._is_under_way else None
            self._home.remember(connections.person.public_key, known, evening)

    def _advance(self) -> None:
        """Do the takeover actions that are due. Without `PeerConnections`, do nothing."""
        connections = self._connections
        if connections is None:
            return
        for deed in connections.deciding.advance(loop_now(), int(time.time())):
            _log.info("%s %s", type(deed).__name__, getattr(deed, "person", ""))
            self._do(connections, deed)
        if not self._is_at_home and connections.deciding.plays_at != connections.me:
            connections.go_home()
        self._note_split(connections)
        self._remember(connections)

    def _note_split(self, connections: PeerConnections) -> None:
        """Add a notice if the set of persons who play elsewhere has changed."""
        split, at = connections.deciding.split, connections.deciding.plays_at
        if split == self._split or at is None or self.channel is None:
            return
        before, self._split = self._split, split
        names = tuple(connections.sealing.names[person] for person in sorted(split))
        host = "" if at == HOST else connections.sealing.names[at]
        if split:
            code = "split_here" if at == connections.me else "split"
            self.note(Notice(code=code, name=host, values={"names": names}))
        elif before:
            self.note(Notice(code="whole", name=host))

    def _proceed(self) -> None:
        """Execute the actions that are due, and let the caller call `tick`."""
        self._advance()
        self.on_change()

    def _do(self, connections: PeerConnections, deed: Deed) -> None:
        match deed:
            case Dial():
                connections.dial(deed)
            case HangUp(person):
                connections.hang_up(person)
            case Follow(person):
                self._change_host(connections, person)
                # The new host owes us all parcels of the game after its Welcome.
                connections.deciding.expect_answer(loop_now())
            case GiveUp():
                self._hang_up()
            case TakeOver() | StepBack():
                if connections.takeover is not None:
                    connections.takeover.announce(isinstance(deed, TakeOver))
                if (
                    isinstance(deed, TakeOver)
                    and connections.deciding.plays_at == connections.me
                    and not self._is_at_home
                ):
                    self._change_host(connections, connections.me)
            case SendAddresses(parcel):
                connections.send(in_frames([parcel]))

    def _hang_up(self) -> None:
        """Close the connection for playing, if there is one. The caller then opens a new one."""
        if self.channel is not None:
            self.channel.abort()

    def _change_host(self, connections: PeerConnections, person: int) -> None:
        """Close the connection for playing, so that the next one leads to a host.

        Add a notice if this is another host than before.
        """
        self._is_changing_host, self.was_taken_over = True, person != HOST
        connections.hang_up(person)
        if person != HOST and connections.sealing.names[person] != connections.host:
            former, connections.host = connections.host, connections.sealing.names[person]
            is_lost = self.channel is None and former
            code, names = ("taken_over", (former,)) if is_lost else ("hosts_now", ())
            if is_lost and person == connections.me:
                # Friends outside may not be able to connect to this machine. The notice says
                # so.
                code = "taken_over_here"
            self.note(Notice(code=code, name=connections.host, values={"names": names}))
        self._hang_up()
        if self.channel is None and self._lost is not None:
            self._lost.hurry()
