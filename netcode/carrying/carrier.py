"""A player's own program at a sealed table that may go on at another machine, or at their own.

It stands around `SealedPlay` and does what `CarryingOn` decides: calls others, relays, and leads
the player's line to wherever the table goes on.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from typing import Any, Final

from engine.actions import Action
from netcode.carrying.calls import NOBODY, Caller, any_of, local_address
from netcode.carrying.relays import Home, Relay, carried_snapshot, open_carried
from netcode.client.code_join import NotAdmittedError
from netcode.client.reconnection import Connect, ConnectError, Connection, Lost
from netcode.client.sealed_attempt import in_frames
from netcode.client.sealed_news import Asked, Notice, Told
from netcode.client.sealed_play import Said, SealedPlay
from netcode.client.session import ProtocolError, Session
from netcode.protocol.carrying_messages import Carry, CarryOn
from netcode.protocol.messages import (
    PROGRAM,
    PROTOCOL,
    ClientMessage,
    Goodbye,
    Hello,
    HostMessage,
    Lobby,
    Welcome,
)
from netcode.protocol.sealed_messages import LogAt, Sealed
from netcode.sealed.attempt import SealedPerson
from netcode.sealed.carrying_on import (
    DIAL_S,
    HOST,
    CarryingOn,
    Deed,
    Dial,
    Follow,
    HangUp,
    Open,
    StepBack,
    Tell,
)
from netcode.sealed.encoding import Parcel, RelayBody, SealedError, unpack
from netcode.table.carriers import is_relay
from netcode.table.effects import Think
from netcode.transport.channel import Channel, ChannelClosedError

_log = logging.getLogger(__name__)

LOOK_S: Final = 1.0
"""Seconds between two looks at what time alone has brought about."""

NO_LINE: Final = -2
"""Stands for no line at all, where one is left out."""

_HOST_GONE: Final = frozenset({"host_quit", "host_quit_game"})
"""With these words a host goes, and the table may stay."""


class _Game:
    """One game: what decides, one's own relay, and the lines besides that of play."""

    def __init__(
        self, person: SealedPerson, lobby: Lobby, relay: Relay | None, *, home: bool, resumed: bool
    ) -> None:
        """Begin at home or elsewhere; of a table that is resumed others may be the host now."""
        assert person.sealing is not None
        assert person.me is not None
        self.sealing: Final = person.sealing
        self.me: Final = person.me
        self.relay: Final = relay
        self.caller: Final = Caller(self.sealing, self.me, person.secret)
        self.table_secret: Final = lobby.secret
        self.names: Final = self.sealing.names
        self.host = next((seat.name for seat in lobby.seats if seat.host), "")
        """Who hosts, as was last said."""
        line: int | None = HOST
        if home:
            line = None if resumed else self.me
        elif self.host in self.names:
            line = self.names.index(self.host)
        pin, addresses = (relay.pin, relay.addresses) if relay is not None else (bytes(32), ())
        self.on: Final = CarryingOn(self.sealing, self.me, person.secret, pin, addresses, line)
        self.dials: Final[dict[int, Dial]] = {}
        self.lines: Final[dict[int, Connection]] = {}
        """By person, those whom this program has called; and itself, at its own relay."""
        self.unreached: Final[set[int]] = set()
        """The persons who were called and have not yet told where they can be."""
        self.tasks: Final[set[asyncio.Task[None]]] = set()
        self.guests: set[int] = set()
        """The persons who are at one's own relay."""
        self.passed_on: Final[set[Parcel]] = set()


