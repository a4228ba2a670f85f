"""A pretend network whose host crashes at any moment and is brought back from its journal.

What guests were told before a crash is remembered, and after it everything must agree with it.
"""

from pathlib import Path
from random import Random
from typing import Any

from engine.game import Deal
from netcode.protocol.messages import (
    Act,
    AddBot,
    Remove,
    SetReady,
    Start,
    State,
    TableMessage,
    TableSettings,
)
from netcode.storage.store import Store
from netcode.table.effects import Effect, Keep, Send, Think
from netcode.table.snapshot import Opened
from netcode.table.table import Table
from tests.support.pretend import Network, Participant, asked

PORT = 4000

OPENED = Opened(bytes(range(12)), "H7KDPX2A", None, PORT)


def store_at(path: Path) -> Store:
    """Open a journal that does not wait for the disk.

    A machine goes on when a program on it is killed, so nothing needs to be on a platter.
    """
    store = Store.open(path)
    store._database.execute("PRAGMA synchronous = OFF")
    return store


class CrashError(Exception):
    """The host is gone."""


class Fuse:
    """Counts the moments until the host crashes."""

    def __init__(self) -> None:
        self.left: int | None = None

    def burn(self) -> None:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise CrashError


class CrashingNetwork(Network):
    """A table with a journal, by which it is brought back when its host crashes."""

    def __init__(
        self,
        path: Path,
        rng: Random,
        *,
        acks_first: bool = False,
        number: int = 1,
        store: Store | None = None,
        fuse: Fuse | None = None,
    ) -> None:
        super().__init__(rng, settings=TableSettings(first="r", pace_ms=0))
        self.rng = rng
        self.number = number
        self._keys = Random(number)
        # Nothing else looks like these, so they can be searched for.
        self.table._attendance.new_key = self._new_key
        self.path = path
        self.store = store or store_at(path)
        self.fuse = fuse or Fuse()
        self.crashes = 0
        self._acks_first = acks_first
        self._deal: Deal | None = None
        self._told: tuple[str, ...] = ()
        """What has been played of that deal, as somebody was told."""
        self._revision = 0
        self._views: dict[tuple[int, str | None], str] = {}
        self.played: dict[int, tuple[int, int]] = {}
        """By the step: what guest's seat has answered there last, with which number of theirs."""
        self.carry_out(self.table.open(OPENED))

    def keep(self, effects: list[Effect]) -> None:
        for effect in effects[:1]:
            if isinstance(effect, Keep):
                self.store.commit({self.number: effect}, int(self.now))

    def say(self, connection: int, message: TableMessage) -> None:
        live = self.table._games.live
        before = None if live is None or live.over else (len(live.actions), live.turn)
        if isinstance(message, Act) and before is not None:
            # Whether it counts is not known yet; if not, another takes its place.
            self.played[before[0]] = before[1], message.number
        super().say(connection, message)

    def think(self, think: Think) -> None:
        live = self.table._games.live
        if live is not None and self.table.expects(think.seat, think.revision):
            self.played.pop(len(live.actions), None)
        super().think(think)

    def carry_out(self, effects: list[Effect]) -> None:
        self.fuse.burn()
        if not self._acks_first:
            self.keep(effects)
        self.fuse.burn()
        for effect in effects:
            if isinstance(effect, Send) and isinstance(effect.message, State):
                self._remember(effect.message)
            super().carry_out([effect])
            self.fuse.burn()
        if self._acks_first:
            self.keep(effects)

    def _new_key(self) -> bytes:
        return self._keys.randbytes(32)

    def _remember(self, state: State) -> None:
        record = self.table.record()
        assert record is not None
        if record.deal != self._deal:
            self._deal, self._told = record.deal, ()
        assert record.actions[: len(self._told)] == self._told
        assert state.revision >= self._revision
        assert self._views.setdefault((state.revision, state.you), state.view) == state.view
        self._told, self._revision = record.actions, state.revision

    def crash(self) -> None:
        """End the program that hosts, and start another."""
        self.store.close()
        self.bring_back(store_at(self.path))

    def bring_back(self, store: Store) -> None:
        """Make the table anew from what the journal has, and check that against what is known."""
        lost, before = self.table, self.table.record()
        self.crashes += 1
        self.fuse.left = None
        self.thoughts.clear()
        self.guests.clear()
        self.store = store
        assert store.unfinished() is not None
        kept = store.load(self.number)
        assert kept.table.opened == OPENED
        self.table = Table.restore(kept, self.rng, self._new_key, unix_time=lambda: self.now)
        assert self.table.snapshot() == kept
        after = self.table.record()
        assert before is not None
        assert after is not None
        assert after.deal == before.deal
        assert after.settings == before.settings
        assert after.actions[: len(self._told)] == self._told, "something told is lost"
        assert before.actions[: len(after.actions)] == after.actions, "a phantom has acted"
        assert self._revision <= self.table.revision <= lost.revision


