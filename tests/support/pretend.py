"""A pretend network: a real table and real sessions, without sockets or a clock.

Every message passes through the codec both ways, so each test of the table also tests frames. Time
passes only when a test calls `wait`; bots and alarms are due only then.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import count
from math import inf
from random import Random
from typing import Any

from engine.actions import ACTIONS, Action
from engine.cards import CARDS
from engine.events import Event, Left, Moved, Placed, Uncovered
from engine.position import cards_in
from engine.views import View
from netcode.client.session import Session
from netcode.limits import MAXIMUM_STRIKES
from netcode.protocol.codec import decode_client, decode_host, encode
from netcode.protocol.fields import SECRET_BYTES, Message
from netcode.protocol.messages import (
    PROTOCOL,
    Act,
    Goodbye,
    Hello,
    Lobby,
    Refused,
    SetReady,
    Start,
    State,
)
from netcode.protocol.table_settings import TableSettings
from netcode.table.effects import Alarm, Close, Effect, Keep, Reinvite, Send, Strike, Think
from netcode.table.games import REMATCH_COUNT_S
from netcode.table.snapshot import Snapshot, TableAccess
from netcode.table.table import Table

OWNER_KEY = bytes(range(32))

CODE = "K7QF2MXR"

HAND, ASIDE = CARDS[:7], CARDS[7:]
"""Everybody's hand in tests that name cards: A S P H F L X, with D M C set aside."""


def kind_of(message: Message) -> str:
    return str(message.__struct_config__.tag)


class FixedDeals(Random):
    """A random generator that returns the test's splits into hand and cards set aside, in order."""

    def __init__(self, splits: Sequence[tuple[str, str]]) -> None:
        super().__init__(0)
        self._splits = list(splits)

    def choice(self, options: Any) -> Any:
        split = self._splits.pop(0)
        assert split in options
        return split


def snapshot_of(table: Table) -> Snapshot:
    """Return a table's complete state for storing."""
    return Snapshot(table._kept_table(), table.games.kept())