class Carrier:
    """What a player's line goes through at a sealed table, and by which it finds the table again.

    It is a `Filter` as `SealedPlay` is one; besides, `connect` opens each connection, and `lost` is
    told of each that has ended.
    """

    def __init__(
        self,
        play: SealedPlay,
        session: Session,
        connect: Connect,
        home: Home,
        channel: Channel | None,
    ) -> None:
        """Begin at the table to which `connect` leads, and has led already by a channel."""
        self.poke: Callable[[], None] | None = None
        self._play: Final = play
        self._session: Final = session
        self._connect: Final = connect
        self._home: Final = home
        self._game: _Game | None = None
        self._gid = b""
        self._lobby: Lobby | None = None
        self._is_new_line = True
        self._is_at_home = home.is_table
        self._is_moving = False
        self._channel = channel
        self._lost: Lost | None = None
        self._sent: list[ClientMessage] = []
        """What the host is to be told next."""
        self._heard: list[Sealed | LogAt] = []
        """What has come over other lines than that of play."""
        self._opening: asyncio.Task[None] | None = None

    @property
    def person(self) -> SealedPerson | None:
        """The player's part in the game that is sealed, played or was last."""
        return self._play.person

    @property
    def relay(self) -> Relay | None:
        """The player's own relay in that game, whether they play there or not."""
        return None if self._game is None else self._game.relay

    # The line

    async def connect(self) -> Channel:
        """Connect to wherever the table is; raises ConnectError."""
        game, self._is_moving = self._game, False
        if game is None or (game.on.line == game.me and game.relay is None):
            channel = await self._connect()
        elif game.on.line is None:
            raise ConnectError(NOBODY)
        else:
            channel, self._session.secret, self._session.key = await self._call(game, game.on.line)
        if self._is_moving:
            channel.abort()
            raise ConnectError(NOBODY)
        self._channel = channel
        self._is_at_home = self._home.is_table if game is None else game.on.line == game.me
        return channel

    def lost(self, lost: Lost) -> None:
        """Take note that the line to the table has ended, or could not be had."""
        self._lost, self._channel = lost, None
        if self._is_moving:
            lost.hurry()
        elif self._game is not None:
            on = self._game.on
            if on.line is not None:
                on.lost(on.line, _now())
            self._advance(self._game)

    def close(self) -> None:
        """Hang up everywhere, and let go of the files."""
        self._leave_game()
        self._play.close()

    # As SealedPlay

    @property
    def think(self) -> Think | None:
        """What a bot is to be asked; None for nothing."""
        return self._play.think

    @property
    def wake_at(self) -> float | None:
        """When `tick` is to be called."""
        return 0.0 if self._heard else self._play.wake_at

    def from_host(self, message: HostMessage, now: float) -> Said:
        """Take in what the host says."""
        game = self._game
        match message:
            case Welcome():
                self._is_new_line = True
                self._sent = [] if game is None else _messages(game.on.parcels())
                if game is not None:
                    self._advance(game)
            case Lobby():
                self._see_lobby(message)
            case Sealed() if game is not None:
                parcels = self._pass_on(game, None, message)
                if not parcels:
                    return self.tick(now)
                message = Sealed(tuple(parcels))
            case CarryOn() if game is not None:
                game.on.ask_to_open()
                self._advance(game)
            case Goodbye(code=code) if game is not None and code in _HOST_GONE and self._goes_on:
                if self._channel is not None:
                    self._channel.abort()
                return Said([], [])
        return self._said(self._play.from_host(message, now))

    def from_player(self, message: Asked, now: float) -> Said:
        """Take in what the session or the player says."""
        if isinstance(message, Carry):
            self._home.is_allowed = message.allowed
        return self._said(self._play.from_player(message, now))

    def from_bot(self, think: Think, action: Action, now: float) -> Said:
        """Take in what a bot has chosen."""
        return self._said(self._play.from_bot(think, action, now))

    def tick(self, now: float) -> Said:
        """Do what is to be done by now."""
        heard, self._heard = self._heard, []
        all_said = [*(self._play.from_host(each, now) for each in heard), self._play.tick(now)]
        told = [each for said in all_said for each in said.told]
        return self._said(Said(told, [each for said in all_said for each in said.sent]))

    def _said(self, said: Said) -> Said:
        """Return what a call has come to; what is of the game goes over all lines."""
        game = self._game
        if game is not None:
            for message in said.sent:
                if isinstance(message, Sealed | LogAt):
                    for line in game.lines.values():
                        self._spawn(game, line.send(message))
        self._see_game()
        sent, self._sent = self._sent, []
        return Said(said.told, [*said.sent, *sent])

    @property
    def _goes_on(self) -> bool:
        """Whether the game may go on elsewhere, if its host goes."""
        person = self._play.person
        return person is not None and person.state in ("sealed", "dealing", "playing")

    def _see_lobby(self, lobby: Lobby) -> None:
        self._lobby = lobby
        if self._is_new_line and lobby.you is not None:
            self._is_new_line = False
            self._sent.append(Carry(allowed=self._home.is_allowed))
        if self._game is not None and self._is_at_home:
            self._see_guests(self._game, lobby)

    # The game

    def _see_game(self) -> None:
        """If there is a new game, listen for those who may need this machine in it."""
        person = self._play.person
        if person is None or person.sealing is None or person.me is None or self._lobby is None:
            return
        if person.sealing.gid != self._gid:
            self._gid = person.sealing.gid
            self._leave_game()
            self._opening = asyncio.create_task(self._begin_game(person, self._lobby))

    async def _begin_game(self, person: SealedPerson, lobby: Lobby) -> None:
        relay = await self._home.open(local_address(self._channel))
        at_home, resumed = self._is_at_home, self._home.is_resumed
        game = _Game(person, lobby, relay, home=at_home, resumed=resumed)
        self._home.is_resumed = False
        if resumed and not game.on.carriers:
            # Nobody may be called, or call here.
            game.on.ask_to_open()
        for parcel in self._home.recall(person.public_key):
            with suppress(SealedError):
                game.on.hear(parcel, int(time.time()))
        if relay is not None and not at_home:
            parcels, evening = person.parcels(), lobby.evening
            snapshot = carried_snapshot(relay.opened, game.sealing, game.me, parcels, evening)
            open_carried(relay, snapshot)
        self._game = game
        if at_home:
            self._see_guests(game, self._lobby or lobby)
        self._spawn(game, self._look(game))
        self._remember(game)
        self._advance(game)

    def _leave_game(self) -> None:
        """Hang up everywhere but on the line to the table."""
        if self._opening is not None:
            self._opening.cancel()
        game, self._game = self._game, None
        if game is not None:
            for task in game.tasks:
                task.cancel()

    async def _look(self, game: _Game) -> None:
        is_over = False
        while True:
            await asyncio.sleep(LOOK_S)
            if game.on.is_restless:
                self._advance(game)
            if not is_over and not self._goes_on:
                is_over = True
                self._remember(game)

    def _advance(self, game: _Game) -> None:
        """Do what is to be done by now."""
        if game is not self._game:
            return
        for deed in game.on.advance(_now(), int(time.time())):
            self._do(game, deed)
        is_home = self._is_at_home or game.on.line == game.me
        if game.relay is not None and not is_home and game.me not in game.lines:
            # What comes from elsewhere goes to one's own relay by this line, and back.
            self._dial(game, game.me)
        if self.poke is not None:
            self.poke()

    def _do(self, game: _Game, deed: Deed) -> None:
        _log.info("%s %s", type(deed).__name__, getattr(deed, "person", ""))
        match deed:
            case Dial(person):
                game.dials[person] = deed
                self._dial(game, person)
            case HangUp(person):
                self._hang_up(game, person)
            case Follow(person):
                self._hang_up(game, person)
                self._move(game)
            case Open():
                if game.relay is not None:
                    game.relay.announce(True)
                if game.on.line == game.me and not self._is_at_home:
                    self._hang_up(game, game.me)
                    self._move(game)
            case StepBack():
                if game.relay is not None:
                    game.relay.announce(False)
            case Tell(parcel):
                self._send(game, [parcel], NO_LINE)

    def _move(self, game: _Game) -> None:
        """Play on over another line, and say whose it is."""
        self._is_moving = True
        line = game.on.line
        if line is not None and line != HOST and game.names[line] != game.host:
            former, game.host = game.host, game.names[line]
            is_lost = self._channel is None and former
            code, names = ("carried_on", (former,)) if is_lost else ("hosts_now", ())
            self._play.note(Notice(code=code, name=game.host, values={"names": names}))
        if self._channel is not None:
            self._channel.abort()
        elif self._lost is not None:
            self._lost.hurry()

    # Lines besides that of play

    async def _call(self, game: _Game, person: int) -> tuple[Channel, bytes, bytes]:
        """Connect to a person's relay, with the table's secret and a key; raises ConnectError."""
        if person == game.me and game.relay is not None and game.relay.entry.table is not None:
            key = game.relay.entry.table.new_key_of(person)
            assert key is not None
            return game.relay.server.connect(), game.relay.entry.secret, key
        dial = game.dials.get(person)
        if dial is None or not dial.pin:
            with suppress(NotAdmittedError):
                return await game.caller.call(self._connect, game.table_secret)
            # By a door one comes to another certificate than the table's; there is the key.
            return await self._connect(), game.table_secret or b"", self._session.key or b""
        return await game.caller.call(any_of(dial.addresses, dial.pin))

    def _dial(self, game: _Game, person: int) -> None:
        self._spawn(game, self._stay_with(game, person))

    async def _stay_with(self, game: _Game, person: int) -> None:
        """Stay at the relay of a person, or at one's own, until either side hangs up."""
        try:
            async with asyncio.timeout(DIAL_S):
                channel, secret, key = await self._call(game, person)
        except (ConnectError, TimeoutError):
            game.on.failed(person)
            self._advance(game)
            return
        line = game.lines[person] = Connection(channel)
        name = game.names[game.me]
        hello = Hello(protocol=PROTOCOL, program=PROGRAM, name=name, key=key, secret=secret)
        try:
            for message in (
                hello,
                Carry(allowed=self._home.is_allowed),
                *_messages(game.on.parcels()),
            ):
                await line.send(message)
            if person != game.me:
                game.unreached.add(person)
                self._spawn(game, self._reach_in_time(game, person))
            async for told in line:
                self._hear(game, person, told)
        except (ProtocolError, ChannelClosedError):
            pass
        finally:
            await line.close()
            if game.lines.get(person) is line:
                del game.lines[person]
                if person != game.me:
                    self._reach(game, person)
                    game.on.lost(person, _now())
                self._advance(game)

    async def _reach_in_time(self, game: _Game, person: int) -> None:
        """Have somebody count as reached who does not tell where they can be called."""
        await asyncio.sleep(DIAL_S / 2)
        self._reach(game, person)
        self._advance(game)

    def _reach(self, game: _Game, person: int) -> None:
        if person in game.unreached:
            game.unreached.discard(person)
            game.on.reached(person, _now())

    def _hear(self, game: _Game, person: int, message: Told) -> None:
        """Take in what comes over a line besides that of play."""
        match message:
            case Sealed():
                parcels = self._pass_on(game, person, message)
                if parcels:
                    self._heard.append(Sealed(tuple(parcels)))
            case LogAt():
                self._heard.append(message)
            case Welcome() if person == HOST:
                self._session.key = message.key
            case Lobby() if person == game.me:
                self._see_guests(game, message)
        self._advance(game)

    def _pass_on(self, game: _Game, person: int | None, message: Sealed) -> list[Parcel]:
        """Pass on over all other lines what is news; return what is of the game itself.

        What tells where somebody can be called is for what decides. The person is None on the line
        of play.
        """
        parcels = [Parcel(*each) for each in message.parcels]
        told = [parcel for parcel in parcels if is_relay(parcel.body)]
        for parcel in told:
            with suppress(SealedError):
                if game.on.hear(parcel, int(time.time())):
                    self._send(game, [parcel], person)
                    self._remember(game)
                said = unpack(parcel.body)
                if isinstance(said, RelayBody) and said.person == person:
                    self._reach(game, person)
        parcels = [parcel for parcel in parcels if parcel not in told]
        news = [parcel for parcel in parcels if parcel not in game.passed_on]
        game.passed_on.update(news)
        self._send(game, news, person)
        return parcels

    def _send(self, game: _Game, parcels: list[Parcel], but: int | None) -> None:
        """Send parcels over all lines but one, None for that of play."""
        for message in _messages(parcels):
            for person, line in game.lines.items():
                if person != but:
                    self._spawn(game, line.send(message))
            if but is not None:
                self._sent.append(message)

    def _remember(self, game: _Game) -> None:
        """Keep where others can be called, for after a restart."""
        person = self._play.person
        if person is not None and self._lobby is not None:
            is_over = person.state in ("over", "frozen")
            evening = None if is_over else self._lobby.evening
            self._home.remember(person.public_key, game.on.parcels(), evening)

    def _hang_up(self, game: _Game, person: int) -> None:
        line = game.lines.pop(person, None)
        game.unreached.discard(person)
        if line is not None:
            self._spawn(game, line.close())

    def _see_guests(self, game: _Game, lobby: Lobby) -> None:
        """Take note of who is at one's own relay."""
        names = {seat.name for seat in lobby.seats if seat.present}
        there = {one for one, name in enumerate(game.names) if name in names} - {game.me}
        for person in there - game.guests:
            game.on.joined(person, _now())
        for person in game.guests - there:
            game.on.left(person)
        if there != game.guests:
            game.guests = there
            self._advance(game)

    def _spawn(self, game: _Game, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        game.tasks.add(task)
        task.add_done_callback(game.tasks.discard)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _messages(parcels: Iterable[Parcel]) -> list[ClientMessage]:
    return list(in_frames(parcels))
