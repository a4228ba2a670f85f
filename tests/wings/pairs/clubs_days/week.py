"""Simulates a club with games for days: it is killed and restarted while people come and go.

The clock is simulated, so seven days take seconds. A seed decides everything.
"""

import asyncio
import contextlib
import json
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

import pytest

from driflamme_tui.wings.days import calls
from driflamme_tui.wings.days.calls import Calls
from netcode.client.session import Session
from netcode.protocol.codec import decode_host, encode
from netcode.protocol.messages import Admitted, Refused, SetReady, Start, State, Welcome
from netcode.protocol.table_settings import TableSettings
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry, TableRegistry
from netcode.storage.journal import Journal
from netcode.transport.channel import Channel, ChannelClosedError
from netcode.wings.clubs.club_limits import CLUB_LIMITS
from netcode.wings.clubs.club_store import ClubStore
from netcode.wings.clubs.club_tables import ClubTables
from netcode.wings.clubs.messages import Club, OpenTable
from netcode.wings.days.messages import AskTurns, SetCall, Turns
from netcode.wings.days.seat_proofs import seat_proof
from netcode.wings.days.settings import HOURS, NAME
from netcode.wings.days.table_parts import CallForgotten, CallReport
from tests.netcode.simulation.clockwork import Clockwork, LoopThread, Process
from tests.netcode.simulation.host import MortalDatabase
from tests.support.pretend_workers import PretendWorkers

KILLED_CALLS: Final = 0.25
"""The share of calls near which the club is killed, at any step of its program."""

CALL_STEPS: Final = 30
"""Number of the program's steps from the report of a call until its mark is removed, and a few
more.
"""

EPOCH: Final = 1_790_000_000.0
"""The Unix time at the beginning."""

HOUR: Final = 3600.0
WEEK: Final = 7 * 24 * HOUR

SECRET: Final = b"of the club."

ANSWER_S: Final = 20.0
"""Seconds after which a person takes a connection for lost."""

LINGERS: Final = 0.8
"""The share of visits in which the player stays after their answers."""

LINGERS_S: Final = 6 * HOUR
"""Maximum seconds for which such a player waits for their next question."""

OPEN_EVERY_S: Final = 40.0
"""Seconds between two openings, because a network may not open tables more often."""


@dataclass(eq=False)
class Call:
    table: int
    step: int
    """Number of answers in the game before the call."""
    name: str


class Command:
    """A pretended command for a call, which ends after one second."""

    async def wait(self) -> int:
        await asyncio.sleep(1)
        return 0

    def kill(self) -> None:
        pass


@dataclass(eq=False)
class Person:
    """A player of one table, who comes when they are called."""

    name: str
    session: Session
    rng: Random
    acts: list[tuple[int, str]] = field(default_factory=list)
    """The answers that the host has confirmed: number of answers before, and token."""
    visits: int = 0
    is_visiting: bool = False


