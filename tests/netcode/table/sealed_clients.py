"""A sealed table with everybody's program, in one process: nothing is sent, and nobody waits."""

from collections import deque
from collections.abc import Callable, Iterable
from itertools import count, cycle
from random import Random
from typing import TypeVar

from msgspec.structs import replace

from netcode.protocol.messages import (
    MAXIMUM_SENT,
    PROTOCOL,
    AddBot,
    Goodbye,
    Hello,
    HostMessage,
    Lobby,
    LogAt,
    Refused,
    Sealed,
    SetReady,
    Start,
    TableMessage,
    TableSettings,
    Welcome,
)
from netcode.sealed.encoding import SealingBody, Seat, unpack
from netcode.sealed.log import SealedLog
from netcode.sealed.parcels import Parcel
from netcode.sealed.sealed_person import PersonNews, SealedPerson
from netcode.sealed.sealing import Expected
from netcode.sealed.votes import Situation
from netcode.table.effects import Effect, Keep, Send
from netcode.table.snapshot import Opened, Snapshot
from netcode.table.table import Table

BEGAN = 1_800_000_000
OPENED = Opened(bytes(range(12)), "H7KDPX2A", None, 4000)
SEALED = TableSettings(first="r", pace_ms=0, sealed=True)


_Entry = TypeVar("_Entry")


class Client:
    """Somebody's program at a sealed table: it does what is due at once."""

    def __init__(
        self, evening: "SealedEvening", name: str, rng: Random, *, spectator: bool
    ) -> None:
        self.evening = evening
        self.name = name
        self.spectator = spectator
        self.rng = rng
        self.connection: int | None = None
        self.key: bytes | None = None
        self.person = SealedPerson(None if spectator else rng)
        self.heard: list[HostMessage] = []
        self.lobby: Lobby
        self.stops: Callable[[SealedLog], bool] = lambda log: False
        """Whether nothing is done by oneself any more, when the log is so."""
        self.answered = b""
        """After which step the last answer was given."""
        self.news: list[PersonNews] = []
        self.counted: set[bytes] = set()
        self.before: SealedLog | None = None
        """The log of the game before."""

    @property
    def log(self) -> SealedLog:
        assert self.person.log is not None
        return self.person.log

    @property
    def refusals(self) -> list[str]:
        return [
            str(each.values.get("check", each.code))
            for each in self.heard
            if isinstance(each, Refused)
        ]

    def come(self) -> None:
        self.connection = next(self.evening.connections)
        hello = Hello(
            protocol=PROTOCOL,
            program="test",
            name=self.name,
            spectator=self.spectator,
            key=self.key,
        )
        self.say(hello)

    def go(self) -> None:
        """Lose the line."""
        assert self.connection is not None
        connection, self.connection = self.connection, None
        self.evening.carry_out(self.evening.table.disconnected(connection, self.evening.now))

    def say(self, message: TableMessage) -> None:
        assert self.connection is not None
        self.evening.said.append((self.connection, message))

    def send(self, parcels: Iterable[Parcel]) -> None:
        """Send parcels, as many at once as may be."""
        waiting = list(parcels)
        while waiting and self.connection is not None:
            self.say(Sealed(tuple((each.body, each.signature) for each in waiting[:MAXIMUM_SENT])))
            del waiting[:MAXIMUM_SENT]

    def new_key(self) -> bytes:
        if self.person.counted is not None and self.person.log is None:
            self.counted.add(self.person.counted)
        if self.person.log is not None:
            self.counted.clear()
            self.before = self.person.log
        self.person = SealedPerson(self.rng)
        self.person.get_ready()
        return self.person.public_key

    def hear(self, message: HostMessage) -> None:
        self.heard.append(message)
        if isinstance(message, Welcome):
            self.key = message.key
        if isinstance(message, Lobby):
            self.lobby = message
        if isinstance(message, Goodbye):
            self.connection = None
        if isinstance(message, Sealed):
            expected = None if self.spectator or self.person.state != "keyed" else self.expected()
            parcels = [Parcel(*each) for each in message.parcels]
            if self.spectator and isinstance(unpack(parcels[0].body), SealingBody):
                self.person = SealedPerson(None)
            was_sealed = self.person.state == "sealed"
            self.take(parcels, expected)
            if was_sealed and isinstance(unpack(parcels[0].body), SealingBody):
                self.send(self.person.resend().send)
        if isinstance(message, LogAt) and message.person is None and self.person.log is not None:
            self.send(self.person.log_at(message.n, message.tip).send)
        self.advance()

    def take(self, parcels: list[Parcel], expected: Expected | None) -> None:
        output = self.person.receive(parcels, expected)
        self.news += output.news
        self.send(output.send)
        if output.compare:
            self.compare()

    def compare(self) -> None:
        log = self.log
        self.say(LogAt(gid=log.sealing.gid, n=log.height, tip=log.tip))

    def expected(self) -> Expected:
        lobby = self.lobby
        families = [each.family for each in lobby.seats]
        families += [each.second for each in lobby.seats if each.second is not None]
        seats = list(zip(families, cycle(lobby.seats)))
        own = lobby.own_seat
        assert own is not None
        first = families.index(lobby.settings.first) if lobby.settings.first in families else None
        if self.before is not None and not self.evening.from_lobby:
            first = (self.before.dealing.deal.first + 1) % len(families)
        return Expected(
            key=self.person.public_key,
            own=tuple(
                place
                for place, (_, each) in enumerate(seats)
                if each is own or (each.bot is not None and own.host)
            ),
            table=self.evening.table_id or bytes(16),
            seats=tuple(Seat(family, each.name, each.bot) for family, each in seats),
            settings=lobby.settings,
            host=next((i for i, (_, each) in enumerate(seats) if each.host), 0),
            first=first,
            counted=frozenset(self.counted),
        )

    def advance(self, waited_s: float = 0.0, agreeing: Iterable[int] = ()) -> None:
        """Sign what is due, with random answers."""
        person = self.person
        if self.connection is None or self.spectator or person.log is None:
            return
        if self.stops(person.log):
            return
        due, secrets = person.log.due, person._secrets
        assert secrets is not None
        connected = {
            person.log.sealing.owners[place]
            for place, (_, each) in enumerate(
                zip(person.log.sealing.said.seats, cycle(self.lobby.seats), strict=False)
            )
            if each.present
        }
        now = Situation(waited_s=waited_s, agreeing=set(agreeing), connected=connected)
        self.send(person.advance(now, BEGAN + 600).send)
        due = person.log.due
        if (
            due is not None
            and due.opening is None
            and due.seat in secrets.seats
            and person.is_compared
            and not person.log.frozen
            and self.answered != person.log.tip
            and not self.evening.table._games.paused
        ):
            self.answered = person.log.tip
            token = self.rng.choice(person.log.game.legal).token
            self.send(person.answer(due.seat, token).send)
            self.send(person.advance(now, BEGAN + 600).send)


