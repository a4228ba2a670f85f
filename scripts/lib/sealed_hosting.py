"""What it takes of a core to host games, sealed and not: each frame read, judged, kept, answered.

A game is played once, and what was said to the table is then said again to one that is equal, so
that nothing of the players' own programs is in what is measured but the way of an act to all. Rates
are those of a core's own time, as a server goes on while the disk is at work.
"""

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Final

from engine.notation import parse_view
from netcode.protocol.codec import FROM_CLIENT, FROM_SEALED_CLIENT, decode_client, encode
from netcode.protocol.messages import (
    PROTOCOL,
    Act,
    ClientMessage,
    Hello,
    HostMessage,
    Sealed,
    SetReady,
    Start,
    State,
    TableMessage,
    TableSettings,
)
from netcode.sealed.encoding import Seat
from netcode.sealed.parcels import Parcel
from netcode.sealed.sealed_person import SealedPerson
from netcode.sealed.sealing import Expected
from netcode.sealed.votes import Situation
from netcode.storage.store import Store
from netcode.table.effects import Effect, Keep, Send
from netcode.table.snapshot import Opened
from netcode.table.table import Table
from scripts.lib.figures import Figure

PLAYERS: Final = 4

UNIX_S: Final = 1_800_000_000


class _Host:
    """A table with its journal; the same seed makes the same."""

    def __init__(self, seed: int, path: Path, *, sealed: bool) -> None:
        rng = Random(seed)
        settings = TableSettings(first="r", pace_ms=0, sealed=sealed)
        self.table = Table(
            rng, lambda: rng.randbytes(32), settings=settings, unix_time=lambda: UNIX_S
        )
        self.store = Store.open(path)
        self._keep(self.table.open(Opened(bytes(12), "H7KDPX2A")))
        self._bounds = FROM_SEALED_CLIENT if sealed else FROM_CLIENT

    def hear(self, connection: int, frame: bytes) -> list[tuple[int, HostMessage]]:
        """Do all that a server does about a frame, but the sockets; return what is sent."""
        message = decode_client(frame, self._bounds)
        assert isinstance(message, TableMessage)
        effects = self.table.receive(connection, message, 0.0)
        self._keep(effects)
        sent = [(each.connection, each.message) for each in effects if isinstance(each, Send)]
        for _, each in sent:
            encode(each)
        return sent

    def _keep(self, effects: list[Effect]) -> None:
        for effect in effects[:1]:
            if isinstance(effect, Keep):
                self.store.commit({1: effect}, UNIX_S)


class _Players:
    """Those who play one game at random, and what they say."""

    def __init__(self, host: _Host, rng: Random) -> None:
        self.host = host
        self.rng = rng
        self.said: list[tuple[int, bytes]] = []
        self.moves = 0
        self.ways_s: list[float] = []
        """How long each act took to all, where that was measured."""
        self._waiting: deque[tuple[int, HostMessage]] = deque()
        for player in range(PLAYERS):
            self.say(player, Hello(protocol=PROTOCOL, program="bench", name=f"Player {player}"))
        self.begin()
        while self._waiting and host.table.phase != "result":
            self.told(*self._waiting.popleft())

    def begin(self) -> None:
        for player in range(1, PLAYERS):
            self.say(player, SetReady(ready=True))
        self.say(0, Start())

    def say(self, player: int, message: ClientMessage) -> list[tuple[int, HostMessage]]:
        frame = encode(message)
        self.said.append((player, frame))
        sent = self.host.hear(player, frame)
        self._waiting += sent
        return sent

    def told(self, player: int, message: HostMessage) -> None:
        if isinstance(message, State) and message.you is not None:
            view = parse_view(message.view, "rbgy".index(message.you))
            if view.legal:
                self.moves += 1
                action = self.rng.choice(view.legal).token
                self.say(player, Act(number=self.moves, revision=message.revision, action=action))


class _SealedPlayers(_Players):
    """The same at a sealed table."""

    def begin(self) -> None:
        self.people = [SealedPerson(self.rng) for _ in range(PLAYERS)]
        for person in self.people:
            person.get_ready()
        for player in range(1, PLAYERS):
            self.say(player, SetReady(ready=True, game_key=self.people[player].public_key))
        self.say(0, Start(game_key=self.people[0].public_key))

    def told(self, player: int, message: HostMessage) -> None:
        person = self.people[player]
        if isinstance(message, Sealed):
            parcels = [Parcel(*each) for each in message.parcels]
            expected = self._expected(player) if person.sealing is None else None
            self._send(player, person.receive(parcels, expected).send)
        there = set(range(PLAYERS))
        now = Situation(waited_s=0, agreeing=there, connected=there)
        self._send(player, person.advance(now, UNIX_S).send)
        log = person.log
        if log and log.due and log.due.opening is None and log.due.seat == player:
            self.moves += 1
            began = perf_counter()
            said = person.answer(player, self.rng.choice(log.game.legal).token).send
            if sent := self._send(player, said):
                way_s, took = perf_counter() - began, []
                for other, each in sent:
                    if isinstance(each, Sealed):
                        began = perf_counter()
                        self.people[other].receive([Parcel(*parcel) for parcel in each.parcels])
                        took.append(perf_counter() - began)
                self.ways_s.append(way_s + max(took))

    def _send(self, player: int, parcels: tuple[Parcel, ...]) -> list[tuple[int, HostMessage]]:
        if not parcels:
            return []
        return self.say(player, Sealed(tuple((each.body, each.signature) for each in parcels)))

    def _expected(self, player: int) -> Expected:
        table = self.host.table
        assert table.sealing is not None
        return Expected(
            key=self.people[player].public_key,
            own=(player,),
            table=table.sealing.said.table,
            seats=tuple(Seat(each.family, each.name, None) for each in table.sealing.said.seats),
            settings=table.settings,
            host=0,
            first=0,
        )


def figures(games: int) -> Iterator[Figure]:
    """Yield how many moves a second a host of sealed tables makes, and of ordinary ones."""
    rates: dict[bool, list[float]] = {False: [], True: []}
    ways_s: list[float] = []
    with TemporaryDirectory(prefix=".bench-", dir=Path(__file__).parents[2]) as folder:
        for seed in range(games):
            for sealed, kind in ((False, _Players), (True, _SealedPlayers)):
                path = Path(folder) / f"{seed} {sealed}"
                host = _Host(seed, path, sealed=sealed)
                players = kind(host, Random(seed))
                host.store.close()
                again = _Host(seed, path.with_suffix(".again"), sealed=sealed)
                began = process_time()
                for player, frame in players.said:
                    again.hear(player, frame)
                rates[sealed].append(players.moves / (process_time() - began))
                assert again.table.phase == host.table.phase == "result"
                again.store.close()
                ways_s += players.ways_s
    yield Figure("hosted_moves", round(median(rates[False])), "1/s")
    yield Figure("hosted_sealed_moves", round(median(rates[True])), "1/s")
    yield Figure("hosted_sealed_ratio", round(median(rates[True]) / median(rates[False]), 2), "")
    yield Figure("sealed_act_to_all", round(median(ways_s) * 1e3, 2), "ms")
