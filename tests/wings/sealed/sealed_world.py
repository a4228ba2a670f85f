"""A sealed table in one process: the real table, everybody's own program and session, no sockets.

What is said and told waits until `flow` delivers it, so a test may hold it up, lose it, or change
it; time passes only in `wait`. What the table and each person keep brings them back.
"""

import sqlite3
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, cast

from msgspec.structs import replace

from engine.actions import Action
from netcode.client.session import Session
from netcode.protocol.fields import Message
from netcode.protocol.messages import AddBot, Goodbye, Lobby, Refused, SetReady, Start, TableMessage
from netcode.protocol.table_settings import TableSettings
from netcode.storage.database import make_schema
from netcode.storage.table_locks import TableLocks
from netcode.table.effects import Close, Effect, Keep, Send, Strike
from netcode.table.snapshot import Location, Opened, Snapshot
from netcode.table.table import Table
from netcode.wings.sealed.game.game_log import SealedLog
from netcode.wings.sealed.game.parcels import Parcel, in_frames
from netcode.wings.sealed.game.sealed_person import PersonSecrets, SealedPerson
from netcode.wings.sealed.messages import MAX_CLIENT_PARCELS, LogAt, Sealed
from netcode.wings.sealed.news import LeaveBe, SealedNews, VoteMissing, sealed_news
from netcode.wings.sealed.sealed_game import SealedGame
from netcode.wings.sealed.sealed_play import SealedPlay
from netcode.wings.sealed.stored_logs import StoredLogs

NAMES = ("Ada", "Bob", "Cem", "Dora", "Eve")
BEGAN = 1_800_000_000
OPENED = Opened(bytes(range(12)), "H7KDPX2A", Location(port=4000))
SEALED = TableSettings(first="r", pace_ms=0, sealed=True)


def sealed_game(table: Table) -> SealedGame | None:
    """Return the sealed game of a table."""
    return table.games.play if isinstance(table.games.play, SealedGame) else None


class Locks(TableLocks):
    """Locks of which nobody else knows."""

    def __init__(self) -> None:
        self.locked: set[int] = set()

    def holds(self, number: int) -> bool:
        return number in self.locked

    def take(self, number: int) -> bool:
        self.locked.add(number)
        return True

    def give_up(self, number: int) -> None:
        self.locked.discard(number)


class Disk(StoredLogs):
    """The own logs of one person, which outlive their program."""

    def __init__(self) -> None:
        database = sqlite3.connect(":memory:", isolation_level=None)
        make_schema(database, Path("disk"))
        self._locks = Locks()
        vars(self).update(database=database, locks=self._locks)

    def close(self) -> None:
        self._locks.locked.clear()

    @property
    def records(self) -> list[bytes]:
        return [record for (record,) in self.database.execute("SELECT record FROM sealed_records")]

    def forget_after(self, records: int) -> None:
        """Lose all but the first records."""
        self.database.execute("DELETE FROM sealed_records WHERE id > ?", (records,))


