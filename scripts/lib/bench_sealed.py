"""What sealed play costs: a program to seal, start, check and verify, and a host to keep its table.

A game is played once, through a table with its journal, as a host has it, and a program for each
person. What was said to the table is then said again to one that is equal, so that nothing of the
players' own programs is in what hosting takes of a core: each frame read, judged, kept, answered.
An ordinary game goes the same way. Figures are medians over some games, on one core; rates are
those of the core's own time, as a server goes on while the disk is at work.
"""

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Final, TypeVar

from engine.cards import FAMILIES
from engine.notation import parse_view
from netcode.protocol.codec import FROM_CLIENT, FROM_SEALED_CLIENT, decode_client, encode
from netcode.protocol.messages import (
    PROTOCOL,
    Act,
    ClientMessage,
    Hello,
    HostMessage,
    Lobby,
    Sealed,
    SetReady,
    Start,
    State,
    TableMessage,
)
from netcode.protocol.table_settings import TableSettings
from netcode.sealed.log import SealedLog
from netcode.sealed.parcels import Parcel
from netcode.sealed.proof_file import sealed_record, verified
from netcode.sealed.sealed_person import SealedPerson
from netcode.sealed.sealing import check_sealing
from netcode.sealed.votes import Situation
from netcode.storage.store import Store
from netcode.table.effects import Effect, Keep, Send
from netcode.table.snapshot import Opened
from netcode.table.table import Table
from scripts.lib.figures import Figure, medians

SIZES: Final = (3, 4, 5)
"""How many play; one with a seat each."""

HOSTED: Final = 4
"""How many play where hosting is measured."""

GAMES: Final = 7
"""How many games are played of each size."""

UNIX_S: Final = 1_800_000_000

Sent = list[tuple[int, HostMessage]]
"""What a host sends, and to which player."""

_Result = TypeVar("_Result")


class Host:
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

    def hear(self, player: int, frame: bytes) -> Sent:
        """Do all that a server does about a frame, but the sockets; return what is sent."""
        message = decode_client(frame, self._bounds)
        assert isinstance(message, TableMessage)
        effects = self.table.receive(player, message, 0.0)
        self._keep(effects)
        sent = [(each.connection, each.message) for each in effects if isinstance(each, Send)]
        for _, each in sent:
            encode(each)
        return sent

    def _keep(self, effects: list[Effect]) -> None:
        for effect in effects[:1]:
            if isinstance(effect, Keep):
                self.store.commit({1: effect}, UNIX_S)


class Players:
    """Those who play one game at random, and what they say."""

    def __init__(self, host: Host, rng: Random, size: int) -> None:
        self.host = host
        self.rng = rng
        self.size = size
        self.said: list[tuple[int, bytes]] = []
        self.moves = 0
        self._waiting: deque[tuple[int, HostMessage]] = deque()
        for player in range(size):
            self.say(player, Hello(protocol=PROTOCOL, program="bench", name=f"Player {player}"))
        keys = self.get_ready()
        for player in range(1, size):
            self.say(player, SetReady(ready=True, game_key=keys[player]))
        self.say(0, Start(game_key=keys[0]))
        while self._waiting:
            self.told(*self._waiting.popleft())
        host.store.close()

    def get_ready(self) -> list[bytes | None]:
        """Return the keys for a sealed game, none for an ordinary one."""
        return [None] * self.size

    def say(self, player: int, message: ClientMessage) -> Sent:
        """Send a message, and return what the host sends then."""
        frame = encode(message)
        self.said.append((player, frame))
        sent = self.host.hear(player, frame)
        self._waiting += sent
        return sent

    def told(self, player: int, message: HostMessage) -> None:
        """Take in what the host sends, and answer at random."""
        if isinstance(message, State) and message.you is not None:
            view = parse_view(message.view, FAMILIES.index(message.you))
            if view.legal:
                self.moves += 1
                action = self.rng.choice(view.legal).token
                self.say(player, Act(number=self.moves, revision=message.revision, action=action))