class Evening:
    """Persons who play one game through troubles and crashes, with a bot at the table."""

    def __init__(self, path: Path, seed: int, **options: Any) -> None:
        self.rng = Random(seed)
        self.network = CrashingNetwork(path, self.rng, **options)
        self.guests = [Participant(self.network, name) for name in "abc"[: self.rng.randint(2, 3)]]
        host = self.guests[0]
        host.say(AddBot(bot="steady"))
        host.say(AddBot(bot="random"))
        if self.rng.random() < 0.3:
            host.say(Remove(family="g" if len(self.guests) == 2 else "v"))
        for participant in self.guests[1:]:
            participant.say(SetReady(ready=True))
        if len(self.guests) + 1 < 3:
            host.say(AddBot(bot="steady"))
        host.say(Start())
        self.families = [participant.session.family for participant in self.guests]
        self.away: set[Participant] = set()

    def play(self, crash_within: int) -> None:
        """Play to the end, crashing again and again within so many moments."""
        while not self.is_over():
            self.network.fuse.left = self.rng.randint(0, crash_within)
            try:
                while not self.is_over():
                    self.step()
            except CrashError:
                self.network.crash()
                self.come_back()
        self.network.fuse.left = None

    def is_over(self) -> bool:
        return self.guests[0].phase() == "result" and self.guests[0] not in self.away

    def come_back(self) -> None:
        """Have everybody connect to the host that has been brought back."""
        self.away.clear()
        returning = self.rng.sample(self.guests, len(self.guests))
        for participant in returning:
            self._return(participant)

    def _return(self, participant: Participant) -> None:
        participant.come_back()
        assert participant.session.family == self.families[self.guests.index(participant)]
        if participant.session.pending is not None:
            participant.say(participant.session.pending)

    def step(self) -> None:
        participant = self.rng.choice(self.guests)
        match self.rng.choices(("act", "again", "go", "return", "wait"), (20, 3, 1, 3, 5))[0]:
            case "act":
                player = asked([each for each in self.guests if each not in self.away])
                if player is not None and player.session.pending is None:
                    view = player.session.view
                    assert view is not None
                    player.act(self.rng.choice(view.legal).token)
            case "again" if participant not in self.away and participant.acts:
                participant.say(self.rng.choice(participant.acts))
            case "go" if participant not in self.away:
                self.away.add(participant)
                participant.drop()
            case "return" if participant in self.away:
                self.away.remove(participant)
                self._return(participant)
            case "wait":
                self.network.wait(self.rng.choice((1.0, 25.0)))


class House:
    """Several evenings in one program, which takes all of them with it when it crashes."""

    def __init__(self, path: Path, seed: int, evenings: int) -> None:
        self.rng = Random(seed)
        self.path = path
        self.store = store_at(path)
        self.fuse = Fuse()
        self.crashes = 0
        self.evenings = [
            Evening(path, seed + number, number=number, store=self.store, fuse=self.fuse)
            for number in range(1, evenings + 1)
        ]

    def play(self, crash_within: int) -> None:
        """Play all to their ends, a step here and a step there, crashing in between."""
        while playing := self._playing():
            self.fuse.left = self.rng.randint(0, crash_within)
            try:
                while playing := self._playing():
                    self.rng.choice(playing).step()
            except CrashError:
                self._crash()
        self.fuse.left = None

    def _playing(self) -> list[Evening]:
        return [evening for evening in self.evenings if not evening.is_over()]

    def _crash(self) -> None:
        self.crashes += 1
        self.store.close()
        self.store = store_at(self.path)
        for evening in self.evenings:
            evening.network.bring_back(self.store)
        for evening in self.evenings:
            evening.come_back()
