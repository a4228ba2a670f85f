"""One evening: persons, a host, a network and troubles, all from one seed."""

import gc
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from netcode import client
from netcode.client import ConnectError
from netcode.codec import decode_host, encode
from netcode.messages import Refused
from netcode.session import Session
from netcode.store import Store
from netcode.wire import WireClosedError
from tests.netcode.simulation import witness as witnesses
from tests.netcode.simulation.clockwork import Clockwork, Process
from tests.netcode.simulation.host import SECRET, Host
from tests.netcode.simulation.network import FAR_S, NEAR_S, Network
from tests.netcode.simulation.person import Manners, Person
from tests.netcode.simulation.troubles import Troubles
from tests.netcode.simulation.witness import Witness

PATIENCE_S: Final = 900.0
"""After the last trouble: by then a game is over, however long the longest absence was."""


class NeverEndsError(AssertionError):
    """The game was not over in time."""


@dataclass(frozen=True)
class Outcome:
    """What became of an evening."""

    trace: str
    """Equal for equal evenings."""
    steps: int
    """Of the loop."""
    seconds: float
    """Of pretend time."""
    crashes: int
    host_steps: int
    """Of the process of the host that ran last."""


class Evening:
    """A table of persons and bots who play one game."""

    def __init__(self, seed: int, folder: Path) -> None:
        rng = Random(seed)
        self.rng = rng
        self.loop = Clockwork(Random(rng.random()))
        self.witness = Witness(self.loop)
        self.network = Network(
            self.loop,
            Random(rng.random()),
            slowness=rng.choice((NEAR_S, NEAR_S, FAR_S)),
            narrowness=rng.choice((1, 1, 200)),
        )
        folder.mkdir(parents=True, exist_ok=True)
        self.host = Host(
            self.loop, self.network, self.witness, folder / f"{seed}.db", Random(rng.random())
        )
        persons = rng.choice((1, 2, 2, 2, 3, 3))
        manners = Manners(
            persons=persons,
            bots=max(3 - persons, rng.choice((0, 0, 1))),
            talkative=rng.choice((0.0, 0.05)),
            bossy=rng.choice((0.0, 0.0, 0.1)),
        )
        names = ("anna", "bert", "cleo")[:persons]
        watchers = rng.choice(((), (), (), ("dora",)))
        self.persons = [
            Person(
                name,
                self.loop,
                self.network,
                self.witness,
                Random(rng.random()),
                manners,
                self._look,
                watches=name in watchers,
            )
            for name in (*names, *watchers)
        ]
        self.troubles = Troubles(self, Random(rng.random()))
        self.intruders: list[Process] = []
        self._over = self.loop.create_future()

    def run(self) -> Outcome:
        """Play the evening to its end, and judge it."""
        before, client.decode_host = client.decode_host, witnesses.decode_host
        gc.disable()
        try:
            self.host.start()
            for person in self.persons:
                self.loop.later(self.rng.random(), person.start)
            self.troubles.begin()
            self.loop.run_until_complete(self._over)
            self._judge()
            return Outcome(
                self.witness.trace.hexdigest(),
                self.loop.steps,
                self.loop.now,
                self.host.crashes,
                self.host.last_steps,
            )
        finally:
            self._clear_away()
            client.decode_host = before
            gc.enable()

    def _look(self) -> None:
        """Look whether the evening is over."""
        if self._over.done():
            return
        failure = next((each.failure for each in self.persons if each.failure), None)
        if failure is not None:
            self._over.set_exception(failure)
        elif all(person.has_seen_the_end and person.process for person in self.persons):
            self._over.set_result(None)

    def intrude(self, key: bytes) -> None:
        """Have somebody come who shows a key that opens nothing any more."""
        process = Process("intruder", self.loop)

        async def break_in() -> None:
            with suppress(ConnectError, WireClosedError):
                wire = await self.network.connect("intruder", process)
                hello = Session(secret=SECRET)
                hello.key = key
                wire.send(encode(hello.hello("somebody")))
                answer = decode_host(await wire.receive())
                if not self._over.done() and not isinstance(answer, Refused):
                    self._over.set_exception(AssertionError("an old key opens a seat"))
                wire.abort()

        self.intruders.append(process)
        process.start(break_in)

    def give_up(self) -> None:
        """Wait no longer."""
        if not self._over.done():
            self._over.set_exception(NeverEndsError("the game does not end"))

    def _judge(self) -> None:
        table = self.host.table
        self.host.crash(silently=False)
        store = Store.open(self.host.path)
        try:
            found = store.unfinished()
            assert found is not None
            kept = store.load(found.table)
        finally:
            store.close()
        self.witness.judge(kept, table, [person.session for person in self.persons])
        assert not self.loop.errors, self.loop.errors

    def _clear_away(self) -> None:
        self.host.crash(silently=False)
        for person in self.persons:
            person.kill()
        for process in self.intruders:
            process.kill()
        dead: list[Process] = [*self.host.buried, *self.intruders]
        for person in self.persons:
            dead += person.buried
        for process in dead:
            process.bury()
        self.loop.wait_for_the_dead(dead)
        self.loop.close()
