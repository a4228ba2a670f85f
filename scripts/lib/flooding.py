"""Somebody who floods a club, as a process: a kind of flood after the other, none of them patient.

Each comes from an address of its own where the system has more than one of them for itself (as
Linux has), so that none is held back for another's sake. What it is answered is read and dropped.
It gives way to whatever else the core has to do.

One line of JSON is asked on standard input, one answered on standard output:

    {"do": "begin", "kind": K, "port": P, "club": SECRET, "secrets": [...], "rooms": [...],
     "tables": N}         {} once the flood has begun; it has N tables of its own if it needs any
    {"do": "end"}         steps_per_s: how many things it has done; all connections are closed then
"""

import json
import os
import select
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import count, cycle
from time import perf_counter, sleep
from typing import Any, Final, TypeAlias

from engine.cards import MAXIMUM_PLAYERS
from netcode.joining.spoken_code import SpokenCodeClient
from netcode.protocol.club_messages import Club
from netcode.protocol.code_messages import Knock, Prove
from netcode.protocol.codec import encode
from netcode.protocol.fields import MAXIMUM_SPECTATORS
from netcode.protocol.messages import (
    PROTOCOL,
    Admitted,
    ChangeSettings,
    Chat,
    Hello,
    Leave,
    OpenTable,
    TableSettings,
    Welcome,
)
from scripts.lib.raw_client import Connection, UnexpectedError, masked

STEPS_PER_S: Final = 400
"""More than what one network is let do of anything."""

FIRST_STEPS: Final = 16
"""Before a flood counts as begun."""

AT_ONCE: Final = 8
"""Connections of a flood of visits."""

BETWEEN_TRIES_S: Final = 0.1
"""Between two tries of a flood's company to come in."""

TRIES: Final = 50
"""How often each of them tries, at most."""

PATIENCE_S: Final = 1.0
"""For a connection that does not come to be."""


class Flooder(Connection):
    """One connection of a flood."""

    def __init__(self, port: int, source: str) -> None:
        super().__init__(port, source, PATIENCE_S)
        self._unsent = b""

    def push(self, frame: bytes) -> None:
        """Send a frame as far as the server lets it; raises OSError once that is over."""
        self._unsent = self._unsent or masked(frame)
        self.socket.setblocking(False)
        with suppress(BlockingIOError):
            self._unsent = self._unsent[self.socket.send(self._unsent) :]

    def drop(self) -> None:
        """Drop what has come; raises OSError and UnexpectedError once the connection has ended."""
        if not self.socket.recv(65536):
            raise UnexpectedError("the connection ended")


class Target:
    """A club, and what is known of it."""

    def __init__(self, asked: dict[str, Any], source: str) -> None:
        self.club = bytes.fromhex(asked["club"])
        self.secret = bytes.fromhex(asked["secrets"][0])
        """Of a table where others play."""
        self.room: str = asked["rooms"][0]
        """Of the same table."""
        self.tables: int = asked["tables"]
        self._port: int = asked["port"]
        self._source = source
        self.connections: dict[int, Flooder] = {}
        self._poll = select.poll()

    def connect(self, tries: int = 1) -> Flooder:
        """Return a new connection; raises OSError and UnexpectedError.

        Who comes with many sockets at once is let in only after some `tries`.
        """
        try:
            new = Flooder(self._port, self._source)
        except OSError:
            if tries == 1:
                raise
            sleep(BETWEEN_TRIES_S)
            return self.connect(tries - 1)
        self.connections[new.socket.fileno()] = new
        self._poll.register(new.socket, select.POLLIN)
        return new

    def close(self, connection: Flooder) -> None:
        """Close a connection, unless it is closed."""
        if self.connections.pop(connection.socket.fileno(), None) is not None:
            self._poll.unregister(connection.socket)
            connection.socket.close()

    def drop(self) -> None:
        """Drop all that has come, and connections that have ended."""
        for descriptor, _ in self._poll.poll(0):
            try:
                self.connections[descriptor].drop()
            except (OSError, UnexpectedError):
                self.close(self.connections[descriptor])


class Toggling:
    """One member toggles the settings of tables of their own, at each of which is all company."""

    def __init__(self, target: Target) -> None:
        hosts = [self._open(target) for _ in range(target.tables)]
        self._next = cycle(
            (host, encode(ChangeSettings(settings=TableSettings(edition=edition))))
            for edition in (1, 2)
            for host in hosts
        )

    def _open(self, target: Target) -> Flooder:
        host = target.connect(TRIES)
        host.say(hello("host", target.club))
        host.hear(Club)
        host.say(encode(OpenTable(settings=TableSettings())))
        secret = host.hear(Admitted).secret
        host.say(hello("host", secret))
        host.hear(Welcome)
        for number in range(1, MAXIMUM_PLAYERS + MAXIMUM_SPECTATORS):
            participant = target.connect(TRIES)
            participant.say(hello(f"guest {number}", secret, spectator=number >= MAXIMUM_PLAYERS))
            participant.hear(Welcome)
        return host

    def step(self) -> None:
        """Change the settings of one table."""
        host, frame = next(self._next)
        host.push(frame)


