"""Sealed tables by way of a real server: connections, timers, bots and files of each player."""

import asyncio
from contextlib import aclosing
from pathlib import Path
from random import Random

from netcode.client.client_history import ClientHistory
from netcode.client.connection import Connection
from netcode.client.own_program import OwnProgram
from netcode.client.reconnection import Connected, Lost, News
from netcode.client.sealed_news import SealedRecord
from netcode.client.sealed_play import SealedPlay
from netcode.client.session import Session
from netcode.limits import Limits
from netcode.protocol.messages import (
    AddBot,
    ChangeSettings,
    Lobby,
    SetReady,
    Start,
    State,
    TableSettings,
    Welcome,
)
from netcode.sealed.proof_file import verified
from netcode.server.bot_runner import BotRunner
from netcode.server.server import Server
from netcode.storage.history import History
from netcode.storage.own_logs import OwnLogs
from netcode.workers.worker_pool import WorkerPool
from tests.support.following import followed
from tests.support.own_logs import records_of
from tests.support.rooms import UNPACED, opened, runs, way_to


class Person:
    """Somebody at a sealed table, who answers at random and plays some games."""

    def __init__(
        self, server: Server, name: str, folder: Path, bots: int = 0, games: int = 1
    ) -> None:
        self.server, self.name, self.bots, self.games = server, name, bots, games
        self.rng = Random(name)
        self.session = Session()
        self.connection: Connection | None = None
        self.own = OwnProgram(
            lambda: SealedPlay(OwnLogs(folder / f"{name}.db")),
            lambda clock: BotRunner(Random(name), WorkerPool(0), clock).think,
        )
        self.records: list[str] = []
        self.history = ClientHistory("joined", _path=folder / f"{name}.db")
        self.loses_at: int | None = None

    async def play(self) -> None:
        stay = followed(way_to(self.server), self.session, self.name, rng=Random(1), own=self.own)
        async with aclosing(stay) as news:
            async for each in news:
                if not isinstance(each, Connected | Lost):
                    self.history.see(self.session, each)
                self.answer(each)
                if len(self.records) == self.games:
                    break
        self.own.close()
        await self.history.settled()

    def answer(self, news: News) -> None:
        session = self.session
        match news:
            case Connected(connection):
                self.connection = connection
            case Welcome() if session.is_host:
                settings = TableSettings(sealed=True, pace_ms=0, first="r")
                self.own.say(ChangeSettings(settings))
                for _ in range(self.bots):
                    self.own.say(AddBot("random"))
            case Lobby(phase="lobby") if news.settings.sealed and news.own_seat:
                if not news.host and not news.own_seat.ready:
                    self.own.say(SetReady(True))
                elif news.host and news.missing is None and len(news.seats) == 3:
                    self.own.say(Start())
            case Lobby(phase="result") if news.own_seat and self.records:
                if not news.host and not news.own_seat.ready:
                    self.own.say(SetReady(True))
                elif news.host and news.missing is None:
                    self.own.say(Start())
            case State():
                if session.view and session.view.legal:
                    self.own.say(session.act(self.rng.choice(session.view.legal)))
                if self.loses_at == session.revision and self.connection is not None:
                    self.connection.channel.abort()
            case SealedRecord():
                self.records.append(news.line)


@runs
async def test_an_evening_with_bots_of_the_host_and_a_line_that_is_lost(tmp_path: Path) -> None:
    async with opened(Limits(connections=9, from_one_address=9, **UNPACED)) as server:
        ada = Person(server, "Ada", tmp_path, bots=1, games=2)
        bob = Person(server, "Bob", tmp_path, games=2)
        bob.loses_at = 7
        async with asyncio.TaskGroup() as group:
            for one in (ada, bob):
                group.create_task(one.play())
        assert ada.records == bob.records
        assert len({*ada.records}) == 2
        for line in ada.records:
            log = verified(line)
            assert [log.verdict(seat) for seat in range(3)] == ["proven"] * 3
        assert [log.dealing.deal.first for log in map(verified, ada.records)] == [0, 1]
        for name, own in (("Ada", (0,)), ("Bob", (1,))):
            with History.open(tmp_path / f"{name}.db") as history:
                games = [history.record(game.id) for game in history.games()]
                assert sorted(game.to_json() for game in games) == sorted(ada.records)
                assert {game.own for game in history.games()} == {own}
            assert not records_of(tmp_path / f"{name}.db"), "no secret is needed any more"
