"""What players do to a server, as a process: it sits down, plays known games and measures.

It makes nothing while time runs: what each player sends, and every frame that they must then hold,
is known before the game begins, from the seed of the table's deals and from the rules. So it is
several times as fast as what it measures.

One line of JSON is asked on standard input, one answered on standard output:

    {"do": "sit", "name": N, "port": P, "secrets": [...]}     tables N; {} when all have a seat
    {"do": "sit", "name": N, "port": P, "bare": [T, LETTERS]}  T tables of a server without rules
    {"do": "begin", "name": N}                                {} when all hold the first view
    {"do": "play", "name": N}                                 seconds, latencies_ms, state_bytes
    {"do": "leave", "name": N}                                {}
"""

import json
import select
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from random import Random
from time import perf_counter
from typing import Any, Final

import msgpack

from engine.edition import SECOND_EDITION
from engine.game import Deal, Game
from netcode.protocol.codec import encode
from netcode.protocol.fields import FamilyLetter
from netcode.protocol.messages import (
    PROTOCOL,
    Act,
    Hello,
    Lobby,
    SetReady,
    Start,
    State,
    TableSettings,
    Welcome,
)
from netcode.table.live_game import LiveGame
from scripts.lib.raw_client import (
    PATIENCE_S,
    Connection,
    UnexpectedError,
    decoded,
    masked,
    payload,
    unmasked,
)

FAMILIES: Final[tuple[FamilyLetter, ...]] = ("r", "b", "g", "y")
"""In the order in which a table gives them to those who sit down."""

SETTINGS: Final = TableSettings()
"""Of the tables: those of a new one."""


class Player(Connection):
    """One seat's connection."""

    def __init__(self, port: int, table: "Table") -> None:
        super().__init__(port)
        self.table = table
        self.acts = 0
        """How many this player has sent."""
        self.awaited: bytes | None = None
        """The frame that the player must hold before the next act, unless they do."""

    def take(self) -> bool:
        """Read what has come; return whether what was awaited is among it."""
        data = self.socket.recv(65536)
        if data == self.awaited and not self._buffer:
            self.awaited = None
            return True
        self._add(data)
        came = False
        for frame in self._frames():
            if unmasked(frame) == self.awaited:
                self.awaited, came = None, True
            elif isinstance(decoded(frame), State):
                raise UnexpectedError(f"another state than the rules say: {frame!r}")
        return came


class Table(ABC):
    """Four players and the game that is known beforehand."""

    def __init__(self, port: int, number: int) -> None:
        self.number = number
        self.players = [Player(port, self) for _ in FAMILIES]
        self.frames: list[tuple[int, bytes, list[bytes]]] = []
        """Of the game: who acts, with which frame, and what each must hold then."""
        self.next = 0
        """The act of the game that comes next."""
        self.missing = 0
        """How many do not hold the view after the last act."""
        self.sent = 0.0
        """When that was sent."""

    @abstractmethod
    def begin(self) -> None:
        """Get to the first view of another game."""

    @abstractmethod
    def foresee(self) -> None:
        """Play the game beforehand."""

    def act(self) -> None:
        """Send the next act."""
        seat, frame, states = self.frames[self.next]
        self.next += 1
        self.missing = len(states)
        for player, state in zip(self.players, states, strict=True):
            player.awaited = state
        self.sent = perf_counter()
        self.players[seat].socket.send(frame)

    @property
    def done(self) -> bool:
        """Whether there is no other act to send."""
        return self.next == len(self.frames)


class RealTable(Table):
    """A table of the server that is measured; its deals are those of `Random(number)`."""

    def __init__(self, port: int, number: int, secret: bytes) -> None:
        super().__init__(port, number)
        self._deals = Random(number)
        self._choices = Random(number)
        self._games = 0
        self._first: int | None = None
        self._revision = 0
        for seat, player in enumerate(self.players):
            player.say(
                encode(
                    Hello(protocol=PROTOCOL, program="bench", name=f"player {seat}", secret=secret)
                )
            )
            player.hear(Welcome)

    def begin(self) -> None:
        """Get to the first view of another game."""
        ready = encode(SetReady(ready=True))
        host, *others = self.players
        for player in others:
            player.say(ready)
        while not _all_ready(host.hear(Lobby)):
            pass
        # Without the count to it that people see.
        host.say(encode(Start()))
        for player in self.players:
            player.hear(State)
        self._games += 1
        self._revision += 1

    def foresee(self) -> None:
        """Play the game beforehand."""
        deal = Deal.shuffled(self._deals, "".join(FAMILIES), SECOND_EDITION, self._first)
        self._first = (deal.first + 1) % len(FAMILIES)
        play, game = LiveGame(self._games, deal, SETTINGS), Game.start(deal)
        self.frames, self.next = [], 0
        while not game.over:
            action, seat, since = self._choices.choice(game.legal), game.turn, play.length
            player = self.players[seat]
            player.acts += 1
            act = Act(number=player.acts, revision=self._revision, action=action.token)
            self._revision += 1
            game = game.play(action)
            play.act(seat, action.token)
            states = [
                unmasked(encode(play.state(viewer, family, self._revision, since)))
                for viewer, family in enumerate(FAMILIES)
            ]
            self.frames.append((seat, masked(encode(act)), states))


