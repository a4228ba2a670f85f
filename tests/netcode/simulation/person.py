"""Simulates persons who play at random with the real client."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Final, Literal, Protocol

from netcode.client.connection import ConnectError, Connection
from netcode.client.interpreted import Request
from netcode.client.interpreter import Interpreter
from netcode.client.reconnection import Connected, ConnectionLost, News, stay_connected
from netcode.client.session import Session
from netcode.protocol.fields import BeforeTable, Message, checked_struct
from netcode.protocol.messages import (
    Absent,
    Act,
    AddBot,
    AnswerWish,
    AskSeat,
    Chat,
    Goodbye,
    Here,
    Lobby,
    Pause,
    Refused,
    Remove,
    SeatInfo,
    SendAway,
    SetReady,
    Silence,
    Start,
    State,
    TableMessage,
    Welcome,
)
from netcode.protocol.table_settings import TableSettings
from netcode.transport.channel import Channel
from tests.netcode.simulation.clockwork import Clockwork, Process
from tests.netcode.simulation.host import SECRET
from tests.netcode.simulation.network import Network
from tests.netcode.simulation.witness import Witness
from tests.support.pretend import assert_event_keeps_secrets, assert_view_keeps_secrets
from tests.support.wings import modules

PATIENCE_S: Final = 5.0
"""Seconds until the host removes absent players, and a player tries again to act after a pause.

Also the maximum seconds until a host answers a request for a seat, or ends a pause.
"""

MOST_TRIES: Final = 5
"""Maximum tries with one name. After these, the host has noticed that an old connection is dead."""

ASK_AGAIN_S: Final = 3.0
"""Seconds before another try to join, so that the host can notice a dead connection."""


WELCOMING: Final = 0.8
"""The probability that the host gives a spectator the seat of a bot."""


@dataclass(frozen=True)
class Manners:
    """The habits of an evening's persons."""

    persons: int
    """Number of persons with a seat."""
    bots: int
    bot: str
    talkative: float = 0.0
    """The probability of chat after each step of the game."""
    votes: float = 1.0
    """The probability of each requested vote at a sealed table."""
    bossy: float = 0.0
    """The probability of a host's whim at each step, and of a decision about each absent player."""
    removed: set[str] = field(default_factory=set)
    """The families of players whom a host has sent away from a game, or has tried to send away."""


class MortalLine(Interpreter, Protocol):
    """The interpreter between host and session in a program that may be killed."""

    def close(self) -> None:
        """Close the files, as the system does for a killed program."""


