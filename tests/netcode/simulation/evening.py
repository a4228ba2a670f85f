"""Simulates one evening from one seed: persons, a host, a network and troubles."""

import gc
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest
from msgspec import structs

from engine.ranking import PLAYERS_OF_TWO
from engine.record import Record
from netcode.client import connection
from netcode.client.connection import ConnectError
from netcode.client.session import Session
from netcode.protocol.codec import encode
from netcode.protocol.messages import Refused
from netcode.storage.history import History
from netcode.storage.store import Store
from netcode.table.table import Table
from netcode.transport.channel import ChannelClosedError
from tests.netcode.simulation.clockwork import Clockwork, Process
from tests.netcode.simulation.host import Host, WatchedTable
from tests.netcode.simulation.network import FAR_S, NEAR_S, Network
from tests.netcode.simulation.person import Manners, MortalLine, Person
from tests.netcode.simulation.troubles import Troubles
from tests.netcode.simulation.witness import Witness, decode_host
from tests.support.dates import unix_time
from tests.support.wings import modules

FOR_TWO = 0.25
"""The share of evenings with one or two persons that play at a table for two."""


LATE = 7
"""One evening in this many has a spectator who asks for a bot's seat."""


class NeverEndsError(AssertionError):
    """The game did not end within `PATIENCE_S`."""


@dataclass(frozen=True)
class Outcome:
    """The result of an evening without errors."""

    trace: str
    """A digest of the run; equal evenings have equal digests."""
    steps: int
    """Number of the loop's steps."""
    seconds: float
    crashes: int
    """Number of the host's crashes, with the one at the end of the evening."""
    host_moments: int
    """Number of moments of the host's last process."""