class Visits:
    """Connections that come, say something, and go, a few at once and one after the other."""

    def __init__(self, script: "Script", target: Target) -> None:
        self._target = target
        self._script = script
        self._numbers = count()
        self._visits = cycle([self._visit() for _ in range(AT_ONCE)])

    def step(self) -> None:
        """Have the next of those who are there do the next thing."""
        next(next(self._visits))

    def _visit(self) -> Iterator[None]:
        while True:
            frames = self._script(self._target, next(self._numbers))
            try:
                connection = self._target.connect()
                yield
                for frame in frames:
                    connection.push(frame)
                    yield
            except (OSError, UnexpectedError):
                # Sent away.
                yield
            else:
                self._target.close(connection)


Script = Callable[[Target, int], Sequence[bytes]]
"""Says which frames the visit of a number consists of."""


def openings(target: Target, number: int) -> Sequence[bytes]:
    """Open a table as a member."""
    return hello("opener", target.club), encode(OpenTable(settings=TableSettings()))


def chat(target: Target, number: int) -> Sequence[bytes]:
    """Chat where others play, under a name of its own, and leave."""
    lines = (encode(Chat(text=f"{number} was here, {each}")) for each in range(6))
    name = f"visitor {number}"
    return hello(name, target.secret, spectator=True), *lines, encode(Leave())


def knocks(target: Target, number: int) -> Sequence[bytes]:
    """Guess the spoken code of a table where others play."""
    guess = encode(Knock(protocol=PROTOCOL, room=target.room, share=_SHARE))
    return guess, encode(Prove(proof=bytes(32))), guess, encode(Prove(proof=bytes(32)))


def garbage(target: Target, number: int) -> Sequence[bytes]:
    """Send frames that are no messages, some to where others play."""
    frames = [b"\xdd\x7f\xff\xff\xff", b"\x91" * 1000, b"\x81\xa1a" * 300, b"", bytes(2000)]
    if number % 2:
        frames.insert(0, hello(f"noise {number}", target.secret, spectator=True))
    return frames


def connections(target: Target, number: int) -> Sequence[bytes]:
    """Come and go, without a word."""
    return ()


Flood: TypeAlias = Toggling | Visits

FLOODS: Final[dict[str, Callable[[Target], Flood]]] = {
    "settings": Toggling,
    **{
        script.__name__: partial(Visits, script)
        for script in (openings, chat, knocks, garbage, connections)
    },
}
"""The kinds of floods, by name."""


def hello(name: str, secret: bytes, spectator: bool = False) -> bytes:
    """Return the frame with which somebody comes."""
    return encode(
        Hello(protocol=PROTOCOL, program="bench", name=name, secret=secret, spectator=spectator)
    )


_SHARE: Final = SpokenCodeClient("22222222", b"").share


class Floods:
    """One flood after the other."""

    def __init__(self) -> None:
        self._begun = 0
        self._steps, self._since = 0, 0.0
        self._current: tuple[Flood, Target] | None = None

    def do(self, asked: dict[str, Any]) -> dict[str, Any]:
        """Do what the parent asks; return the answer."""
        if asked["do"] == "begin":
            self._begun += 1
            target = Target(asked, source(self._begun))
            self._current = FLOODS[asked["kind"]](target), target
            self._steps, self._since = 0, perf_counter()
            for _ in range(FIRST_STEPS):
                self._step(*self._current)
            return {}
        assert self._current is not None
        _, target = self._current
        for connection in list(target.connections.values()):
            target.close(connection)
        self._current = None
        return {"steps_per_s": self._steps / (perf_counter() - self._since)}

    def go_on_until_asked(self) -> None:
        """Flood until there is something to read on standard input."""
        due = perf_counter()
        while self._current is not None:
            if select.select([sys.stdin], [], [], max(0.0, due - perf_counter()))[0]:
                return
            self._step(*self._current)
            due += 1 / STEPS_PER_S

    def _step(self, flood: Flood, target: Target) -> None:
        # A host who toggles may have been sent away; the others go on.
        with suppress(OSError):
            flood.step()
        target.drop()
        self._steps += 1


def source(number: int) -> str:
    """Return an address of this machine to come from, another for each number if there are any."""
    address = f"127.0.1.{number}"
    with socket.socket() as tried:
        try:
            tried.bind((address, 0))
        except OSError:
            return "127.0.0.1"
    return address


def main() -> None:
    """Do what is asked until nobody asks any more."""
    os.nice(10)
    floods = Floods()
    for line in sys.stdin:
        print(json.dumps(floods.do(json.loads(line))), flush=True)
        floods.go_on_until_asked()


if __name__ == "__main__":
    main()