class SealedEvening:
    """A sealed table and all who are there; what is kept of it brings it back."""

    def __init__(
        self,
        seed: int,
        names: str = "abc",
        settings: TableSettings = SEALED,
        *,
        bots: int = 0,
        watchers: str = "",
        client: Callable[..., Client] = Client,
    ) -> None:
        rng = Random(seed)
        self.rng = rng
        self.now = 0.0
        self.from_lobby = True
        """Whether the next game begins from the lobby."""
        self.connections = count(1)
        self.said: deque[tuple[int, TableMessage]] = deque()
        self.kept: list[Keep] = []
        keys = Random(seed)
        # The table must not be able to reach those who play.
        self._new_key = lambda: keys.randbytes(32)
        # In a list: the table must not be able to reach those who play by it.
        clock = self.unix_s = [BEGAN]
        self.table = Table(
            Random(seed), self._new_key, settings=settings, unix_time=lambda: clock[0]
        )
        self.clients: list[Client] = []
        self.watchers: list[Client] = []
        self.carry_out(self.table.open(OPENED))
        self.clients = [client(self, name, Random(rng.random()), spectator=False) for name in names]
        self.watchers = [
            Client(self, name, Random(rng.random()), spectator=True) for name in watchers
        ]
        for each in [*self.clients, *self.watchers]:
            each.come()
            self.run()
        for _ in range(bots):
            self.clients[0].say(AddBot(bot="steady"))
        self.run()

    @property
    def table_id(self) -> bytes:
        return self.table._games.sealings.table

    def begin(self) -> None:
        """Have everybody ready, and start."""
        self.from_lobby = self.table.phase == "lobby"
        for client in self.clients[1:]:
            client.say(SetReady(ready=True, game_key=client.new_key()))
        self.run()
        self.clients[0].say(Start(game_key=self.clients[0].new_key()))

    def play(self) -> None:
        """Play a game to its end."""
        self.begin()
        self.run()

    def run(self, until: Callable[[], bool] | None = None) -> None:
        """Do all that is said, or until something is so."""
        for _ in range(20_000):
            if not self.said or (until and until()):
                return
            connection, message = self.said.popleft()
            if self.client_of(connection) is not None:
                self.carry_out(self.table.receive(connection, message, self.now))
        raise AssertionError("they never stop talking")

    def wait(self, seconds: float) -> None:
        """Let time pass for all who are there, who agree on the log."""
        self.now += seconds
        self.carry_out(self.table.alarm(self.now))
        there = {each.person.me for each in self.clients if each.connection is not None}
        for client in self.clients:
            client.advance(seconds, {person for person in there if person is not None})
            if client.person.is_offered_vote:
                client.person.vote_missing()
                client.advance(seconds, {person for person in there if person is not None})
        self.run()

    def carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Keep):
                self.kept.append(effect)
            elif isinstance(effect, Send):
                client = self.client_of(effect.connection)
                if client is not None:
                    client.hear(effect.message)

    def client_of(self, connection: int) -> Client | None:
        everybody = [*self.clients, *self.watchers]
        return next((each for each in everybody if each.connection == connection), None)

    @property
    def snapshot(self) -> Snapshot:
        """What was to be kept last."""
        kept = self.kept[-1].snapshot
        assert kept is not None
        return kept

    @property
    def parcels(self) -> list[Parcel]:
        """What is kept of the game."""
        return [Parcel(*each) for each in self.snapshot.game.parcels]

    def restart(self) -> None:
        """Crash, come back from what was kept, and have everybody come again."""
        self.said.clear()
        clock = self.unix_s
        self.table = Table.restore(
            self.snapshot, self.rng, self._new_key, unix_time=lambda: clock[0]
        )
        for client in [*self.clients, *self.watchers]:
            if client.spectator:
                client.key = None
            client.come()
            self.run()


def sealed(**options: object) -> TableSettings:
    return replace(SEALED, **options)
