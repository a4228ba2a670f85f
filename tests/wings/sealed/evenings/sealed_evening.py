"""Simulates an evening at a sealed table, with an interpreter for each person's program."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from shutil import rmtree

from msgspec import structs

from engine.actions import Action
from netcode.client.reconnection import News
from netcode.protocol import codec
from netcode.storage.history import History
from netcode.storage.store import Store
from netcode.table.effects import Think
from netcode.table.table import Table
from netcode.transport.running_clock import RunningClock
from netcode.wings.sealed.game.encoding import EndBody, EntryBody, SealingBody, unpack
from netcode.wings.sealed.game.game_log import SealedLog
from netcode.wings.sealed.game.parcels import Parcel
from netcode.wings.sealed.game.proven_record import verify_record
from netcode.wings.sealed.interpreter import SealedInterpreter
from netcode.wings.sealed.messages import FROM_SEALED_CLIENT, Sealed
from netcode.wings.sealed.news import SealedNews, VoteMissing
from netcode.wings.sealed.sealed_play import SealedPlay
from tests.netcode.simulation.evening import Evening
from tests.netcode.simulation.network import Line
from tests.netcode.simulation.person import PATIENCE_S, Manners, Person
from tests.netcode.simulation.witness import Witness, decode_host
from tests.support.dates import unix_time
from tests.wings.sealed.sealed_world import sealed_game
from tests.wings.sealed.swift_logs import SwiftLogs

BEGAN_S = 1_800_000_000


def close_logs(play: SealedPlay) -> None:
    """Close the logs of a killed program, as the system does."""
    play._logged_games._logs.close()


class SealedLine(SealedInterpreter):
    """The interpreter of a program that may be killed: then the system only closes its logs."""

    def close(self) -> None:
        if self._play is not None:
            close_logs(self._play)


class Guesser:
    """Answers for bots at random, after their pause."""

    def __init__(self, rng: Random, clock: RunningClock) -> None:
        self._rng = rng
        self._clock = clock

    def think(
        self,
        table: int,
        think: Think,
        is_pointless: Callable[[], bool],
        answer: Callable[[Action], None],
    ) -> None:
        action = self._rng.choice(think.view.legal)
        self._clock.call_later(think.delay_s, self._give, is_pointless, answer, action)

    def _give(
        self, is_pointless: Callable[[], bool], answer: Callable[[Action], None], action: Action
    ) -> None:
        if not is_pointless():
            answer(action)

    def stop(self) -> None:
        pass


class SealedWitness(Witness):
    """Also checks signed parcels: no card is opened too early, and no sent parcel is lost."""

    def __init__(self, evening: "SealedEvening") -> None:
        super().__init__(evening.loop, evening._fail)
        self._evening = evening
        self.parcels: set[Parcel] = set()
        """All parcels that the host has sent."""

    def client_sent(self, line: Line, frame: bytes) -> None:
        super().client_sent(line, frame)
        message = codec.decode_client(frame, FROM_SEALED_CLIENT)
        play = self._evening.plays.get(line.owner)
        log = None if play is None or play.person is None else play.person.log
        if isinstance(message, Sealed) and log is not None:
            for body, _ in message.parcels:
                try:
                    _judge_gate(log, unpack(body))
                except AssertionError as error:
                    self._alarm(error)

    def receive(self, line: Line, frame: bytes) -> None:
        super().receive(line, frame)
        message = decode_host(frame)
        if isinstance(message, Sealed):
            self.parcels.update(Parcel(*each) for each in message.parcels)


def _judge_gate(log: SealedLog, said: object) -> None:
    """Assert that an opening may be sent: the step before it is certain."""
    if isinstance(said, EntryBody) and said.what in ("open", "reveal"):
        assert log.sealing.quorum is None or log.locked >= said.n - 1, "opened too early"
    elif isinstance(said, EndBody):
        assert log.sealing.quorum is None or log.locked >= said.n, "shown too early"


class Voter(Person):
    """A person who usually votes about each missing player."""

    def _take(self, news: News) -> None:
        if not isinstance(news, SealedNews):
            super()._take(news)
        elif news.is_vote_wanted and self._rng.random() < self._manners.votes:
            self._soon(self._rng.random() * PATIENCE_S, self._send, VoteMissing())


class SealedEvening(Evening):
    """A sealed table with two to five persons and, in some evenings, bots."""

    person = Voter

    names = ("anna", "bert", "cleo", "emil", "fina")

    def _prepare(self, seed: int, folder: Path, manners: Manners) -> Manners:
        rng = Random(f"sealed {seed}")
        two = self.host.settings.two
        persons = 2 if two else rng.choice((2, 3, 3, 4, 5))
        self.host.settings = structs.replace(self.host.settings, sealed=True, clock_s=0)
        self.folder = folder / f"sealed {seed}"
        rmtree(self.folder, ignore_errors=True)
        self.plays: dict[str, SealedPlay] = {}
        """The interpreters of the programs that started last."""
        self._chance = Random(rng.random())
        self.sealed_witness = SealedWitness(self)
        self.witness = self.host._witness = self.sealed_witness
        self.make_line = self._line_of
        bots = 0 if two else max(3 - persons, rng.choice((0, 0, 1)) * (persons < 5))
        return replace(manners, persons=persons, bots=bots, bossy=0.0)

    def _line_of(self, person: Person) -> SealedInterpreter:
        rng = Random(self._chance.random())

        def play() -> SealedPlay:
            logs = SwiftLogs(self.folder / f"{person.name}.db")
            made = SealedPlay(logs, lambda: BEGAN_S + self.loop.now, rng)
            self.plays[person.name] = made
            return made

        return SealedLine(play, lambda clock: Guesser(rng, clock).think)

    def _judge(self) -> None:
        entry = self.host.entry
        self.host.crash(silently=False)
        store = Store.open(self.host.path)
        try:
            kept = store.load(entry.number)
        finally:
            store.close()
        parcels = {Parcel(*each) for each in kept.game.pieces}
        assert self.sealed_witness.parcels - parcels == set(), "somebody was told what is not kept"
        table = Table.restore(kept, self.rng, lambda: b"", unix_time=unix_time)
        record, game = table.record(), sealed_game(table)
        assert record is not None
        assert game is not None
        proven = verify_record(record.to_json())
        logs = [proven, game.log]
        for person in self.persons:
            mine = self.plays[person.name].person
            assert mine is not None
            logs.append(mine.log)
        for log in logs:
            assert log is not None
            assert log.tip == proven.tip, "two logs that differ"
            assert not log.frozen
            assert not log.cheated, "somebody honest is said to have cheated"
            assert not log.spent, "an honest answer is refused"
        with History.open(self.host.path) as history:
            outcomes = [each.outcome for each in history.games()]
        assert outcomes in ([], ["finished"])
        sealings = [
            said for parcel in parcels if isinstance(said := unpack(parcel.body), SealingBody)
        ]
        assert len(sealings) == 1
