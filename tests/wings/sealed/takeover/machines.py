"""Machines of the players of one sealed game, and their connections.

There is no game: the tests are about `TakeoverDecision` alone. Connections break, the network
splits, and machines crash and return, all at moments that a seed decides.
"""

import heapq
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Final

from netcode.wings.sealed.game.parcels import Parcel
from netcode.wings.sealed.game.sealing import log_in, logged_in
from netcode.wings.sealed.takeover.decision import (
    DIAL_S,
    HOST,
    Dial,
    HangUp,
    SendAddresses,
    StepBack,
    TakeOver,
    TakeoverDecision,
)
from tests.wings.sealed.game.sealed_tables import SealedTable

BEAT_S: Final = 3.0
"""Seconds between two calls of `advance` by time alone."""

NOTICED_S: Final = 4
"""Seconds until a connection across a split network ends."""


@dataclass(slots=True, eq=False)
class Line:
    """A connection between two machines."""

    caller: "Machine"
    listener: "Machine"
    is_up: bool = True

    def other(self, end: "Machine") -> "Machine":
        return self.listener if end is self.caller else self.caller


class Machine:
    """A person's machine, which may take the table over, or a separate host."""

    def __init__(self, world: "World", number: int, *, allows: bool) -> None:
        self.world, self.number = world, number
        self.allows = allows or number == HOST
        self.epoch = 0
        self.is_up = True
        self.pin = bytes([number % 256]) * 32
        self.decision: TakeoverDecision
        self._begin([], world.host if number != world.host else number)

    def _begin(self, known: Iterable[Parcel], plays_at: int | None) -> None:
        self.calls: dict[int, Line] = {}
        self.guests: dict[int, Line] = {}
        self.hosts = self.number == plays_at
        table = self.world.table
        if self.number == HOST:
            self.decision = TakeoverDecision(table.sealing, HOST, b"", b"", (), HOST)
        else:
            addresses = (f"192.0.2.{self.number}",) if self.allows else ()
            key = table.keys[self.number]
            self.decision = TakeoverDecision(
                table.sealing, self.number, key, self.pin, addresses, plays_at
            )
        # The addresses of the others are known from before.
        self._receive_addresses(known)
        self.world.later(self.world.rng.uniform(0, BEAT_S), self._in_time(self._beat))

    def _in_time(self, call: Callable[[], None]) -> Callable[[], None]:
        """Return a function that makes the call, unless the machine crashes before that."""
        epoch = self.epoch
        return lambda: call() if self.epoch == epoch else None

    def _beat(self) -> None:
        self.advance()
        self.world.later(BEAT_S, self._in_time(self._beat))

    def crash(self) -> None:
        self.epoch += 1
        self.is_up = self.hosts = False
        for line in self.lines:
            self.world.cut(line)

    def start(self) -> None:
        """Start again if the machine has crashed, with the addresses that it had stored."""
        if not self.is_up:
            self.is_up = True
            self._begin(self.decision.parcels(), None)
            if self.number not in (HOST, self.world.host):
                self.decision.lost(self.world.host, self.world.now)
            self.hosts |= self.number == HOST

    @property
    def lines(self) -> list[Line]:
        return [*self.calls.values(), *self.guests.values()]

    def advance(self) -> None:
        """Execute the decisions that are due."""
        world, deeds = self.world, []
        if self.is_up and self.number != HOST:
            self._see_table()
            deeds = self.decision.advance(world.now, world.unix_s)
        for deed in deeds:
            match deed:
                case Dial():
                    is_heard = world.can_call(self.number, deed.person)
                    is_heard &= world.machines[deed.person].is_up
                    after_s = world.rng.uniform(0.1, 1) if is_heard else DIAL_S
                    world.later(after_s, self._in_time(partial(self._arrive, deed)))
                case HangUp(person) if person in self.calls:
                    world.cut(self.calls.pop(person))
                case TakeOver() | StepBack():
                    self.hosts = isinstance(deed, TakeOver)
                case SendAddresses(parcel):
                    self._send_addresses([parcel], is_own=True)

    def _see_table(self) -> None:
        """Report to the decision the persons at the table, as a lobby shows them."""
        at = self.decision.plays_at
        line = self.calls.get(HOST if at is None else at)
        if line is not None:
            self.decision.see({line.listener.number, *line.listener.guests} - {self.number})

    def _arrive(self, deed: Dial) -> None:
        world, target = self.world, self.world.machines[deed.person]
        answers = target.is_up and (target.allows or target.hosts)
        if not (answers and world.can_call(self.number, target.number)):
            self.decision.failed(deed.person)
            self.advance()
            return
        assert deed.pin in (b"", target.pin)
        key, challenge = world.table.keys[self.number], world.rng.randbytes(32)
        said = log_in(world.table.sealing, self.number, key, challenge, target.pin)
        assert logged_in(world.table.sealing, said, challenge, target.pin) == self.number
        if self.number in target.guests:
            world.cut(target.guests[self.number])
        line = world.connect(self, target)
        target._send_addresses(target._receive_addresses(self.decision.parcels()), but=line)
        if may_know(target.decision, self.number):
            self._receive_addresses(target.decision.parcels())
        target.decision.joined(self.number, world.now)
        target.advance()
        self.decision.reached(deed.person, world.now)
        self.advance()

    def ended(self, line: Line) -> None:
        """Report the end of a connection to the decision, and execute what is due."""
        if line.caller is self:
            self.calls.pop(line.listener.number, None)
            if self.is_up:
                self.decision.lost(line.listener.number, self.world.now)
        elif self.guests.get(line.caller.number) is line:
            del self.guests[line.caller.number]
            self.decision.left(line.caller.number)
        self.advance()

    # Addresses

    def _receive_addresses(self, parcels: Iterable[Parcel]) -> list[Parcel]:
        return [
            each for each in parcels if self.decision.receive_addresses(each, self.world.unix_s)
        ]

    def _may_receive(self, person: int) -> bool:
        """Return True if a person may receive addresses; the host always may, to forward them."""
        return person == self.decision.plays_at or may_know(self.decision, person)

    def _send_addresses(
        self, parcels: list[Parcel], *, is_own: bool = False, but: Line | None = None
    ) -> None:
        for line in self.lines if parcels else ():
            to = line.other(self).number
            if line is not but and ((is_own and self.decision.began) or self._may_receive(to)):
                self.world.send(line, self, parcels)

    def receive(self, line: Line, parcels: list[Parcel]) -> None:
        other = line.other(self).number
        knew = self._may_receive(other)
        self._send_addresses(self._receive_addresses(parcels), but=line)
        if not knew and self._may_receive(other):
            self.world.send(line, self, self.decision.parcels())
        self.advance()