def _all_ready(lobby: Lobby) -> bool:
    """Whether all but the host are ready for another game."""
    return len(lobby.seats) == len(FAMILIES) and all(
        seat.ready or seat.host for seat in lobby.seats
    )


class BareTable(Table):
    """A table of a server that hands frames of one size out and knows nothing else."""

    def __init__(self, port: int, number: int, letters: int) -> None:
        super().__init__(port, number)
        self._filler = "x" * letters
        self._revision = 0
        for player in self.players:
            player.say(msgpack.packb({"type": "hello", "table": number, "filler": letters}))
            player.next_frame()

    def begin(self) -> None:
        """Do nothing: there are no games."""

    def foresee(self) -> None:
        """Prepare some acts."""
        self.frames, self.next = [], 0
        for index in range(ACTS_OF_A_GAME):
            act = Act(number=index + 1, revision=self._revision, action="S>")
            self._revision += 1
            fields = {"type": "state", "revision": self._revision, "view": self._filler}
            state = unmasked(msgpack.packb(fields))
            frame = masked(encode(act))
            self.frames.append((index % len(FAMILIES), frame, [state] * len(FAMILIES)))


ACTS_OF_A_GAME: Final = 67
"""Of four players who choose at random; on average."""


def play(tables: Sequence[Table]) -> dict[str, Any]:
    """Play the games that have begun side by side; measure until the first is over."""
    poll = select.poll()
    players: dict[int, Player] = {}
    for table in tables:
        for player in table.players:
            players[player.socket.fileno()] = player
            poll.register(player.socket, select.POLLIN)
    latencies: list[float] = []
    start = perf_counter()
    seconds = 0.0
    left = len(tables)
    for table in tables:
        table.act()
    while left:
        ready = poll.poll(1000 * PATIENCE_S)
        if not ready:
            raise UnexpectedError("nothing comes any more")
        for descriptor, _ in ready:
            player = players[descriptor]
            if not player.take():
                continue
            table = player.table
            table.missing -= 1
            if table.missing:
                continue
            now = perf_counter()
            if not seconds:
                latencies.append(now - table.sent)
            if table.done:
                left -= 1
                seconds = seconds or now - start
            else:
                table.act()
    return {
        "seconds": seconds,
        "latencies_ms": [1000 * each for each in latencies],
        "state_bytes": [
            len(payload(state))
            for table in tables
            for _, _, states in table.frames
            for state in states
        ],
    }


class Club:
    """All tables of all servers."""

    def __init__(self) -> None:
        self._tables: dict[object, list[Table]] = {}
        self._players: dict[int, Player] = {}
        self._poll = select.poll()

    def do(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Do what the parent asks; return the answer."""
        self._attend()
        name = asked["name"]
        match asked["do"]:
            case "sit":
                self._tables[name] = []
                for table in _tables(asked):
                    self._tables[name].append(table)
                    for player in table.players:
                        self._players[player.socket.fileno()] = player
                        self._poll.register(player.socket, select.POLLIN)
                    self._attend()
            case "begin":
                for table in self._tables[name]:
                    table.begin()
                    table.foresee()
                    self._attend()
            case "play":
                return play(self._tables[name])
            case _:
                for table in self._tables.pop(name):
                    for player in table.players:
                        self._poll.unregister(player.socket)
                        del self._players[player.socket.fileno()]
                        player.socket.close()
        return {}

    def _attend(self) -> None:
        """Answer the pings of those who do not play."""
        for descriptor, _ in self._poll.poll(0):
            self._players[descriptor].attend()


def _tables(asked: dict[str, Any]) -> Iterator[Table]:
    port = asked["port"]
    if "bare" in asked:
        number, letters = asked["bare"]
        for each in range(number):
            yield BareTable(port, each, letters)
    else:
        for each, secret in enumerate(asked["secrets"]):
            yield RealTable(port, each, bytes.fromhex(secret))


def main() -> None:
    """Do what is asked until nobody asks any more."""
    club = Club()
    for line in sys.stdin:
        print(json.dumps(club.do(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