class Network:
    """A table and its connections."""

    def __init__(
        self,
        rng: Random | None = None,
        *,
        owner_key: bytes | None = None,
        opener: int | None = None,
        settings: TableSettings | None = None,
    ) -> None:
        self.now = 1000.0
        keys = count(1)
        self._rng = rng or Random(1)
        self._fresh_key = lambda: next(keys).to_bytes(32, "big")
        self.table = Table(
            self._rng,
            self._fresh_key,
            owner_key=owner_key,
            opener=opener,
            settings=settings,
            unix_time=self.unix_time,
        )
        self.guests: dict[int, Participant] = {}
        self.thoughts: list[tuple[float, Think]] = []
        """The open questions to bots, each with the time at which the bot answers."""
        self.kept: list[Keep] = []
        """The states that the table has stored, in order."""
        self.alarms: list[float] = []
        """The requested alarm times."""
        self.choose: Callable[[Think], Action] = lambda think: think.view.legal[0]
        """Chooses the answers of bots."""
        self.strikes = Counter[int]()
        """Number of invalid messages on each connection."""
        self.invitations = 0
        self._connections = count(1)

    @property
    def secret(self) -> bytes:
        """The secret of the latest invitation."""
        return bytes([self.invitations]) * SECRET_BYTES

    def unix_time(self) -> float:
        """Return the time, which is also the Unix time."""
        return self.now

    def connect(self, participant: "Participant") -> int:
        connection = next(self._connections)
        self.guests[connection] = participant
        return connection

    def send(self, connection: int, message: Message) -> None:
        frame = encode(message)
        assert decode_client(frame) == message
        network = self.guests[connection].whence
        self.execute(self.table.receive(connection, message, self.now, network))

    def cut(self, connection: int) -> None:
        """Lose a connection, and execute the table's effects."""
        self.guests.pop(connection, None)
        self.execute(self.table.disconnected(connection, self.now))

    def execute(self, effects: list[Effect]) -> None:
        kinds = [isinstance(effect, Keep) for effect in effects]
        assert kinds == sorted(kinds, reverse=True), "something is told before it is to be kept"
        for once in (Think, Alarm):
            assert sum(isinstance(effect, once) for effect in effects) <= 1
        for effect in effects:
            match effect:
                case Send(connection, message):
                    participant = self.guests.get(connection)
                    assert participant is not None, "something is sent to nobody"
                    frame = encode(message)
                    assert decode_host(frame) == message
                    participant.take(frame, message)
                case Close(connection):
                    self.guests[connection].cut_off = True
                    self.cut(connection)
                case Strike(connection):
                    self.strikes[connection] += 1
                    if self.strikes[connection] == MAXIMUM_STRIKES:
                        goodbye = Goodbye(code="too_many_bad_messages")
                        self.execute([Send(connection, goodbye), Close(connection)])
                case Think():
                    self.thoughts.append((self.now + effect.delay_s, effect))
                case Keep():
                    self.kept.append(effect)
                case Reinvite():
                    self.invitations += 1
                    self.execute(self.table.renew(TableAccess(self.secret, CODE), "by link"))
                case Alarm(delay_s):
                    self.alarms.append(self.now + delay_s)
        self.assert_all_know()

    def assert_all_know(self) -> None:
        """Assert that the lobby sent last and the stored state are current."""
        table, broadcast = self.table, self.table._broadcast
        assert broadcast._lobby in (None, broadcast.lobby())
        assert table._is_closed or table._kept in (None, snapshot_of(table))

    def wait(self, seconds: float) -> None:
        """Let time pass; bots answer and alarms fire when due."""
        end = self.now + seconds
        while (due := min([inf, *self.alarms, *(at for at, _ in self.thoughts)])) <= end:
            self.now = max(self.now, due)
            if due in self.alarms:
                self.alarms.remove(due)
                self.execute(self.table.alarm(self.now))
            else:
                thought = next(each for each in self.thoughts if each[0] == due)
                self.thoughts.remove(thought)
                self.think(thought[1])
        self.now = end

    def think(self, think: Think) -> None:
        """Answer a question to a bot now."""
        answer = self.choose(think)
        self.execute(self.table.answer(think.seat, think.revision, answer, self.now))

    def restart(self, owner_key: bytes | None = None) -> None:
        """End the host's program like a power cut, and restart it with the stored state."""
        kept = self.kept[-1].snapshot
        assert kept is not None
        self.thoughts.clear()
        self.alarms.clear()
        self.guests.clear()
        self.table = Table.restore(
            kept, self._rng, self._fresh_key, owner_key, unix_time=self.unix_time
        )


class Participant:
    """One person's program: a session, and a connection if there is one."""

    def __init__(
        self,
        network: Network,
        name: str,
        *,
        spectator: bool = False,
        key: bytes | None = None,
        greet: bool = True,
        whence: str = "",
    ) -> None:
        self.network = network
        self.whence = whence
        """The network of the person's address."""
        self.name = name
        self.spectator = spectator
        self.session = Session(key)
        self.received: list[Message] = []
        self.frames: list[tuple[float, bytes]] = []
        """All received frames, with their times."""
        self.acts: list[Act] = []
        self.cut_off = False
        self.connection = network.connect(self)
        if greet:
            self.greet()

    def greet(self) -> None:
        self.send(self.session.hello(self.name, spectator=self.spectator))

    def send(self, message: Message) -> list[Message]:
        """Send a message, and return the answers."""
        before = len(self.received)
        self.network.send(self.connection, message)
        return self.received[before:]

    def act(self, token: str) -> list[Message]:
        self.acts.append(self.session.act(ACTIONS[token]))
        return self.send(self.acts[-1])

    def act_somehow(self) -> list[Message]:
        """Play the first legal answer; return the host's messages."""
        return self.act(self.view().legal[0].token)

    def drop(self) -> None:
        self.network.cut(self.connection)

    def come_back(self) -> None:
        """Reconnect with the session's key."""
        self.connection = self.network.connect(self)
        self.cut_off = False
        self.greet()

    def take(self, frame: bytes, message: Message) -> None:
        self.frames.append((self.network.now, frame))
        self.received.append(message)
        self.session.receive(message)
        if isinstance(message, State):
            assert_keeps_secrets(message, self.view())

    def is_closed(self) -> bool:
        """Return True if the table has closed the connection."""
        return self.cut_off

    def phase(self) -> str:
        """Return the phase of the last received lobby."""
        return self.lobby().phase

    def lobby(self) -> Lobby:
        assert self.session.lobby is not None
        return self.session.lobby

    def view(self) -> View:
        assert self.session.view is not None
        return self.session.view

    @property
    def refusal(self) -> str | None:
        """The code of the last message if it was a refusal; otherwise None."""
        last = self.received[-1]
        return last.code if isinstance(last, Refused) else None

    @property
    def goodbye(self) -> str | None:
        """The code of the last message if it was a goodbye; otherwise None."""
        last = self.received[-1]
        return last.code if isinstance(last, Goodbye) else None


