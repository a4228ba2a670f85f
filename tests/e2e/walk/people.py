"""Runs the host and the persons of a walk, with their programs."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Final

import msgspec

from driflamme_tui.plain import line_shell
from driflamme_tui.plain.json_player import JsonPlayer
from driflamme_tui.seat.seat_parts import Journey, SeatPart
from driflamme_tui.seat.seat_session import SeatSession
from driflamme_tui.seat.targets import Join
from engine.actions import Action
from netcode.client.connectors import Plain
from netcode.client.reconnection import News
from netcode.client.session import Session
from netcode.protocol.fields import Message
from netcode.protocol.messages import Act, Refused, SeatInfo, Welcome
from netcode.protocol.refusal_sentences import UNKNOWN_KEY
from netcode.server.server import Server
from netcode.server.table_registry import TableEntry
from netcode.storage.journal import Journal
from netcode.storage.store import Store
from netcode.table.table import Table
from netcode.transport.address import Address
from netcode.transport.channel import Channel
from tests.e2e.walk.features import Feature
from tests.netcode.simulation.clockwork import Process
from tests.netcode.simulation.host import SECRET, Host
from tests.netcode.simulation.network import DISTANT, Line
from tests.netcode.simulation.witness import Witness

if TYPE_CHECKING:
    from tests.e2e.walk.walk import Walk

JOIN: Final = Join(Plain(Address("127.0.0.1")))
"""The plan of each person; the walk makes the connection."""

AWAY_S: Final = 40.0
"""Seconds of an absence: longer than other players wait."""


class WalkError(AssertionError):
    """The table does not do what the walk expects."""


class Deaf(Witness):
    """Accepts every frame, because the simulation checks frames itself."""

    def receive(self, line: Line, frame: bytes) -> None:
        pass

    def client_received(self, line: Line, frame: bytes) -> None:
        pass

    def resumed(self, kept: object, table: Table) -> None:
        pass


class WalkHost(Host):
    """The host's machine, which wings may start differently."""

    features: Sequence[Feature] = ()

    def _only_table(self, store: Store, journal: Journal, rng: Random) -> Server:
        server = super()._only_table(store, journal, rng)
        for feature in self.features:
            feature.table_opened(self.table)
        return server

    @property
    def table(self) -> Table:
        entry: TableEntry | None = self._registry.only_entry
        assert entry is not None
        assert entry.table is not None
        return entry.table


def _same(part: SeatPart) -> SeatPart:
    return part


class Program(SeatSession):
    """A person's program, with the walk's bots and secrets."""

    def __init__(self, person: "Person") -> None:
        session = Session(secret=SECRET)
        session.key = person.key
        super().__init__(person.name, session, person.connect, watch=person.watches)
        self._person = person
        journey = Journey(self, person.connect, None)
        for feature in person.walk.features:
            part = feature.seat_part(person, journey)
            if part is not None:
                self._add(partial(_same, part))

    def _receive(self, news: News) -> None:
        super()._receive(news)
        if isinstance(news, Welcome):
            self._person.key = news.key
        elif isinstance(news, Refused) and self.session.lobby is None:
            self._person.is_turned_away(news.code)


class Person:
    """A person with a program that may be killed, and a key to a seat on the disk."""

    def __init__(self, walk: "Walk", name: str, *, by_lines: bool, watches: bool) -> None:
        self.walk, self.name, self.by_lines, self.watches = walk, name, by_lines, watches
        self.rng = Random(f"{walk.seed} {name}")
        self.key: bytes | None = None
        self.process: Process | None = None
        self.dead: list[Process] = []
        self.start()

    @property
    def session(self) -> Session:
        return self.program.session

    @property
    def is_there(self) -> bool:
        """True if the program runs and has received the table on a working connection."""
        return (
            self.process is not None
            and self.program.connected
            and self.session.lobby is not None
            and any(
                line.client.process is self.process and line.host.process is self.walk.host.process
                for line in self.walk.standing(self)
                if not line.host.closed and line.up.lost_from == line.down.lost_from == DISTANT
            )
        )

    @property
    def seat(self) -> SeatInfo | None:
        lobby = self.session.lobby
        return None if lobby is None else lobby.your_seat

    def start(self) -> None:
        if self.process is not None:
            return
        self.process = Process(self.name, self.walk.loop, self.rng.random() * 1e6)
        self.typed: asyncio.Queue[str] = asyncio.Queue()
        self.written: list[str] = []
        self.program = Program(self)
        self.walk.programs[self.name] = self.program
        self.process.start(self._run)

    def kill(self) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.kill()
            self.dead.append(process)
            for feature in self.walk.features:
                feature.killed(self)
            for line in self.walk.standing(self):
                if line.client.process is process:
                    line.break_off(line.client)

    def send(self, message: Message) -> None:
        """Send a message through the person's program."""
        assert self.process is not None
        if self.by_lines:
            line = msgspec.json.encode(message).decode()
            if isinstance(message, Act):
                line = msgspec.json.encode({"type": "act", "action": message.action}).decode()
            self.process.call(self.typed.put_nowait, line)
        else:
            self.process.call(self.program.send, message)

    def plays(self, family: str) -> bool:
        """Return True if the person has a family at the table, as the first or the second one."""
        seat = self.seat
        return seat is not None and family in (seat.family, seat.second)

    def answer(self, action: Action | None = None) -> None:
        """Answer the person's question, at random by default."""
        assert self.session.view is not None
        action = action or self.rng.choice(self.session.view.legal)
        if self.by_lines:
            self.send(Act(number=1, revision=self.session.revision, action=action.token))
        else:
            self.send(self.session.act(action))

    def go(self) -> None:
        """Leave the table for good."""
        if self.by_lines:
            assert self.process is not None
            self.process.call(self.typed.put_nowait, '{"type":"leave"}')
        elif self.process is not None:
            self.process.start(lambda: self.program.leave(leaves=True))

    async def connect(self) -> Channel:
        assert self.process is not None
        return await self.walk.network.connect(self.name, self.process)

    def is_turned_away(self, code: str) -> None:
        """Handle a refusal: join again after `AWAY_S`, except if the host does not know the key.

        If the table has no free seat, join as a spectator.
        """
        if code in ("game_under_way", "table_full"):
            self.watches = True
        if code != UNKNOWN_KEY:
            self.walk.loop.later(0.0, self.kill)
            self.walk.loop.later(AWAY_S, self.start)

    async def _run(self) -> None:
        try:
            if self.by_lines:
                ended = await line_shell.play_lines(
                    JOIN, self.name, JsonPlayer, self._lines(), self.written.append
                )
                if ended and self.session.lobby is not None:
                    raise WalkError(f"{self.name} is told: {ended}")
            else:
                await self.program.stay(lambda _news: None)
                await self.program.close()
            self.walk.is_gone(self)
        except Exception as error:
            self.walk.fail(error)

    async def _lines(self) -> AsyncIterator[str]:
        while True:
            yield await self.typed.get()
