"""A sealed table in one process: the real table, with each person's program and session.

There are no sockets. Messages wait until `flow` delivers them, so a test may hold, lose or change
them. Time passes only in `wait`. After a restart the table and the programs read their stored data.
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
from netcode.table.snapshot import Location, Snapshot, TableAccess
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
OPENED = TableAccess(bytes(range(12)), "H7KDPX2A", Location(port=4000))
SEALED = TableSettings(first="r", pace_ms=0, sealed=True)


def sealed_game(table: Table) -> SealedGame | None:
    """Return the sealed game of a table; None if the table plays no sealed game."""
    return table.games.play if isinstance(table.games.play, SealedGame) else None


class Locks(TableLocks):
    """Locks in memory, which no other program can hold."""

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
    """The stored logs of one person, which outlive their program."""

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
        """Lose all records except the first ones."""
        self.database.execute("DELETE FROM sealed_records WHERE id > ?", (records,))


class Someone:
    """A person or spectator: a session, with the interpreter between session and host."""

    def __init__(self, world: "SealedWorld", name: str, seat: int | None) -> None:
        self.world, self.name, self.seat = world, name, seat
        """`seat` is the person's seat, None for spectators."""
        self.down: deque[Message] = deque()
        self.received: list[Message] = []
        """All messages of the host, in order."""
        self.sent: list[Message] = []
        self.connection: int | None = None
        self.is_blind = False
        """True if no session reads the messages: none could show a cheater's cards."""
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
        """Join the table, or return to it."""
        self.connection = next(self.world.connections)
        if self.seat is None:
            # A spectator has no seat to return to.
            self.session.key = None
        self.world.on_the_way.append(
            (self, self.session.hello(self.name, spectator=self.seat is None))
        )

    def go(self) -> None:
        """Lose the connection, and the messages on the way to the person."""
        connection, self.connection = self.connection, None
        self.down.clear()
        if connection is not None:
            self.world.execute(self.world.table.disconnected(connection, self.world.now))

    def restart(self) -> None:
        """Restart the person's programs with the data on disk."""
        key = self.session.key
        self.disk.close()
        self._begin()
        self.session.key = key
        self.down.clear()

    # Messages

    def receive(self, message: Message) -> None:
        self.received.append(message)
        if isinstance(message, Goodbye):
            self.connection = None
        self.play.from_host(message, self.world.now)
        self.take()

    def send_as_player(self, message: Message) -> None:
        self.play.from_player(message)
        self.take()

    def take(self) -> None:
        """Do all work that is due for the person."""
        said = self.play.tick(self.world.now)
        for message in () if self.is_blind else said.messages:
            self.session.receive(message)
        for each in said.sent:
            self.send_to_host(each)

    def send_to_host(self, message: Message) -> None:
        """Send a message, bypassing the person's own program."""
        self.sent.append(message)
        if self.connection is not None:
            self.world.on_the_way.append((self, message))

    def send(self, parcels: Iterable[Parcel]) -> None:
        """Send parcels that the person's program might refuse, many in one message."""
        for message in in_frames(parcels, MAX_CLIENT_PARCELS):
            self.send_to_host(message)

    def cheat(self, *parcels: Parcel) -> None:
        """Send forbidden parcels to the host, and deliver the host's answer to everybody."""
        for each in parcels:
            self.world.deliver(self, Sealed((each,)))
        self.world.flow()

    def compare(self) -> None:
        self.send_to_host(LogAt(gid=self.log.sealing.gid, n=self.log.height, tip=self.log.tip))

    def answer(self) -> bool:
        """Cast a vote or give an answer of the person or their bot; return True if one was due."""
        play, view = self.play, self.session.view
        if self.is_blind:
            return self._answer_blindly()
        news = sealed_news(self.session)
        if news is not None and news.is_vote_wanted:
            about = news.vote_about
            self.send_as_player(VoteMissing())
            if self.world.lets_be and about is not None:
                self.send_as_player(LeaveBe(about, True))
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
        self.send_as_player(self.session.act(self.world.rng.choice(view.legal)))
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

    # A person's knowledge

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
        """Number of steps in the person's log; -1 before the deal is complete."""
        log = None if self.play.person is None else self.play.person.log
        return -1 if log is None else log.height

    @property
    def own(self) -> PersonSecrets:
        """The person's secrets, including the key with which a cheater signs."""
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
        """All codes of notices about the game, with their persons."""
        return [(notice.code, notice.name) for notice in self.news.notices]

    @property
    def refusals(self) -> list[str]:
        """For each refusal of the host, the failed check of a parcel, or the refusal's code."""
        refused = [each for each in (*self.received, *self.down) if isinstance(each, Refused)]
        return [str(each.values.get("check", each.code)) for each in refused]

    @property
    def parcels(self) -> list[Parcel]:
        sealed_messages = [each for each in self.received if isinstance(each, Sealed)]
        return [Parcel(*each) for message in sealed_messages for each in message.parcels]

    @property
    def legal(self) -> tuple[Action, ...]:
        return () if self.session.view is None else self.session.view.legal

    @property
    def is_over(self) -> bool:
        return self.is_blind or (self.session.view is not None and self.session.view.over)


