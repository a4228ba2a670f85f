"""Measures sealed play: an act at a table, and a program that checks and verifies a game.

A game is played at random through a table with its journal and a client for each person, all in one
process. Figures are medians over some games.
"""

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final, TypeVar

from engine.actions import Action
from netcode.protocol.codec import decode_client, encode
from netcode.protocol.fields import Message
from netcode.protocol.messages import PROTOCOL, Hello, Lobby, SetReady, Start
from netcode.protocol.table_settings import TableSettings
from netcode.storage.store import Store
from netcode.table.effects import Effect, Keep, Send
from netcode.table.snapshot import TableAccess
from netcode.table.table import Table
from netcode.wings.sealed.game.game_log import SealedLog
from netcode.wings.sealed.game.parcels import Parcel
from netcode.wings.sealed.game.proven_record import sealed_record, verify_record
from netcode.wings.sealed.game.sealed_person import SealedPerson
from netcode.wings.sealed.game.sealing import check_sealing
from netcode.wings.sealed.game.votes import Situation
from netcode.wings.sealed.messages import FROM_SEALED_CLIENT, Sealed
from scripts.lib.figures import Figure, medians

SIZES: Final = (3, 4, 5)
"""The numbers of players. Each player has one seat."""

GAMES: Final = 7
"""Number of games for each size."""

UNIX_S: Final = 1_800_000_000

_Result = TypeVar("_Result")


class Players:
    """The players of one random game and their host. The same seed plays the same game."""

    def __init__(self, seed: int, size: int, path: Path) -> None:
        self.rng = rng = Random(seed)
        self.store = Store.open(path)
        settings = TableSettings(first="r", pace_ms=0, sealed=True)
        self.table = Table(
            rng, lambda: rng.randbytes(32), settings=settings, unix_time=lambda: UNIX_S
        )
        self._keep(self.table.open(TableAccess(bytes(12), "H7KDPX2A")))
        self.people = [SealedPerson(rng) for _ in range(size)]
        self.lobbies: dict[int, Lobby] = {}
        self.ways_s: list[float] = []
        """For each act, the seconds until all players have it."""
        self.answered = -1
        """Number of entries in the log when the last act was sent; -1 before the first act."""
        self._waiting: deque[tuple[int, Message]] = deque()
        for person in self.people:
            person.get_ready()
        keys = [person.public_key for person in self.people]
        for player in range(size):
            self._handle(player, Hello(protocol=PROTOCOL, program="bench", name=f"Player {player}"))
        for player in range(1, size):
            self._handle(player, SetReady(ready=True, game_key=keys[player]))
        self._handle(0, Start(game_key=keys[0]))
        while self._waiting:
            self._received(*self._waiting.popleft())
        self.store.close()

    def _handle(self, player: int, message: Message) -> list[tuple[int, Message]]:
        """Pass a player's message to the table as a server would, without sockets.

        Returns the messages that the table sends.
        """
        received = decode_client(encode(message), FROM_SEALED_CLIENT)
        effects = self.table.receive(player, received, 0.0)
        self._keep(effects)
        sent = [(each.connection, each.message) for each in effects if isinstance(each, Send)]
        for _, each in sent:
            encode(each)
        self._waiting += sent
        return sent

    def _keep(self, effects: list[Effect]) -> None:
        for effect in effects[:1]:
            if isinstance(effect, Keep):
                self.store.commit({1: effect}, UNIX_S)

    def _received(self, player: int, message: Message) -> None:
        """Receive a message in a player's program. If it is the player's turn, answer at random."""
        person = self.people[player]
        if isinstance(message, Lobby):
            self.lobbies[player] = message
        elif isinstance(message, Sealed):
            check = partial(
                check_sealing,
                lobby=self.lobbies[player],
                key=person.public_key,
                before=None,
                counted=frozenset(),
            )
            person.receive(parcels_of(message), check)
            self._send(player)
        there = set(range(len(self.people)))
        now = Situation(waited_s=0, agreeing=there, connected=there)
        person.advance(now, UNIX_S)
        self._send(player)
        log = person.log
        if not log or not log.due or log.due.opening is not None or log.due.seat != player:
            return
        if log.height > self.answered:
            self.answered = log.height
            action = self.rng.choice(log.game.legal)
            sent, way_s = timed(self._answer, player, action)
            took_s = [
                timed(self.people[other].receive, parcels_of(each))[1]
                for other, each in sent
                if isinstance(each, Sealed)
            ]
            self.ways_s.append(way_s + max(took_s, default=0.0))

    def _answer(self, player: int, action: Action) -> list[tuple[int, Message]]:
        self.people[player].answer(player, action)
        return self._send(player)

    def _send(self, player: int) -> list[tuple[int, Message]]:
        parcels = self.people[player].output().send
        if not parcels:
            return []
        return self._handle(player, Sealed(tuple((each.body, each.signature) for each in parcels)))


def parcels_of(message: Sealed) -> list[Parcel]:
    """Return the parcels in a message."""
    return [Parcel(*each) for each in message.parcels]


def timed(call: Callable[..., _Result], *arguments: object) -> tuple[_Result, float]:
    """Return the result of a call, and the seconds that the call took."""
    began = perf_counter()
    return call(*arguments), perf_counter() - began


def measure(short: bool) -> list[Figure]:
    """Return the figures of tables of all sizes."""
    with TemporaryDirectory(prefix=".bench-", dir=Path(__file__).parents[2]) as folder:
        return medians(
            figure
            for size in (SIZES[:1] if short else SIZES)
            for seed in range(1 if short else GAMES)
            for figure in _game(seed, size, Path(folder) / f"{size} {seed}")
        )


def _game(seed: int, size: int, path: Path) -> Iterator[Figure]:
    players = Players(seed, size, path)
    log = players.people[0].log
    assert log is not None
    again = SealedLog(log.dealing)
    entries = [timed(again.take, Parcel(*each.parcel))[1] for each in log.entries]
    yield Figure(f"entry_at_{size}", 1e6 * median(entries), "us")
    yield Figure(f"log_at_{size}", sum(len(p) for each in log.parcels() for p in each), "bytes")
    verify_s = timed(verify_record, sealed_record(log).to_json())[1]
    yield Figure(f"verify_at_{size}", 1e3 * verify_s, "ms")
    yield Figure(f"act_to_all_at_{size}", 1e3 * median(players.ways_s), "ms")