class Someone:
    """A person or spectator: a session, and the program between it and the host."""

    def __init__(self, world: "SealedWorld", name: str, seat: int | None) -> None:
        self.world, self.name, self.seat = world, name, seat
        """`seat` is where one has sat down, None for spectators."""
        self.down: deque[Message] = deque()
        self.heard: list[Message] = []
        """All that the host has told, in order."""
        self.said: list[Message] = []
        self.connection: int | None = None
        self.is_blind = False
        """Whether no session looks on: none could show what a cheater has."""
        self.disk = Disk()
        self._starts = 0
        self._begin()

    def _begin(self) -> None:
        self._starts += 1
        rng = Random(f"{self.world.seed} {self.name} {self._starts}")
        self.play = SealedPlay(self.disk, lambda: BEGAN + 3_600 + self.world.now, rng)
        self.session = Session()
        self.session.hello(self.name)

    # Coming and going

    @property
    def is_here(self) -> bool:
        return self.connection is not None

    def come(self) -> None:
        """Come to the table, or back."""
        self.connection = next(self.world.connections)
        if self.seat is None:
            # Who watches has nothing to come back to.
            self.session.key = None
        self.world.said.append((self, self.session.hello(self.name, self.seat is None)))

    def go(self) -> None:
        """Lose the line."""
        connection, self.connection = self.connection, None
        self.down.clear()
        if connection is not None:
            self.world.execute(self.world.table.disconnected(connection, self.world.now))

    def restart(self) -> None:
        """Begin anew with nothing but what is on disk."""
        key = self.session.key
        self.disk.close()
        self._begin()
        self.session.key = key
        self.down.clear()

    # What is told and said

    def hear(self, message: Message) -> None:
        self.heard.append(message)
        if isinstance(message, Goodbye):
            self.connection = None
        self.play.from_host(message, self.world.now)
        self.take()

    def say(self, message: Message) -> None:
        self.play.from_player(message)
        self.take()

    def take(self) -> None:
        """Do what is to be done by now."""
        said = self.play.tick(self.world.now)
        for message in () if self.is_blind else said.messages:
            self.session.receive(message)
        for each in said.sent:
            self.tell(each)

    def tell(self, message: Message) -> None:
        """Tell the host something, whatever one's own program thinks of it."""
        self.said.append(message)
        if self.connection is not None:
            self.world.said.append((self, message))

    def send(self, parcels: Iterable[Parcel]) -> None:
        """Send parcels that one's own program might not, as many at once as may be."""
        for message in in_frames(parcels, MAX_CLIENT_PARCELS):
            self.tell(message)

    def cheat(self, *parcels: Parcel) -> None:
        """Have the host take what one's own program would not send, and all hear what it says."""
        for each in parcels:
            self.world.hear(self, Sealed((each,)))
        self.world.flow()

    def compare(self) -> None:
        self.tell(LogAt(gid=self.log.sealing.gid, n=self.log.height, tip=self.log.tip))

    def answer(self) -> bool:
        """Answer if one is asked, or have one's bot do so; return whether one was."""
        play, view = self.play, self.session.view
        if self.is_blind:
            return self._answer_blindly()
        news = sealed_news(self.session)
        if news is not None and news.is_vote_wanted:
            about = news.vote_about
            self.say(VoteMissing())
            if self.world.lets_be and about is not None:
                self.say(LeaveBe(about, True))
            return True
        if play.think is not None:
            action: Action = self.world.rng.choice(play.think.view.legal)
            play.from_bot(play.think, action)
            self.take()
            return True
        if view is None or not view.legal or self.session.pending is not None:
            return False
        if self.world.paused:
            return False
        self.say(self.session.act(self.world.rng.choice(view.legal)))
        return True

    def _answer_blindly(self) -> bool:
        person = self.play.person
        log = None if person is None else person.log
        due = None if log is None else log.due
        if person is None or log is None or due is None:
            return False
        if due.opening is not None or due.seat not in self.own.seats or not person.is_compared:
            return False
        person.answer(due.seat, self.world.rng.choice(log.game.legal))
        self.take()
        return True

    # What one knows

    @property
    def person(self) -> SealedPerson:
        assert self.play.person is not None
        return self.play.person

    @property
    def log(self) -> SealedLog:
        assert self.person.log is not None
        return self.person.log

    @property
    def height(self) -> int:
        """How many steps one's log has; -1 before all is dealt."""
        log = None if self.play.person is None else self.play.person.log
        return -1 if log is None else log.height

    @property
    def own(self) -> PersonSecrets:
        """What a cheater signs with."""
        assert self.person._secrets is not None
        return self.person._secrets

    @property
    def lobby(self) -> Lobby:
        assert self.session.lobby is not None
        return self.session.lobby

    @property
    def news(self) -> SealedNews:
        news = sealed_news(self.session)
        assert news is not None
        return news

    @property
    def codes(self) -> list[tuple[str, str]]:
        """All that one was told of the game, and of whom."""
        return [(notice.code, notice.name) for notice in self.news.notices]

    @property
    def refusals(self) -> list[str]:
        """What the host has refused, by the check that a parcel fails."""
        refused = [each for each in (*self.heard, *self.down) if isinstance(each, Refused)]
        return [str(each.values.get("check", each.code)) for each in refused]

    @property
    def parcels(self) -> list[Parcel]:
        """All parcels that were heard."""
        sealed_messages = [each for each in self.heard if isinstance(each, Sealed)]
        return [Parcel(*each) for message in sealed_messages for each in message.parcels]

    @property
    def legal(self) -> tuple[Action, ...]:
        return () if self.session.view is None else self.session.view.legal

    @property
    def is_over(self) -> bool:
        return self.is_blind or (self.session.view is not None and self.session.view.over)