class Evening:
    """A table of persons and bots that play one game."""

    names: tuple[str, ...] = ("anna", "bert", "cleo")

    def __init__(self, seed: int, folder: Path, crash_at: int | None = None) -> None:
        """Prepare the evening of a seed.

        Args:
            seed: The seed of all random choices.
            folder: The folder for the host's disk.
            crash_at: The number of moments before the host crashes, without any other trouble;
                None for random troubles.
        """
        rng = Random(seed)
        self.rng = rng
        self.loop = Clockwork(Random(rng.random()))
        self.loop.alarm = self._fail
        self.witness = Witness(self.loop, self._fail)
        self.network = Network(
            self.loop,
            Random(rng.random()),
            slowness=rng.choice((NEAR_S, NEAR_S, FAR_S)),
            narrowness=rng.choice((1, 1, 20)),
        )
        folder.mkdir(parents=True, exist_ok=True)
        for left in folder.glob(f"{seed}.*"):
            # Delete the table of an earlier evening, so that the host opens a new one.
            left.unlink()
        others = modules("simulation")
        self.host = Host(
            self.loop,
            self.network,
            self.witness,
            folder / f"{seed}.db",
            Random(rng.random()),
            others=others[0] if rng.random() < 0.3 and others else None,
        )
        # Use a separate random generator, so that all other evenings stay the same.
        two = Random(f"two {seed}").random() < FOR_TWO
        self.sleep_after_s = rng.choice((0.5, 5.0, 120.0))
        """Seconds after which the server may unload a table without players."""
        persons = rng.choice((1, 2, 2, 2, 3, 3))
        manners = Manners(
            persons=persons,
            bots=max(3 - persons, rng.choice((0, 0, 1))),
            bot=rng.choice(("random", "sharp")),
            talkative=rng.choice((0.0, 0.1)),
            bossy=rng.choice((0.0, 0.0, 0.1)),
        )
        if two and persons <= PLAYERS_OF_TWO:
            manners = replace(manners, bots=PLAYERS_OF_TWO - persons)
            self.host.settings = structs.replace(self.host.settings, two=True)
        manners = self._prepare(seed, folder, manners)
        names = self.names[: manners.persons]
        watchers = rng.choice(((), (), (), ("dora",)))
        self.persons = [
            self.person(
                name,
                self.loop,
                self.network,
                self.witness,
                Random(rng.random()),
                manners,
                self._look,
                settings=self.host.settings,
                opens=name == names[0],
                watches=name in watchers,
                make_line=self.make_line,
            )
            for name in (*names, *watchers)
        ]
        if seed % LATE == 0 and self.make_line is None:
            # Use a separate random generator, so that this person changes nobody else's.
            late = self.person(
                "emil",
                self.loop,
                self.network,
                self.witness,
                Random(f"late {seed}"),
                manners,
                self._look,
                settings=self.host.settings,
                opens=False,
                watches=True,
                wants_seat=True,
            )
            self.persons.append(late)
        self.troubles = Troubles(self, Random(rng.random()))
        self._crash_at = crash_at
        self.intruders: list[Process] = []
        self._over = self.loop.create_future()

    person: type[Person] = Person
    make_line: Callable[[Person], MortalLine] | None = None
    """Makes the interpreter of a person's program at a sealed table; None at ordinary tables."""

    def _prepare(self, seed: int, folder: Path, manners: Manners) -> Manners:
        """Let a subclass prepare its evening; return the manners of the evening."""
        return manners

    def run(self) -> Outcome:
        """Play the evening to its end, judge it, and return the outcome."""
        # Collect no garbage: it would be collected at other moments in another run.
        gc.disable()
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(connection, "decode_host", decode_host)
                for other in modules("simulation"):
                    other.patch(patch, WatchedTable, self.sleep_after_s)
                patch.setattr(WatchedTable, "witness", self.witness, raising=False)
                return self._run()
        finally:
            self._clear_away()
            gc.enable()

    def _run(self) -> Outcome:
        self.host.start()
        if self._crash_at is None:
            self.troubles.begin()
        else:
            self.troubles.crash_once(self._crash_at)
        for person in self.persons:
            self.loop.later(self.rng.random(), person.start)
        self.loop.run_until_complete(self._over)
        self._judge()
        return Outcome(
            self.witness.trace.hexdigest(),
            self.loop.steps,
            self.loop.now,
            self.host.crashes,
            self.host.last_moments,
        )

    def _look(self) -> None:
        """End the evening if a person has failed, or once all have seen the result and it is
        stored.
        """
        if self._over.done():
            return
        failure = next((each.failure for each in self.persons if each.failure), None)
        if failure is not None:
            self._fail(failure)
        elif all(person.has_seen_the_end and person.process for person in self.persons):
            if self.host.owes:
                self.loop.later(1.0, self._look)
            else:
                self._over.set_result(None)

    def intrude(self, secret: bytes, key: bytes) -> None:
        """Connect a stranger with an outdated key, whom the host must refuse."""
        process = Process("intruder", self.loop)

        async def break_in() -> None:
            with suppress(ConnectError, ChannelClosedError):
                channel = await self.network.connect("intruder", process)
                session = Session(secret=secret)
                session.key = key
                channel.send(encode(session.hello("somebody")))
                answer = decode_host(await channel.receive())
                if not isinstance(answer, Refused):
                    self._fail(AssertionError("an old key opens a seat"))
                channel.abort()

        self.intruders.append(process)
        process.start(break_in)

    def give_up(self) -> None:
        """End the evening with a NeverEndsError."""
        self._fail(NeverEndsError("the game does not end"))

    def _fail(self, error: Exception) -> None:
        """End the evening with an error, unless it has ended."""
        if not self._over.done():
            self._over.set_exception(error)

    def _judge(self) -> None:
        entry = self.host.entry
        self.host.crash(silently=False)
        store = Store.open(self.host.path)
        try:
            kept = store.load(entry.number)
        finally:
            store.close()
        with History.open(self.host.path) as history:
            (past,) = history.games()
            record = history.record(past.id)
        assert past.outcome == "finished"
        began = Record.from_json(kept.game.record)
        assert record._replace(ended=None) == began._replace(actions=kept.game.actions)
        # The server may have unloaded the table since the last player saw the end.
        table = entry.table or Table.restore(kept, self.rng, lambda: b"", unix_time=unix_time)
        self.witness.judge(kept, table, [person.session for person in self.persons])

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