class SealedWorld:
    """A sealed table and all its persons, who answer at random."""

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
        self.on_the_way: deque[tuple[Someone, Message]] = deque()
        self.kept: list[Keep] = []
        self.strikes = Counter[int]()
        """Number of invalid messages on each connection."""
        self.silent_one: Someone | None = None
        """The person who receives nothing for now."""
        self.lose: Callable[[Someone, Parcel], bool] = lambda whose, parcel: False
        """Returns True for a parcel that must never reach the host."""
        self.twist: Callable[[Someone, Message], Message] = lambda whose, message: message
        """Replaces messages of a lying host."""
        self.colludes = False
        """True if the host forwards parcels that it should refuse."""
        self.lets_be = True
        """True if a person who has voted about a missing player then votes at once each time."""
        # The table must not refer to the persons, so that a dump of its memory leaves them out.
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
            self.people[0].send_as_player(AddBot(bot="steady"))
        self.flow()

    # The host's knowledge

    @property
    def game(self) -> SealedGame:
        """The game in the host's state."""
        game = sealed_game(self.table)
        assert game is not None
        return game

    @property
    def log(self) -> SealedLog:
        """The log in the host's state."""
        assert self.game.log is not None
        return self.game.log

    @property
    def height(self) -> int:
        """Number of steps in the host's log."""
        return self.log.height

    @property
    def phase(self) -> str:
        return self.table.games.phase

    @property
    def paused(self) -> bool:
        return self.table.games.paused

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot stored last."""
        kept = self.kept[-1].snapshot
        assert kept is not None
        return kept

    @property
    def parcels(self) -> list[Parcel]:
        """The stored parcels of the game."""
        return [Parcel(*each) for each in self.snapshot.game.pieces]

    def owner(self, seat: int) -> Someone:
        """Return the person whose program answers for a seat."""
        return self.people[self.game.sealing.owners[seat]]

    def others(self, one: Someone) -> list[Someone]:
        """Return all players except one."""
        return [each for each in self.people if each is not one]

    @property
    def deciding(self) -> Someone:
        """The person whose answer or opening is due."""
        assert self.log.due is not None
        return self.owner(self.log.due.seat)

    # Course of the game

    def begin(self) -> None:
        """Let everybody return and get ready, and start a game."""
        for one in self.everybody:
            if not one.is_here:
                one.come()
        self.flow()
        for one in self.people[1:]:
            one.send_as_player(SetReady(True))
        self.flow()
        self.people[0].send_as_player(Start())

    def seal(self) -> None:
        """Start a game, and let the deal finish."""
        self.begin()
        self.flow()

    def flow(self, until: Callable[[], bool] = lambda: False) -> None:
        """Deliver messages until a condition is true, or no message is left."""
        for _ in range(20_000):
            if until() or not self._deliver():
                return
        raise AssertionError("they never stop talking")

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Let everybody answer at random until a condition is true, or no answer is due.

        No time passes.
        """
        for _ in range(20_000):
            if until() or not (self._deliver() or self._answer()):
                return
        raise AssertionError("they never stop talking")

    def play(self, until: Callable[[], bool] = lambda: False) -> None:
        """Let everybody answer at random until a condition is true, or the game is over for all."""
        for _ in range(4_000):
            self.run(until)
            if until() or all(one.is_over for one in self.everybody if one.is_here):
                return
            self.wait()
        raise AssertionError("the evening is stuck")

    def play_to(self, height: int) -> None:
        """Play until the host and everybody have this many steps."""
        self.play(lambda: self.game.log is not None and self.height >= height)
        self.flow()

    def _deliver(self) -> bool:
        if self.on_the_way:
            self.deliver(*self.on_the_way.popleft())
            return True
        for one in self.everybody:
            if one.down and one is not self.silent_one:
                one.receive(one.down.popleft())
                return True
        return False

    def _answer(self) -> bool:
        there = [one for one in self.people if one.is_here and one is not self.silent_one]
        return any(one.answer() for one in there)

    def wait(self, seconds: float = 1.0) -> None:
        """Let time pass; the host and the persons' programs do their due work."""
        self.now += seconds
        self.execute(self.table.alarm(self.now))
        for one in self.everybody:
            wake_at = one.play.wake_at if one.is_here and one is not self.silent_one else None
            if wake_at is not None and wake_at <= self.now:
                one.take()
        self.flow()

    def hold(self, one: Someone, until: Callable[[SealedLog, int], bool]) -> None:
        """Play until a condition on the log and a person's seat is true.

        From then on, this person receives nothing.
        """
        self.play(lambda: self.game.log is not None and until(self.log, one.seat or 0))
        self.silent_one = one

    def release(self) -> None:
        """Reconnect the silent person, and deliver all messages."""
        one, self.silent_one = self.silent_one, None
        assert one is not None
        one.go()
        one.come()
        self.flow()

    def deliver(self, one: Someone, message: Message) -> None:
        """Let the host receive a person's message, without the parcels that `lose` drops."""
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
        """Restart the host with its stored data, and let everybody return."""
        self.on_the_way.clear()
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
    """Return a world with a game that has just been dealt."""
    world = SealedWorld(names, seed, **options)
    world.seal()
    return world