class SealedPlayers(Players):
    """The same at a sealed table, and how long their programs take."""

    def get_ready(self) -> list[bytes | None]:
        """Make their programs and return their keys."""
        self.people = [SealedPerson(self.rng) for _ in range(self.size)]
        self.seal_s, self.start_s = 0.0, [0.0] * self.size
        self.ways_s: list[float] = []
        """How long each act took to all."""
        self.lobbies: dict[int, Lobby] = {}
        self.answered = -1
        """After how many entries the last act was said."""
        for person in self.people:
            person.get_ready()
        return [person.public_key for person in self.people]

    def told(self, player: int, message: HostMessage) -> None:
        """Take in what the others' programs say; answer at random if it is one's turn."""
        person = self.people[player]
        if isinstance(message, Lobby):
            self.lobbies[player] = message
        elif isinstance(message, Sealed):
            parcels = [Parcel(*each) for each in message.parcels]
            if person.sealing is None:
                check = partial(
                    check_sealing,
                    lobby=self.lobbies[player],
                    key=person.public_key,
                    before=None,
                    counted=frozenset(),
                )
                output, took = timed(person.receive, parcels, check)
                self.seal_s = max(self.seal_s, took)
            else:
                begins = person.log is None
                output, took = timed(person.receive, parcels)
                self.start_s[player] += took * begins
            self._send(player, output.send)
        there = set(range(self.size))
        now = Situation(waited_s=0, agreeing=there, connected=there)
        self._send(player, person.advance(now, UNIX_S).send)
        log = person.log
        if not log or not log.due or log.due.opening is not None or log.due.seat != player:
            return
        if log.height > self.answered:
            self.answered = log.height
            self.moves += 1
            action = self.rng.choice(log.game.legal)
            began = perf_counter()
            sent = self._send(player, person.answer(player, action).send)
            way_s, took_s = perf_counter() - began, [0.0]
            for other, each in sent:
                if isinstance(each, Sealed):
                    parcels = [Parcel(*parcel) for parcel in each.parcels]
                    took_s.append(timed(self.people[other].receive, parcels)[1])
            self.ways_s.append(way_s + max(took_s))

    def _send(self, player: int, parcels: tuple[Parcel, ...]) -> Sent:
        if not parcels:
            return []
        return self.say(player, Sealed(tuple((each.body, each.signature) for each in parcels)))


def timed(call: Callable[..., _Result], *arguments: object) -> tuple[_Result, float]:
    """Return what a call returns, and how many seconds it takes."""
    began = perf_counter()
    return call(*arguments), perf_counter() - began


def measure(short: bool) -> list[Figure]:
    """Return the figures of tables of all sizes, and of hosting."""
    with TemporaryDirectory(prefix=".bench-", dir=Path(__file__).parents[2]) as folder:
        figures = medians(
            figure
            for size in ((HOSTED,) if short else SIZES)
            for seed in range(1 if short else GAMES)
            for figure in _game(seed, size, Path(folder) / f"{size} {seed}")
        )
    rate = {each.name: each.value for each in figures}
    ratio = rate["hosted_sealed_moves"] / rate["hosted_moves"]
    return [*figures, Figure("hosted_sealed_ratio", round(ratio, 2))]


def _game(seed: int, size: int, path: Path) -> Iterator[Figure]:
    """Yield what one game measures."""
    players = SealedPlayers(Host(seed, path, sealed=True), Random(seed), size)
    log = players.people[0].log
    assert log is not None
    again = SealedLog(log.dealing)
    entries = [timed(again.take, Parcel(*each.parcel))[1] for each in log.entries]
    yield Figure(f"seal_at_{size}", 1e3 * players.seal_s, "ms")
    yield Figure(f"start_at_{size}", 1e3 * max(players.start_s), "ms")
    yield Figure(f"entry_at_{size}", 1e6 * median(entries), "us")
    yield Figure(f"log_at_{size}", sum(len(p) for each in log.parcels() for p in each), "bytes")
    verify_s = timed(verified, sealed_record(log).to_json())[1]
    yield Figure(f"verify_at_{size}", 1e3 * verify_s, "ms")
    if size == HOSTED:
        ordinary = Players(Host(seed, path.with_suffix(".open"), sealed=False), Random(seed), size)
        yield Figure("hosted_moves", _hosted_rate(ordinary, seed, path.with_suffix(".1")), "1/s")
        rate = _hosted_rate(players, seed, path.with_suffix(".2"))
        yield Figure("hosted_sealed_moves", rate, "1/s")
        yield Figure("sealed_act_to_all", 1e3 * median(players.ways_s), "ms")


def _hosted_rate(players: Players, seed: int, path: Path) -> float:
    """Say to an equal table all that was said; return the moves in a second of a core."""
    host = Host(seed, path, sealed=isinstance(players, SealedPlayers))
    began = process_time()
    for player, frame in players.said:
        host.hear(player, frame)
    took = process_time() - began
    assert host.table.games.phase == players.host.table.games.phase == "result"
    host.store.close()
    return players.moves / took