class Person:
    """A person with a laptop: a program that may be killed, and a key on the disk."""

    def __init__(
        self,
        name: str,
        loop: Clockwork,
        network: Network,
        witness: Witness,
        rng: Random,
        manners: Manners,
        news: Callable[[], None],
        *,
        settings: TableSettings,
        opens: bool,
        watches: bool = False,
        wants_seat: bool = False,
        make_line: Callable[["Person"], MortalLine] | None = None,
    ) -> None:
        """Create a player or spectator; `news` is called after each message.

        A spectator who wants a seat asks for that of a bot. If `opens`, the person opens a table
        with these settings. At a sealed table `make_line` makes the interpreter of their program.
        """
        self.name = name
        self.process: Process | None = None
        self.session = Session()
        self.family: str | None = None
        """The person's family in the game, once it has begun."""
        self.watches = watches
        """True for a spectator, also if the game began without this person."""
        self._wants_seat = wants_seat
        self.acts: list[Act] = []
        self.hurry = rng.choice((0.02, 0.2, 1.0, 3.0))
        """Maximum seconds for thinking."""
        self.dies_at_welcome = 0.0
        """The probability that the program is killed before it stores the key of a Welcome."""
        self.secret = SECRET
        """The secret for joining: the host's at first, later that of the person's table."""
        self.lost_keys: list[bytes] = []
        """Keys that newer keys have replaced."""
        self.buried: list[Process] = []
        self.failure: Exception | None = None
        self._loop = loop
        self._network = network
        self._witness = witness
        self._rng = rng
        self._manners = manners
        self._news = news
        self._settings = settings
        self._opens = opens
        self._make_line = make_line
        self.line: MortalLine | None = None
        self._key: bytes | None = None
        self._connection: Connection | None = None
        self._is_welcome = False
        """True if the host has sent a Welcome on this connection."""
        self._refusals = 0
        """Number of refusals because of a taken name."""
        self._lines = count(1)

    def start(self) -> None:
        """Start the program with the data on the disk, unless it runs."""
        if self.process is not None:
            return
        process = Process(self.name, self._loop, self._rng.random() * 1e6)
        self.process = process
        self.line = None if self._make_line is None else self._make_line(self)
        self.session = Session(secret=self.secret)
        self.session.key = self._key
        process.start(self._run)

    def kill(self) -> None:
        process = self.process
        if process is None:
            return
        self.process = None
        process.kill()
        self.buried.append(process)
        if self.line is not None:
            # The system closes its files.
            self.line.close()
        self._connection = None
        for line in self._network.standing(self.name):
            if line.client.process is process:
                line.break_off(line.client)

    def begin_anew(self, after: float = 1.0) -> None:
        """Kill the program, and start it again after some seconds."""
        self.kill()
        self._loop.later(after, self.start)

    @property
    def has_seen_the_end(self) -> bool:
        """True if the screen shows the result."""
        view = self.session.view
        return view is not None and view.over

    async def _run(self) -> None:
        try:
            await self._stay()
        except ConnectError:
            # This was the first attempt; a player tries again.
            self.begin_anew()
        except Exception as error:
            self.failure = error
            self._news()

    async def _stay(self) -> None:
        process = self.process
        assert process is not None

        async def connect() -> Channel:
            end = await self._network.connect(self.name, process)
            end.sent = lambda frame: self._witness.client_sent(end.line, frame)
            return end

        def take(news: News) -> None:
            # The program may have been killed during this step.
            if process.alive:
                self._take(news)
                self._news()

        await stay_connected(
            connect,
            self.session,
            self._called(),
            take,
            spectator=self.watches,
            waits=True,
            rng=Random(self._rng.random()),
            interpreter=self.line,
        )

    def _take(self, news: News) -> None:
        match news:
            case Connected():
                self._connection = news.connection
                self._is_welcome = False
                # Once connected again, a person sends the chat that was impossible before.
                self._chat(5 * self._manners.talkative)
            case ConnectionLost():
                self._connection = None
                if self._rng.random() < 0.1:
                    news.hurry()
            case Welcome():
                if self._rng.random() < self.dies_at_welcome:
                    self.begin_anew()
                    return
                self._enter(news)
            case BeforeTable():
                self._choose(news)
            case Lobby():
                assert self._is_welcome
                self._look_round(news)
            case State():
                self._look(news)
            case Refused():
                self._bear(news)
            case Goodbye() if self.family is None:
                # The person tried too often, or came back just after the host had removed them.
                # A player starts a new program.
                self.begin_anew()
            case Goodbye() if self.family in self._manners.removed:
                # The host has just sent this person away, so they can only watch.
                self.family = None
                self.begin_anew()
            case Goodbye():
                raise AssertionError(f"{self.name} is sent away: {news.code}")
            case _:
                pass

    # Joining

    def _enter(self, welcome: Welcome) -> None:
        # The key of a spectator who sits down stays valid, because the Welcome may be lost.
        sits_down = self._wants_seat and welcome.family is not None
        if self._key is not None and self._key != welcome.key and not sits_down:
            self.lost_keys.append(self._key)
        self._key = welcome.key
        assert self.session.secret is not None
        self.secret = self.session.secret
        self._is_welcome = True
        if self.family in self._manners.removed:
            # The host sent this person away, and they came back as a newcomer.
            self.family = None
        if self.family is not None:
            assert welcome.family == self.family, "somebody has lost their seat"

    def _choose(self, message: BeforeTable) -> None:
        """Answer a message before the table: enter the evening's table, or ask again later."""
        (wing,) = [each for each in modules("simulation") if each.is_choice(message)]
        answer = wing.choose(
            message, self.session, self._settings, opens=self._opens, watches=self.watches
        )
        if answer is None:
            self._soon(ASK_AGAIN_S, self._greet, self._connection)
        else:
            self._send(answer)

    def _bear(self, refusal: Refused) -> None:
        """React to a refusal: answer again after a refused act, otherwise try again to join."""
        if refusal.number is not None:
            self._ponder()
        elif not self._is_welcome:
            if self.family in self._manners.removed:
                # A bot has the seat now, so this person can only watch.
                self.family = None
            if refusal.code == "game_under_way":
                assert self.family is None, "somebody has lost their seat"
                self.watches = True
            elif refusal.code == "no_such_table":
                # The table is gone: its host had not stored it, or nobody was there.
                self.secret, self._key, self.lost_keys = SECRET, None, []
                self.begin_anew()
                return
            elif refusal.code == "name_taken":
                self._refusals += 1
            self._soon(ASK_AGAIN_S, self._greet, self._connection)

    def _greet(self, connection: Connection) -> None:
        """Try again to join, if this connection still waits for a Welcome."""
        if connection is self._connection and not self._is_welcome:
            self._send(self.session.hello(self._called(), spectator=self.watches))

    def _called(self) -> str:
        """Return the person's name; another one if an old connection may still use the name."""
        disguise = self._refusals // MOST_TRIES
        return f"{self.name} {disguise}" if disguise else self.name

    # At the table

    def _look_round(self, lobby: Lobby) -> None:
        mine = next((seat for seat in lobby.seats if seat.family == lobby.you), None)
        if mine is None:
            self._wish(lobby)
            return
        for wish in lobby.wishes if mine.host else ():
            granted = self._rng.random() < WELCOMING
            answer = AnswerWish(name=wish.name, family=wish.family, granted=granted)
            self._soon(self._rng.random() * PATIENCE_S, self._send, answer)
        if lobby.phase == "lobby":
            self._prepare(lobby, mine)
        elif lobby.phase == "playing":
            if mine.away == "bot":
                self._send(Here())
            if mine.host and lobby.paused:
                self._soon(self._rng.random() * PATIENCE_S, self._send, Pause(paused=False))
            if mine.host:
                self._decide_about_absent(lobby)

    def _wish(self, lobby: Lobby) -> None:
        """During a game, ask for a bot's seat, except one whose player was sent away."""
        removed = self._manners.removed
        bots = [each for each in lobby.seats if each.bot is not None and each.family not in removed]
        wishes_already = any(wish.name == self._called() for wish in lobby.wishes)
        if lobby.phase == "playing" and self._wants_seat and bots and not wishes_already:
            self._send(AskSeat(self._rng.choice(bots).family))

    def _prepare(self, lobby: Lobby, mine: SeatInfo) -> None:
        """Get ready, and start the game as the host once everybody is ready."""
        bots = [seat for seat in lobby.seats if seat.bot is not None]
        here = sum(seat.bot is None and seat.present for seat in lobby.seats)
        if not mine.host:
            if not mine.ready:
                self._send(SetReady(ready=True))
        elif len(bots) < self._manners.bots:
            self._send(AddBot(bot=self._manners.bot))
        elif len(bots) > self._manners.bots:
            self._send(Remove(family=bots[0].family))
        elif here == self._manners.persons and lobby.missing is None:
            self._send(Start(count_s=3 * (self._manners.persons % 2)))
        elif not all(seat.present for seat in lobby.seats):
            self._soon(PATIENCE_S, self._remove_absent)

    def _remove_absent(self) -> None:
        """Remove absent players in the lobby: their keys were lost with a first connection."""
        lobby = self.session.lobby
        if lobby is not None and lobby.phase == "lobby":
            for seat in lobby.seats:
                if not seat.present:
                    self._send(Remove(family=seat.family))

    def _decide_about_absent(self, lobby: Lobby) -> None:
        for seat in lobby.seats:
            if not seat.present and self._rng.random() < self._manners.bossy:
                choices: tuple[Literal["wait", "bot", "away"], ...] = "wait", "bot", "away"
                choice = self._rng.choice(choices)
                if choice == "away":
                    self._manners.removed.add(seat.family)
                    self._send(SendAway(name=seat.name))
                else:
                    self._send(Absent(family=seat.family, choice=choice))

    def _look(self, state: State) -> None:
        view = self.session.view
        assert view is not None
        if not view.over:
            assert_view_keeps_secrets(view, view.viewers)
            for event in state.events:
                assert_event_keeps_secrets(event, view.viewers)
        if self.family is None:
            self.family = state.you
        lobby = self.session.lobby
        if self.family is None and lobby is not None and self._rng.random() < 0.2:
            self._wish(lobby)
        assert state.you == self.family
        self._chat(self._manners.talkative)
        if self.session.is_host and self._rng.random() < self._manners.bossy:
            self._send(self._rng.choice(self._whims()))
        self._ponder()

    def _whims(self) -> tuple[TableMessage, ...]:
        """Return requests of a host during a game; none takes a seat from a player."""
        view_now = self.session.view
        family = "r" if view_now is None else view_now.families[view_now.turn]
        return (
            Pause(paused=True),
            Pause(paused=True),
            Silence(silenced=self._rng.random() < 0.5),
            checked_struct({"family": family, "choice": "bot"}, Absent),
        )

    def _ponder(self) -> None:
        """If the person must answer, choose an answer and send it a little later."""
        view = self.session.view
        if view is not None and view.legal and self.session.pending is None:
            pause = self._rng.random() * self.hurry
            self._soon(pause, self._act, self.session.revision)

    def _act(self, revision: int) -> None:
        session = self.session
        view = session.view
        if view is None or not view.legal or session.pending or session.revision != revision:
            return
        lobby = session.lobby
        if lobby is not None and lobby.paused:
            self._soon(PATIENCE_S, self._act, revision)
            return
        assert session.family is not None
        act = session.act(self._rng.choice(view.legal))
        self.acts.append(act)
        self._witness.acted(session.family, act)
        self._send(act)
        # At a sealed table the person's own program filters repeated messages.
        if self._rng.random() < 0.03 and self.line is None:
            self._send(act)

    def repeat(self) -> None:
        """Send an act that was sent before, perhaps by an earlier program of this person."""
        # Skip an act that was lost with an earlier program: its number is used again.
        acts = [act for act in self.acts if act.number <= self.session._acted]
        if acts and self.process is not None:
            latest = acts[-self._rng.choice((1, 3, 100)) :]
            self.process.call(self._send, self._rng.choice(latest))

    def _chat(self, likely: float) -> None:
        if self._rng.random() < likely:
            self._send(Chat(text=f"{self.name} says no. {next(self._lines)}"))

    def _soon(self, delay: float, function: Callable[..., None], *arguments: object) -> None:
        """Call a function after this many seconds, unless the program has ended."""
        asyncio.get_running_loop().call_later(delay, function, *arguments)

    def _send(self, message: Message) -> None:
        """Send a message; without a connection, drop it as the app does."""
        if self.line is not None:
            self.line.send(message)
        elif self._connection is not None and not isinstance(message, Request):
            self._connection.send(message)
