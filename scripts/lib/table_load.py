"""What players do to a server, as a process: it sits down, plays known games and measures.

It speaks WebSocket by hand, over plain sockets, and makes nothing while time runs: what each
player sends, and every frame that they must then hold, is known before the game begins, from the
seed of the table's deals and from the rules. So it is several times as fast as what it measures.

One line of JSON is asked on standard input, one answered on standard output:

    {"do": "sit", "name": N, "port": P, "secrets": [...]}     tables N; {} when all have a seat
    {"do": "sit", "name": N, "port": P, "bare": [T, LETTERS]}  T tables of a server without rules
    {"do": "begin", "name": N}                                {} when all hold the first view
    {"do": "play", "name": N}                                 seconds, latencies_ms, state_bytes
    {"do": "leave", "name": N}                                {}
"""

import json
import os
import select
import socket
import struct
import sys
from collections.abc import Iterator, Sequence
from random import Random
from time import perf_counter
from typing import Any, Final, TypeVar

import msgpack

from engine.edition import SECOND_EDITION
from engine.game import Deal, Game
from netcode.codec import CodecError, decode_host, encode
from netcode.messages import (
    PROTOCOL,
    Act,
    FamilyLetter,
    Goodbye,
    Hello,
    HostMessage,
    Lobby,
    Refused,
    SetReady,
    Start,
    State,
    TableSettings,
    Welcome,
)
from netcode.play import Play

FAMILIES: Final[tuple[FamilyLetter, ...]] = ("r", "b", "g", "y")
"""In the order in which a table gives them to those who sit down."""

SETTINGS: Final = TableSettings()
"""Of the tables: those of a new one."""

UPGRADE: Final = (
    b"GET / HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)

PATIENCE_S: Final = 20.0
"""How long nothing may come before the measurement is given up."""


Message = TypeVar("Message", bound=HostMessage)


class UnexpectedError(Exception):
    """The server sent something else than the rules say, or nothing."""


def decoded(frame: bytes) -> HostMessage:
    """Return the message in a frame; raises UnexpectedError if it is none, or ends what we do."""
    try:
        message = decode_host(frame)
    except CodecError as error:
        raise UnexpectedError(f"{error.code}, of a frame that begins {frame[:40]!r}") from error
    if isinstance(message, Refused | Goodbye):
        raise UnexpectedError(message)
    return message


class Player:
    """One seat's connection."""

    __slots__ = ("_buffer", "acts", "awaited", "socket", "table")

    def __init__(self, port: int, table: "Table") -> None:
        self.table = table
        self.acts = 0
        """How many this player has sent."""
        self.awaited: bytes | None = None
        """The frame that the player must hold before the next act, unless they do."""
        self._buffer = b""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(UPGRADE)
        while b"\r\n\r\n" not in self._buffer:
            self._read()
        head, _, self._buffer = self._buffer.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 101 "):
            raise UnexpectedError(head)

    def say(self, frame: bytes) -> None:
        """Send a message's frame."""
        self.socket.sendall(masked(frame))

    def hear(self, kind: type[Message]) -> Message:
        """Return the next message of a kind, passing others over."""
        while True:
            message = decoded(self.next_frame())
            if isinstance(message, kind):
                return message

    def next_frame(self) -> bytes:
        """Return the payload of the next frame, waiting for it."""
        while (frame := next(self._frames(), None)) is None:
            self._read()
        return frame

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

    def attend(self) -> None:
        """Take what has come besides: pings, which are answered, and messages to pass over."""
        self._read()
        for frame in self._frames():
            decoded(frame)

    def _read(self) -> None:
        self._add(self.socket.recv(65536))

    def _add(self, data: bytes) -> None:
        if not data:
            raise UnexpectedError("the connection ended")
        self._buffer += data

    def _frames(self) -> Iterator[bytes]:
        """Take the payloads of whole frames out of what has come; pings are answered."""
        while len(self._buffer) >= 2:
            opcode, length = self._buffer[0] & 0x0F, self._buffer[1]
            start = 2
            if length == 126:
                start = 4
                if len(self._buffer) < start:
                    return
                (length,) = struct.unpack_from("!H", self._buffer, 2)
            if length == 127:
                raise UnexpectedError("a frame of more than 64 KiB")
            end = start + length
            if len(self._buffer) < end:
                return
            payload, self._buffer = self._buffer[start:end], self._buffer[end:]
            if opcode == 2:
                yield payload
            elif opcode == 9:
                self.socket.sendall(masked(payload, 0x8A))
            elif opcode == 8:
                raise UnexpectedError("the connection was closed")


class Table:
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

    def begin(self) -> None:
        """Get to the first view of another game."""
        raise NotImplementedError

    def foresee(self) -> None:
        """Play the game beforehand."""
        raise NotImplementedError

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
    def over(self) -> bool:
        """Whether the game has no other act."""
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
        if self._games:
            host.say(ready)
        for player in others:
            player.say(ready)
        if not self._games:
            while host.hear(Lobby).missing is not None:
                pass
            host.say(encode(Start()))
        for player in self.players:
            player.hear(State)
        self._games += 1
        self._revision += 1

    def foresee(self) -> None:
        """Play the game beforehand."""
        deal = Deal.shuffled(self._deals, "".join(FAMILIES), SECOND_EDITION, self._first)
        self._first = (deal.first + 1) % len(FAMILIES)
        play, game = Play(self._games, deal, SETTINGS), Game.start(deal)
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


def masked(payload: bytes, first: int = 0x82) -> bytes:
    """Return a client's WebSocket frame; its mask is zero, so the payload stays as it is."""
    assert len(payload) < 126
    return bytes((first, 0x80 | len(payload))) + bytes(4) + payload


def unmasked(payload: bytes) -> bytes:
    """Return a server's WebSocket frame."""
    if len(payload) < 126:
        return bytes((0x82, len(payload))) + payload
    return b"\x82\x7e" + struct.pack("!H", len(payload)) + payload


def payload(frame: bytes) -> bytes:
    """Return what is in a server's WebSocket frame."""
    return frame[4 if frame[1] == 126 else 2 :]


def play(tables: Sequence[Table]) -> dict[str, Any]:
    """Play the games of some tables side by side; measure until the first is over."""
    poll = select.poll()
    players: dict[int, Player] = {}
    for table in tables:
        for player in table.players:
            players[player.socket.fileno()] = player
            poll.register(player.socket, select.POLLIN)
    latencies: list[float] = []
    for table in tables:
        table.foresee()
    start = perf_counter()
    seconds = 0.0
    for table in tables:
        table.act()
    left = len(tables)
    while left:
        ready = poll.poll(PATIENCE_S * 1000)
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
            if not table.over:
                table.act()
            else:
                left -= 1
                seconds = seconds or now - start
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
    core = int(sys.argv[1])
    if core >= 0:
        os.sched_setaffinity(0, {core})
    club = Club()
    for line in sys.stdin:
        print(json.dumps(club.do(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
