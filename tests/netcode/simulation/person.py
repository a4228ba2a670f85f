"""Persons and their programs: the real client, and somebody who plays by chance with it."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from random import Random

from netcode.client import Connected, Connection, Lost, stay_connected
from netcode.messages import (
    Act,
    AddBot,
    ClientMessage,
    Goodbye,
    HostMessage,
    Lobby,
    Refused,
    Remove,
    SetReady,
    Start,
    State,
    Welcome,
)
from netcode.reach import ConnectError
from netcode.session import Session
from netcode.wire import Wire
from tests.netcode.pretend import assert_event_keeps_secrets, assert_view_keeps_secrets
from tests.netcode.simulation.clockwork import Clockwork, Process
from tests.netcode.simulation.network import Network
from tests.netcode.simulation.witness import Witness

PATIENCE_S = 5.0
"""Of a host with those who are away from the lobby."""

ASK_AGAIN_S = 3.0
"""After a refusal at the door: by then a connection that has died may have been noticed."""


class Person:
    """Somebody with a laptop: a program that may be killed, and a key on the disk."""

    def __init__(
        self,
        name: str,
        loop: Clockwork,
        network: Network,
        witness: Witness,
        rng: Random,
        *,
        persons: int,
        bots: int,
        news: Callable[[], None],
    ) -> None:
        """Sit somebody down who waits for so many others, and for whom `news` is called."""
        self.name = name
        self.process: Process | None = None
        self.session = Session()
        self.family: str | None = None
        """Theirs for the game, once it has begun."""
        self.outside = False
        """Whether the game began without them; then they watch."""
        self.acts: list[Act] = []
        self.hurry = rng.choice((0.02, 0.2, 1.0))
        """Most seconds that they think."""
        self.dies_at_welcome = 0.0
        """How likely their program is killed before it has put by the key of a Welcome."""
        self.buried: list[Process] = []
        self.failure: BaseException | None = None
        self._loop = loop
        self._network = network
        self._witness = witness
        self._rng = rng
        self._persons = persons
        self._bots = bots
        self._news = news
        self._key: bytes | None = None
        self._connection: Connection | None = None
        self._welcome = False
        """Whether the host has taken them in on that connection."""

    def start(self) -> None:
        """Start the program, with what is on the disk."""
        process = Process(self.name, self._loop, self._rng.random() * 1e6)
        self.process = process
        self.session = Session()
        self.session.key = self._key
        process.start(self._run)

    def kill(self) -> None:
        """End the program, however far it has got."""
        process = self.process
        if process is None:
            return
        self.process = None
        process.kill()
        self.buried.append(process)
        self._connection = None
        for line in self._network.standing(self.name):
            if line.client.process is process:
                line.break_off(line.client)

    def _restart(self) -> None:
        self.kill()
        self._loop.later(1.0, self.start)

    @property
    def has_seen_the_end(self) -> bool:
        """Whether their screen shows the result."""
        view = self.session.view
        return view is not None and view.over

    async def _run(self) -> None:
        try:
            await self._stay()
        except ConnectError:
            # At the first attempt; somebody who wants to play tries again.
            self._restart()
        except Exception as error:
            self.failure = error
            self._news()

    async def _stay(self) -> None:
        process = self.process
        assert process is not None

        async def connect() -> Wire:
            end = await self._network.connect(self.name, process)
            end.sent = lambda frame: self._witness.said(end.line, frame)
            return end

        stay = stay_connected(
            connect, self.session, self.name, spectator=self.outside, rng=Random(self._rng.random())
        )
        async with aclosing(stay) as news:
            async for each in news:
                self._take(each)
                self._news()

    def _take(self, news: HostMessage | Connected | Lost) -> None:
        match news:
            case Connected():
                self._connection = news.connection
                self._welcome = False
            case Lost():
                self._connection = None
                if self._rng.random() < 0.1:
                    news.hurry()
            case Welcome():
                if self._rng.random() < self.dies_at_welcome:
                    self._restart()
                    return
                self._key = news.key
                self._welcome = True
                if self.family is not None:
                    assert news.family == self.family, "somebody has lost their seat"
            case Lobby():
                self._prepare(news)
            case State():
                self._look(news)
            case Refused():
                self._bear(news)
            case Goodbye() if self.family is None:
                # Tried too often to come in, or back just when the host had removed them;
                # somebody who wants to play begins anew.
                self._restart()
            case Goodbye():
                raise AssertionError(f"{self.name} is sent away: {news.code}")
            case _:
                pass

    def _prepare(self, lobby: Lobby) -> None:
        if lobby.phase != "lobby" or lobby.you is None:
            return
        mine = next(seat for seat in lobby.seats if seat.family == lobby.you)
        bots = sum(seat.bot is not None for seat in lobby.seats)
        here = sum(seat.bot is None and seat.present for seat in lobby.seats)
        if not mine.ready and not mine.host:
            self._say(SetReady(ready=True))
        elif mine.host and bots < self._bots:
            self._say(AddBot(bot="random"))
        elif mine.host and bots > self._bots:
            surplus = next(seat for seat in lobby.seats if seat.bot is not None)
            self._say(Remove(family=surplus.family))
        elif mine.host and here == self._persons and lobby.missing is None:
            self._say(Start())
        elif mine.host and not all(seat.present for seat in lobby.seats):
            asyncio.get_running_loop().call_later(PATIENCE_S, self._remove_absent)

    def _look(self, state: State) -> None:
        view = self.session.view
        assert view is not None
        if not view.over:
            assert_view_keeps_secrets(view, view.viewer)
            for event in state.events:
                assert_event_keeps_secrets(event, view.viewer)
        if self.family is None:
            self.family = state.you
        assert state.you == self.family
        self._ponder()

    def _ponder(self) -> None:
        """Think of an answer if one is asked, and give it a little later."""
        view = self.session.view
        if view is not None and view.legal and self.session.pending is None:
            pause = self._rng.random() * self.hurry
            loop = asyncio.get_running_loop()
            loop.call_later(pause, self._act, self.session, self.session.revision)

    def _act(self, session: Session, revision: int) -> None:
        view = session.view
        if view is None or not view.legal or session.pending or session.revision != revision:
            return
        assert session.family is not None
        act = session.act(self._rng.choice(view.legal))
        self.acts.append(act)
        self._witness.acted(session.family, act)
        self._say(act)
        if self._rng.random() < 0.03:
            self._say(act)

    def repeat(self) -> None:
        """Send something again that was sent before, perhaps by an earlier program."""
        if self.acts and self.process is not None:
            self.process.call(self._say, self._rng.choice(self.acts))

    def _bear(self, refusal: Refused) -> None:
        loop = asyncio.get_running_loop()
        if refusal.number is not None:
            self._ponder()
        elif not self._welcome:
            if refusal.code == "game_under_way":
                assert self.family is None, "somebody has lost their seat"
                self.outside = True
            loop.call_later(ASK_AGAIN_S, self._greet, self._connection)

    def _greet(self, connection: Connection) -> None:
        """Try again to come in."""
        if connection is self._connection and not self._welcome:
            self._say(self.session.hello(self.name, self.outside))

    def _remove_absent(self) -> None:
        """Do without those who lost their connection before they were told the key to their seat."""
        lobby = self.session.lobby
        if lobby is not None and lobby.phase == "lobby":
            for seat in lobby.seats:
                if not seat.present:
                    self._say(Remove(family=seat.family))

    def _say(self, message: ClientMessage) -> None:
        """Send a message as the app does: while the line is down it is lost."""
        if self._connection is not None:
            asyncio.get_running_loop().create_task(self._connection.send(message))