class SealedWorld:
    """A sealed table and all who are there, who answer at random."""

    def __init__(
        self,
        names: Sequence[str] = NAMES[:3],
        seed: int = 1,
        *,
        bots: int = 0,
        watchers: int = 0,
        settings: TableSettings = SEALED,
        someone: type[Someone] = Someone,
        **changes: object,
    ) -> None:
        self.seed, self.rng, self.now = seed, Random(seed), 100.0
        self.connections = count(1)
        self.said: deque[tuple[Someone, Message]] = deque()
        """What the host has not heard yet."""
        self.kept: list[Keep] = []
        self.strikes = Counter[int]()
        """How often something without sense came from each connection."""
        self.silent_one: Someone | None = None
        """Who hears nothing for now."""
        self.lose: Callable[[Someone, Parcel], bool] = lambda whose, parcel: False
        """Which parcels of whom the host never gets."""
        self.twist: Callable[[Someone, Message], Message] = lambda whose, message: message
        """What a host that lies tells somebody in the place of a message."""
        self.colludes = False
        """Whether the host passes on what it should refuse."""
        self.lets_be = True
        """Whether who votes about somebody does so at once from then on."""
        # The table must not be able to reach those who play.
        keys, clock = Random(seed), [BEGAN]
        self.new_key, self.unix_s = partial(keys.randbytes, 32), clock
        self.table = Table(
            Random(seed),
            self.new_key,
            settings=replace(settings, **changes),
            unix_time=lambda: clock[0],
        )
        self.everybody: list[Someone] = []
        self.execute(self.table.open(OPENED))
        self.people = [someone(self, name, seat) for seat, name in enumerate(names)]
        self.watchers = [Someone(self, f"w{each}", None) for each in range(watchers)]
        self.everybody = [*self.people, *self.watchers]
        for each in self.everybody:
            each.come()
            self.flow()
        for _ in range(bots):
            self.people[0].say(AddBot(bot="steady"))
        self.flow()

    # What the host knows

    @property
    def game(self) -> SealedGame:
        """The game, as the host has it."""
        game = sealed_game(self.table)
        assert game is not None
        return game

    @property
    def log(self) -> SealedLog:
        """The log of the game, as the host has it."""
        assert self.game.log is not None
        return self.game.log

    @property
    def height(self) -> int:
        """How many steps there are."""
        return self.log.height

    @property
    def phase(self) -> str:
        return self.table.games.phase

    @property
    def paused(self) -> bool:
        return self.table.games.paused

    @property
    def snapshot(self) -> Snapshot:
        """What was to be kept last."""
        kept = self.kept[-1].snapshot
        assert kept is not None
        return kept

    @property
    def parcels(self) -> list[Parcel]:
        """What is kept of the game."""
        return [Parcel(*each) for each in self.snapshot.game.pieces]

    def owner(self, seat: int) -> Someone:
        """Return whose program answers for a seat."""
        return self.people[self.game.sealing.owners[seat]]

    def others(self, one: Someone) -> list[Someone]:
        """Return all who play but for somebody."""
        return [each for each in self.people if each is not one]

    @property
    def deciding(self) -> Someone:
        """Whose answer, or opening, is due."""
        assert self.log.due is not None
        return self.owner(self.log.due.seat)

    # What happens

    def begin(self) -> None:
        """Have everybody come who is away and get ready, and begin."""
        for one in self.everybody:
            if not one.is_here:
                one.come()
        self.flow()
        for one in self.people[1:]:
            one.say(SetReady(True))
        self.flow()
        self.people[0].say(Start())

    def seal(self) -> None:
        """Begin, and have all that follows by itself done."""
        self.begin()
        self.flow()

    def flow(self, until: Callable[[], bool] = lambda: False) -> None:
        """Deliver what is on its way, until nothing is."""
        for _ in range(20_000):
            if until() or not self._deliver():
                return
        raise AssertionError("they never stop talking")

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Have everybody answer at random until something is so, or nobody is asked; no time."""
        for _ in range(20_000):
            if until() or not (self._deliver() or self._answer()):
                return
        raise AssertionError("they never stop talking")

    def play(self, until: Callable[[], bool] = lambda: False) -> None:
        """Have everybody answer at random until something is so, or the game is over for all."""
        for _ in range(4_000):
            self.run(until)
            if until() or all(one.is_over for one in self.everybody if one.is_here):
                return
            self.wait()
        raise AssertionError("the evening is stuck")

    def play_to(self, height: int) -> None:
        """Play until the host has so many steps, of which all have heard."""
        self.play(lambda: self.game.log is not None and self.height >= height)
        self.flow()

    def _deliver(self) -> bool:
        if self.said:
            self.hear(*self.said.popleft())
            return True
        for one in self.everybody:
            if one.down and one is not self.silent_one:
                one.hear(one.down.popleft())
                return True
        return False

    def _answer(self) -> bool:
        there = [one for one in self.people if one.is_here and one is not self.silent_one]
        return any(one.answer() for one in there)

    def wait(self, seconds: float = 1.0) -> None:
        """Let time pass."""
        self.now += seconds
        self.execute(self.table.alarm(self.now))
        for one in self.everybody:
            wake_at = one.play.wake_at if one.is_here and one is not self.silent_one else None
            if wake_at is not None and wake_at <= self.now:
                one.take()
        self.flow()

    def hold(self, one: Someone, until: Callable[[SealedLog, int], bool]) -> None:
        """Play until something is so, of which somebody does not hear yet."""
        self.play(lambda: self.game.log is not None and until(self.log, one.seat or 0))
        self.silent_one = one

    def release(self) -> None:
        """Have whoever heard nothing hear all of it at once."""
        one, self.silent_one = self.silent_one, None
        assert one is not None
        one.go()
        one.come()
        self.flow()

    def hear(self, one: Someone, message: Message) -> None:
        """Have the host take in what somebody says."""
        if isinstance(message, Sealed):
            parcels = [each for each in message.parcels if not self.lose(one, Parcel(*each))]
            if not parcels:
                return
            message = Sealed(tuple(parcels))
            for other in self.everybody if self.colludes else ():
                if other is not one:
                    other.down.append(message)
        if one.connection is not None:
            self.execute(self.table.receive(one.connection, cast(TableMessage, message), self.now))

    def execute(self, effects: list[Effect]) -> None:
        """Do what the table wants done."""
        for effect in effects:
            if isinstance(effect, Keep):
                self.kept.append(effect)
            elif isinstance(effect, Strike):
                self.strikes[effect.connection] += 1
            elif isinstance(effect, Send | Close):
                for one in self.everybody:
                    if one.connection == effect.connection and isinstance(effect, Send):
                        one.down.append(self.twist(one, effect.message))

    def restart(self) -> None:
        """Have the host crash and come back from what it kept, and everybody come again."""
        self.said.clear()
        clock = self.unix_s
        self.table = Table.restore(
            self.snapshot, self.rng, self.new_key, unix_time=lambda: clock[0]
        )
        there = [one for one in self.everybody if one.is_here]
        for one in there:
            one.connection = None
            one.down.clear()
        for one in there:
            one.come()
            self.flow()


def dealt(names: Sequence[str] = NAMES[:3], seed: int = 1, **options: Any) -> SealedWorld:
    """Return a table at which a game has begun."""
    world = SealedWorld(names, seed, **options)
    world.seal()
    return world