class World:
    """Time, the network, and all machines, connected to the host at first."""

    def __init__(
        self, seed: int = 1, persons: int = 5, host: int = 0, allow: Collection[int] = range(9)
    ) -> None:
        self.rng, self.table, self.host = Random(seed), SealedTable(1, persons), host
        self.now, self.steps = 0.0, 0
        self.lines: list[Line] = []
        self.sides: dict[int, int] = {}
        """By machine, its side of a split network."""
        self.blocked: set[frozenset[int]] = set()
        """Pairs that cannot reach each other on the same side."""
        self.uncallable: set[tuple[int, int]] = set()
        """Pairs of a caller and a listener whom the caller cannot reach."""
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        numbers = [*([HOST] if host == HOST else []), *range(persons)]
        self.machines: dict[int, Machine] = {}
        for number in numbers:
            self.machines[number] = Machine(self, number, allows=number in allow)
        for number in numbers:
            if number != host:
                self.connect(self.machines[number], self.machines[host])
                self.machines[host].decision.joined(number, 0)
        self.run(8)

    @property
    def unix_s(self) -> int:
        return self.table.sealing.decoded.began + int(self.now)

    def later(self, after_s: float, call: Callable[[], None]) -> None:
        self.steps += 1
        assert self.steps < 60_000, "too much is said"
        heapq.heappush(self._events, (self.now + after_s, self.steps, call))

    def run(self, seconds: float) -> None:
        until = self.now + seconds
        while self._events and self._events[0][0] <= until:
            self.now, _, call = heapq.heappop(self._events)
            call()
        self.now = until

    def can_talk(self, one: int, other: int) -> bool:
        is_blocked = frozenset((one, other)) in self.blocked
        return self.sides.get(one, 0) == self.sides.get(other, 0) and not is_blocked

    def can_call(self, caller: int, listener: int) -> bool:
        return self.can_talk(caller, listener) and (caller, listener) not in self.uncallable

    def connect(self, caller: Machine, listener: Machine) -> Line:
        line = Line(caller, listener)
        self.lines.append(line)
        caller.calls[listener.number] = listener.guests[caller.number] = line
        return line

    def send(self, line: Line, sender: Machine, parcels: list[Parcel]) -> None:
        to = line.other(sender)
        epoch = to.epoch

        def arrive() -> None:
            if line.is_up and to.epoch == epoch and self.can_talk(sender.number, to.number):
                to.receive(line, parcels)

        if self.can_talk(sender.number, to.number):
            self.later(self.rng.uniform(0.01, 0.1), arrive)

    def cut(self, line: Line) -> None:
        if line.is_up:
            line.is_up = False
            self.lines.remove(line)
            line.caller.ended(line)
            line.listener.ended(line)

    def cut_any(self) -> None:
        if self.lines:
            self.cut(self.rng.choice(self.lines))

    def part(self, sides: dict[int, int]) -> None:
        """Split the network; connections across it end after some seconds."""
        self.sides = sides
        for line in self.lines:
            self.later(NOTICED_S, partial(self._cut_if_parted, line))

    def _cut_if_parted(self, line: Line) -> None:
        if not self.can_talk(line.caller.number, line.listener.number):
            self.cut(line)

    # State

    @property
    def persons(self) -> list[Machine]:
        return [each for number, each in self.machines.items() if each.is_up and number != HOST]

    def plays_at(self) -> list[int | None]:
        return [each.decision.plays_at for each in self.persons]

    def hosting(self) -> set[int]:
        return {each.number for each in self.machines.values() if each.is_up and each.hosts}

    def at_table(self, one: Machine) -> set[int]:
        """Return the persons at the table of a machine, and the machine that hosts that table."""
        at = one.decision.plays_at
        there = {each.number for each in self.persons if each.decision.plays_at == at}
        return there | ({at} if at is not None else set())

    def link(self) -> None:
        """Send each host's addresses to persons who have no table, or lack an address of this host.

        If no machine hosts, and nobody allows a takeover, one person's machine opens by hand first.
        """
        hosts = [self.machines[number] for number in self.hosting()]
        if not hosts and not any(each.allows for each in self.persons):
            self.persons[0].decision.ask_to_open()
        for each in self.persons:
            for host in hosts:
                # A host that was lost early may have sent no addresses.
                is_strange = each is not host and not may_know(each.decision, host.number)
                if is_strange or each.decision.plays_at is None:
                    each._receive_addresses(filter(None, [host.decision._own]))


def may_know(decision: TakeoverDecision, person: int) -> bool:
    """Return True if a person may learn addresses: once they have sent their own."""
    return person in decision._peers and decision._peers[person].decoded is not None