class ClubHost:
    """The machine of the club. Only the disk survives a kill."""

    def __init__(self, loop: Clockwork, path: Path, rng: Random) -> None:
        self.loop, self.path, self.rng = loop, path, rng
        self.process: Process | None = None
        self.killed: list[Process] = []
        self.calls: list[Call] = []
        self.marks = set[str]()
        """The marks of started commands, which are on the disk."""
        self.kills_near_calls: Counter[str] = Counter()
        """Number of kills near a call, by the state of the command: "started" or "not started"."""
        self.on_call: Callable[[str, str], object] = lambda address, name: None
        self.kill_now: Callable[[], object] = self.kill
        self.clubs = 0
        self._seen: dict[tuple[str, int], TableEntry] = {}
        """The tables of calls, by address and time of the question."""

    def unix_time(self) -> float:
        return EPOCH + self.loop.now

    def start(self) -> None:
        """Start the program, with the tables that the disk has."""
        self.clubs += 1
        process = self.process = Process(f"club {self.clubs}", self.loop)
        process.call(self._open, process)

    def _open(self, process: Process) -> None:
        store = self._store = ClubStore.open(self.path)
        secret = store.secret(SECRET)
        self._database: sqlite3.Connection = store._database
        self._database.execute("PRAGMA synchronous = OFF")
        store._database = MortalDatabase(  # type: ignore[assignment]
            self._database, process, lambda: False
        )
        registry, rng = TableRegistry(), Random(self.rng.random())
        journal = Journal(store, clock=lambda: self.loop.now, thread=LoopThread())
        club = self.club = ClubTables(
            registry, journal, secret, rng, rng.randbytes, self.unix_time, add_table=self._add
        )
        for each in store.tables():
            club.remember(*each)
        self._calls = Calls(json.dumps(sys.executable))
        workers = PretendWorkers(rng)
        self.server = Server(
            registry,
            rng=rng,
            journal=journal,
            tables=club,
            limits=CLUB_LIMITS,
            workers=workers,
            unix_time=self.unix_time,
        )

    def _add(self, entry: TableEntry) -> None:
        assert entry.table is not None
        entry.host_parts[NAME] = partial(self._receive, entry)
        entry.table.serve_host_parts([NAME])

    def _receive(self, entry: TableEntry, report: object, done: Callable[[], None]) -> None:
        """Pass a report to the part that calls, and perhaps kill the program at a later step."""
        if isinstance(report, CallForgotten):
            self.marks.discard(f"{entry.number}-{report.question_at}")
        else:
            assert isinstance(report, CallReport)
            self._seen[report.address, report.question_at] = entry
            process = self.process
            if process is not None and self.rng.random() < KILLED_CALLS:
                mark = f"{entry.number}-{report.question_at}"
                process.doom(self.rng.randrange(CALL_STEPS), partial(self._kill_near, mark))
        self._calls.receive_report(entry, report, done)

    def _kill_near(self, mark: str) -> None:
        self.kills_near_calls["started" if mark in self.marks else "not started"] += 1
        self.kill_now()

    async def start_command(
        self, command: list[str | bytes], address: str, mark: Path | None
    ) -> Command:
        """Return the command of a call, recorded in one step that no kill divides.

        Raises FileExistsError if its mark exists.
        """
        assert mark is not None
        if mark.name in self.marks:
            raise FileExistsError
        self.marks.add(mark.name)
        _program, name, _table, _hours = (
            each if isinstance(each, str) else each.decode() for each in command
        )
        entry = self._seen[address, int(mark.name.partition("-")[2])]
        assert entry.table is not None
        play = entry.table.games.play
        assert play is not None
        self.calls.append(Call(entry.number, len(play.saved().actions), name))
        self.on_call(address, name)
        return Command()

    def kill(self) -> None:
        """Kill the program if it runs: nothing of it has any further effect."""
        process, self.process = self.process, None
        if process is None:
            return
        process.kill()
        self.killed.append(process)
        if self._database.in_transaction:
            self._database.rollback()
        self._database.close()
        self._store._locks.close()

    async def connect(self) -> Channel:
        """Return a connection to the program; raises ChannelClosedError if it does not run."""
        if self.process is None:
            raise ChannelClosedError("the club does not answer")
        server: Server = self.server
        opened: asyncio.Future[Channel] = self.loop.create_future()
        self.process.call(lambda: opened.set_result(server.connect()))
        async with asyncio.timeout(ANSWER_S):
            return await opened