def seated(network: Network, names: str) -> list[Participant]:
    """Let persons with one-letter names join, and return them; the first is the host."""
    return [Participant(network, name) for name in names]


def playing(
    names: str = "abc",
    rng: Random | None = None,
    *,
    owner_key: bytes | None = None,
    **settings: Any,
) -> list[Participant]:
    """Return persons in a new game; the first is the host, and answers first."""
    network = Network(
        rng, owner_key=owner_key, settings=TableSettings(**{"first": "r", **settings})
    )
    guests = [Participant(network, names[0], key=owner_key), *seated(network, names[1:])]
    for participant in guests[1:]:
        participant.send(SetReady(ready=True))
    guests[0].send(Start())
    return guests


def rematch(guests: Sequence[Participant]) -> None:
    """Start another game for everybody at a result, with its countdown."""
    for participant in guests:
        participant.send(SetReady(ready=True))
    guests[0].network.wait(REMATCH_COUNT_S)


def known_game(families: int = 3, **settings: Any) -> list[Participant]:
    """Return persons in a game of known cards; later games have the same cards."""
    return playing("abcde"[:families], FixedDeals([(HAND, ASIDE)] * 8 * families), **settings)


def aways(participant: Participant) -> str:
    """Return the seats as `family:away`, in seat order; `away` is `no` for a present player."""
    return " ".join(f"{seat.family}:{seat.away}" for seat in participant.lobby().seats)


def names(participant: Participant) -> str:
    """Return the seats as `family:name`, in seat order, with a star for the host."""
    return " ".join(
        f"{seat.family}:{seat.name}{'*' if seat.host else ''}" for seat in participant.lobby().seats
    )


def tokens(participant: Participant) -> tuple[str, ...]:
    """Return the tokens of all actions in the game at a participant's table."""
    record = participant.network.table.record()
    assert record is not None
    return record.actions


def decider(guests: Sequence[Participant]) -> Participant | None:
    """Return the guest who must decide; None if no guest must."""
    return next((each for each in guests if each.session.view and each.session.view.legal), None)


def play_on(guests: Sequence[Participant], actions: int = 1000) -> None:
    """Play first legal answers, up to this number or until no guest must decide."""
    for _ in range(actions):
        participant = decider(guests)
        if participant is None:
            return
        participant.act_somehow()


def hello(name: str = "somebody", **fields: Any) -> Hello:
    return Hello(**{"protocol": PROTOCOL, "program": "test", "name": name, **fields})


def assert_keeps_secrets(state: State, view: View) -> None:
    """Assert that a State shows its receiver no hidden card."""
    if not view.over:
        own = tuple(view.seat_of(each) for each in (state.you, state.second) if each is not None)
        assert_view_keeps_secrets(view, own)
        for event in state.events:
            assert_event_keeps_secrets(event, own)


def assert_view_keeps_secrets(view: View, own: tuple[int, ...]) -> None:
    """Assert that a view of an unfinished game shows no hidden card of another player."""
    for seat in range(view.players):
        if seat not in own:
            assert set(view.hands[seat] + view.aside[seat]) == {"?"}
    for stack in view.queue:
        if stack[0] not in own:
            assert all(card == "?" or face_up for card, face_up, _ in cards_in(stack))


def assert_event_keeps_secrets(event: Event, own: tuple[int, ...]) -> None:
    match event:
        case Placed() | Left():
            assert event.seat in own or event.card == "?"
        case Moved():
            assert event.face_up or event.owner in own or event.card == "?"
        case Uncovered():
            assert event.face_up or event.seat in own or event.card == "?"