class Week:
    """A club with some tables of three, for seven days."""

    def __init__(self, seed: int, folder: Path, tables: int, patch: pytest.MonkeyPatch) -> None:
        self.rng = Random(seed)
        self.loop = Clockwork(Random(self.rng.random()))
        self.failures: list[Exception] = []
        self.loop.alarm = self.failures.append
        self.host = ClubHost(self.loop, folder / "tables.db", Random(self.rng.random()))
        self.host.on_call = self._called
        self.host.kill_now = self._kill
        patch.setattr(calls, "start", self.host.start_command)
        self.people: dict[str, Person] = {}
        self.kills = 0
        self.kills_at_the_table = 0
        """Number of kills while the asked player was at the table, who then left."""
        self.ended_at = 0.0
        self._tables = tables
        self._have_begun = False
        """True once all games have begun."""
        self._steps: dict[tuple[str, int], int] = {}
        """The number of answers before each act, by player and number of the act."""

    def run(self) -> None:
        """Let the week pass."""
        try:
            self.loop.run_until_complete(self._pass())
            assert not self.failures, self.failures
        finally:
            self.host.kill()
            for process in self.host.killed:
                process.bury()
            left = asyncio.all_tasks(self.loop)
            for task in left:
                task.cancel()
            self.loop.wait_for_the_dead(self.host.killed)
            if left:
                self.loop.run_until_complete(asyncio.wait(left))
            self.loop.close()

    async def _pass(self) -> None:
        self.host.start()
        await asyncio.sleep(1)
        for number in range(self._tables):
            await self._begin(number)
            await asyncio.sleep(OPEN_EVERY_S)
        self._have_begun = True
        killing = asyncio.create_task(self._kill_and_restart())
        while self.loop.now < WEEK and not self._are_over():
            await asyncio.sleep(HOUR / 4)
        self.ended_at = self.loop.now
        killing.cancel()
        await asyncio.sleep(1)

    def _are_over(self) -> bool:
        if self.host.process is None:
            return False
        club = self.host.club
        return all(club.info(each).phase == "result" for each in self.host.server.registry.entries)

    async def _kill_and_restart(self) -> None:
        while True:
            await asyncio.sleep(self.rng.uniform(0.2, 3) * HOUR)
            self._kill()

    def _kill(self, most_s: float = 1200) -> None:
        """Kill the club, and start it again within `most_s` seconds.

        Does nothing before all games have begun, or while the club is down.
        """
        if self.host.process is not None and self._have_begun:
            self.host.kill()
            self.kills += 1
            self.loop.later(self.rng.uniform(1, most_s), self.host.start)

    async def _begin(self, number: int) -> None:
        """Open a table of three, whose players then leave."""
        names = [f"{name} {number}" for name in ("anna", "bert", "cleo")]
        secret, channels = b"", []
        for name in names:
            channel = await self.host.connect()
            channels.append(channel)
            session = Session(secret=secret or SECRET)
            self.people[name] = Person(name, session, Random(self.rng.random()))
            channel.send(encode(session.hello(name)))
            if not secret:
                assert isinstance(decode_host(await channel.receive()), Club)
                settings = TableSettings.of({HOURS: 6, "pace_ms": 0})
                channel.send(encode(OpenTable(settings=settings)))
                admitted = decode_host(await channel.receive())
                assert isinstance(admitted, Admitted)
                secret = admitted.secret
                channel.send(encode(session.enter(secret)))
            await self._receive(self.people[name], channel, Welcome)
            channel.send(encode(SetCall(address=name)))
            if name != names[0]:
                channel.send(encode(SetReady(ready=True)))
        await asyncio.sleep(1)
        channels[0].send(encode(Start()))
        for name, channel in zip(names, channels, strict=True):
            await self._receive(self.people[name], channel, State)
            await channel.close()

    async def _receive(self, person: Person, channel: Channel, kind: type) -> None:
        while True:
            message = decode_host(await channel.receive())
            person.session.receive(message)
            if isinstance(message, kind):
                return

    # Visits

    def _called(self, address: str, name: str) -> None:
        assert address == name, "a call goes to the address of its player"
        person = self.people[name]
        # Most people come soon; some let the time run out.
        delay = person.rng.uniform(60, 4 * HOUR) if person.rng.random() < 0.95 else 7 * HOUR
        self.loop.later(delay, self._start_visit, person)
        if person.rng.random() < 0.05:
            self.loop.later(person.rng.random(), self._kill)

    def _start_visit(self, person: Person) -> None:
        if not person.is_visiting:
            person.is_visiting = True
            self.loop.create_task(self._visit(person))

    async def _visit(self, person: Person) -> None:
        """Connect again until a visit succeeds. A visit answers all questions of the person."""
        while True:
            with contextlib.suppress(ChannelClosedError, TimeoutError):
                await self._ask(person)
                channel = await self.host.connect()
                try:
                    await self._play(person, channel)
                finally:
                    await channel.close()
                person.visits += 1
                person.is_visiting = False
                return
            await asyncio.sleep(person.rng.uniform(60, 900))

    async def _ask(self, person: Person) -> None:
        """Request the player's turns without joining, and check the answer."""
        channel = await self.host.connect()
        key, lobby = person.session.key, person.session.lobby
        assert key is not None
        assert lobby is not None
        assert lobby.code is not None
        try:
            channel.send(encode(AskTurns(seats=(seat_proof(lobby.code[:3], key),))))
            async with asyncio.timeout(ANSWER_S):
                answer = decode_host(await channel.receive())
            assert isinstance(answer, Turns)
            (row,) = answer.rows
            assert person.name in row.names
            assert not row.mine or row.left_s is not None
        finally:
            await channel.close()

    async def _play(self, person: Person, channel: Channel) -> None:
        """Answer questions until another player must decide. Sometimes kill the club meanwhile."""
        session = person.session
        channel.send(encode(session.hello(person.name)))
        is_current = False
        while True:
            async with asyncio.timeout(ANSWER_S):
                message = decode_host(await channel.receive())
            pending = session.pending
            session.receive(message)
            if isinstance(message, Welcome) and session.pending is not None:
                channel.send(encode(session.pending))
            is_confirmed = pending is not None and session.pending is None
            if is_confirmed and not isinstance(message, Refused):
                assert pending is not None
                person.acts.append((self._steps[person.name, pending.number], pending.action))
            is_current = is_current or isinstance(message, State)
            view = session.view
            assert view is not None
            if not is_current or session.pending is not None:
                continue
            if not view.legal:
                if person.rng.random() < LINGERS:
                    await self._linger(person, channel)
                return
            act = session.act(person.rng.choice(view.legal))
            self._steps[person.name, act.number] = session.step
            channel.send(encode(act))
            if person.rng.random() < 0.05:
                # Kill the club before, while or after it stores the answer.
                self.loop.later(0.01 * person.rng.random(), self._kill)

    async def _linger(self, person: Person, channel: Channel) -> None:
        """Stay until the person's next question, kill the club, and return once without an answer.

        Without a question within `LINGERS_S` seconds, only stay.
        """
        session = person.session
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LINGERS_S):
                while session.view is None or not session.view.legal:
                    session.receive(decode_host(await channel.receive()))
        if session.view is None or not session.view.legal:
            return
        self._kill(most_s=30)
        self.kills_at_the_table += 1
        with contextlib.suppress(ChannelClosedError, TimeoutError):
            await channel.close()
        while True:
            await asyncio.sleep(5)
            with contextlib.suppress(ChannelClosedError, TimeoutError):
                again = await self.host.connect()
                again.send(encode(session.hello(person.name)))
                async with asyncio.timeout(ANSWER_S):
                    await self._receive(person, again, State)
                await again.close()
                return
