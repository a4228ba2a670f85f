"""Sealed games over bad lines, simulated: every program, its relay, its disk, and all troubles."""

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from random import Random
from typing import Final, Literal

from netcode.carrying.who_carries_on import (
    DIAL_S,
    HOST,
    CarryingOn,
    Dial,
    Follow,
    HangUp,
    StepBack,
    TakeOver,
    Tell,
)
from netcode.protocol.messages import TableSettings
from netcode.sealed.dealing import Dealing
from netcode.sealed.encoding import EndBody, EntryBody, pack, unpack
from netcode.sealed.log import SealedLog
from netcode.sealed.parcels import Parcel
from netcode.sealed.sealed_person import PersonOutput, SealedPerson
from netcode.sealed.sealing import Expected, log_in, logged_in
from netcode.sealed.votes import Situation
from tests.netcode.sealed.sealed_tables import TABLE, SealedTable, sealing_body

UNIX_S: Final = 1_800_000_000
"""When all simulated games begin."""

BEAT_S: Final = 3.0
"""How often each tells by its lines where it is, and looks what time has brought."""

AGREED_S: Final = 10.0
"""For how long one counts as agreeing who has told where they are."""

MOST_STEPS: Final = 60_000
"""Most events of one game."""

Message = tuple[Literal["parcels", "log_at", "relays"], object]


@dataclass(slots=True)
class Line:
    """A connection that one program has made to another."""

    caller: "Program"
    listener: "Program"
    is_up: bool = True
    busy_until: dict[int, float] = field(default_factory=dict)

    def other(self, end: "Program") -> "Program":
        return self.listener if end is self.caller else self.caller


class World:
    """Time, lines and troubles; `honest` are those whose promises are to hold."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.now = 0.0
        self.programs: dict[int, Program] = {}
        self.loss = 0.0
        self.delay_s = 0.05
        self.sides: dict[int, int] = {}
        """By program, on which side of a broken net it is."""
        self.lines: list[Line] = []
        self.liars: set[int] = set()
        self.opened: dict[int, set[bytes]] = {}
        """By step, what an opening that has left its owner followed."""
        self.steps = 0
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0

    @property
    def unix_s(self) -> int:
        return UNIX_S + int(self.now)

    def later(self, after_s: float, call: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._events, (self.now + after_s, self._count, call))

    def run(self, until: float) -> None:
        while self._events and self._events[0][0] <= until:
            self.now, _, call = heapq.heappop(self._events)
            call()
            self.steps += 1
            assert self.steps < MOST_STEPS, "too much is said"
        self.now = until

    def can_talk(self, one: int, other: int) -> bool:
        return self.sides.get(one, 0) == self.sides.get(other, 0)

    def send(self, line: Line, sender: "Program", message: Message) -> None:
        """Have a message come in order, late, or not at all."""
        to = line.other(sender)
        is_lost = message[0] != "relays" and self.rng.random() < self.loss
        if is_lost or not self.can_talk(sender.number, to.number):
            return
        at = max(
            self.now + self.rng.uniform(0.2, 1.8) * self.delay_s, line.busy_until.get(to.number, 0)
        )
        if not (sender.fault == "reorders" and self.rng.random() < 0.3):
            line.busy_until[to.number] = at
        epoch = to.epoch

        def arrive() -> None:
            if line.is_up and to.epoch == epoch and self.can_talk(sender.number, to.number):
                to.receive(line, message)

        self.later(at - self.now, arrive)

    def cut(self, line: Line, after_s: float = 0) -> None:
        """Break a line; both ends that still live notice at once."""

        def notice() -> None:
            if line.is_up:
                line.is_up = False
                self.lines.remove(line)
                line.caller.ended(line)
                line.listener.ended(line)

        if after_s:
            self.later(after_s, notice)
        else:
            notice()

    def part(self, sides: dict[int, int]) -> None:
        """Break the net; who has a line across notices after some seconds."""
        self.sides = sides
        for line in list(self.lines):
            if not self.can_talk(line.caller.number, line.listener.number):
                self.later(4, partial(self._cut_if_parted, line))

    def _cut_if_parted(self, line: Line) -> None:
        if not self.can_talk(line.caller.number, line.listener.number):
            self.cut(line)

    def sent_opening(self, log: SealedLog, said: EntryBody | EndBody) -> None:
        """Remember what must never be undone now, and see that its gate was open."""
        before = said.n if isinstance(said, EndBody) else said.n - 1
        at_two = log.sealing.quorum is None
        assert at_two or log.locked >= before, f"step {said.n} opens a card before its gate"
        tip = log.tip if isinstance(said, EndBody) else said.prev
        self.opened.setdefault(before, set()).add(tip)


class Program:
    """One machine: a person's program, which may relay too, or a host that is nobody's."""

    def __init__(
        self, world: World, number: int, table: "SimulatedTable", allows: bool, host: int
    ) -> None:
        self.world = world
        self.number = number
        self.table = table
        self.allows = allows or number == HOST
        self.host = host
        self.epoch = 0
        self.is_up = True
        self.fault = ""
        """What its relay does wrong: "reorders", "drops" a victim's parcels, or "loses" some."""
        self.victim = -1
        self.is_gone = False
        """Whether its person has left for good, or only sits there."""
        self.disk: list[bytes] = table.records[number].copy() if number != HOST else []
        """The records of the person's file."""
        self.journal: list[Parcel] = []
        """What a host that is nobody's has committed."""
        self.certain: dict[int, bytes] = {}
        """The tips of the steps that it ever knew for certain."""
        self.pin = bytes([number % 256]) * 32
        self.carrying: CarryingOn | None = None
        world.programs[number] = self
        self._begin(host if number != host else number)

    # Starting and crashing

    def _begin(self, line: int | None) -> None:
        self.calls: dict[int, Line] = {}
        self.guests: dict[int, Line] = {}
        self.told: dict[int, tuple[float, bytes]] = {}
        self.since = self.asked = self.world.now
        self.thinks_of = b""
        self.votes_on = b""
        known = [] if self.carrying is None else self.carrying.parcels()
        self.relay = self.person = self.carrying = None
        if self.number == HOST:
            self.relay = SealedLog(self.table.dealt())
            for taken in self.journal:
                self.relay.take(taken)
            self.carrying = CarryingOn(self.table.sealing, HOST, b"", b"", (), HOST)
        else:
            self.person = SealedPerson.restore(self.world.rng, self.disk)
            addresses = (f"192.0.2.{self.number}",) if self.allows else ()
            own = self.table.people[self.number]
            self.carrying = CarryingOn(
                self.table.sealing, self.number, own.key, self.pin, addresses, line
            )
            # It knows from before where the others may be called.
            self._hear(known)
            if line == self.number:
                self._open()
        epoch = self.epoch
        self.world.later(self.world.rng.uniform(0, BEAT_S), lambda: self._beat(epoch))

    def crash(self) -> None:
        """Lose all but what is on disk."""
        self.epoch += 1
        self.is_up = False
        for line in [*self.calls.values(), *self.guests.values()]:
            self.world.cut(line)

    def start(self) -> None:
        """Start again after a crash."""
        if self.is_up:
            return
        self.is_up = True
        self._begin(None)
        if self.number not in (HOST, self.host):
            assert self.carrying is not None
            # It knows where the table was.
            self.carrying.lost(self.host, self.world.now)

    # Lines

    def answers_calls(self) -> bool:
        return self.is_up and (self.allows or self.relay is not None)

    def _dial(self, deed: Dial) -> None:
        world, target = self.world, self.world.programs[deed.person]
        epoch = self.epoch

        def arrive() -> None:
            if self.epoch != epoch:
                return
            assert self.carrying is not None
            if not (target.answers_calls() and world.can_talk(self.number, target.number)):
                self.carrying.failed(deed.person)
            else:
                self._log_in(target, deed)
            self._carry()

        can = world.can_talk(self.number, deed.person) and target.is_up
        world.later(world.rng.uniform(1, 4) * world.delay_s if can else DIAL_S, arrive)

    def _log_in(self, target: "Program", deed: Dial) -> None:
        assert self.carrying is not None
        assert deed.pin in (b"", target.pin)
        own, challenge = self.table.people[self.number], self.world.rng.randbytes(32)
        parcel = log_in(self.table.sealing, self.number, own.key, challenge, target.pin)
        who = logged_in(self.table.sealing, parcel, challenge, target.pin)
        if who in target.guests:
            self.world.cut(target.guests[who])
        line = Line(self, target)
        self.world.lines.append(line)
        self.calls[deed.person] = target.guests[who] = line
        if target.carrying is not None:
            target._pass_on(target._hear(self.carrying.parcels()), line)
            self._hear(target.carrying.parcels() if target.carrying.may_know(who) else [])
            target.carrying.joined(who, self.world.now)
            target._carry()
        self.carrying.reached(deed.person, self.world.now)
        self.tell_where(line)
        target.tell_where(line)

    def ended(self, line: Line) -> None:
        """A line is gone."""
        if line.caller is self:
            person = line.listener.number
            self.calls.pop(person, None)
            if self.carrying is not None and self.is_up:
                self.carrying.lost(person, self.world.now)
                self._carry()
        elif self.guests.get(line.caller.number) is line:
            del self.guests[line.caller.number]
            if self.carrying is not None and self.is_up:
                self.carrying.left(line.caller.number)
                self._carry()

    def _carry(self) -> None:
        """Do what carrying on asks for."""
        carrying = self.carrying
        if carrying is None or not self.is_up or self.number == HOST:
            return
        for deed in carrying.advance(self.world.now, self.world.unix_s):
            match deed:
                case Dial():
                    self._dial(deed)
                case HangUp(person):
                    if person in self.calls:
                        line = self.calls.pop(person)
                        self.world.cut(line)
                case Follow(person):
                    self.tell_where(self.calls[person])
                case TakeOver():
                    self._open()
                    for line in self.lines():
                        self.tell_where(line)
                case StepBack():
                    self.relay = None
                case Tell(parcel):
                    self._tell(parcel)

    def _open(self) -> None:
        if self.relay is None:
            self.relay = SealedLog(self.table.dealt())
        self._meet_own_relay()

    def _meet_own_relay(self) -> None:
        """Compare the person's log with that of their own relay, until they are one."""
        assert self.person is not None
        assert self.relay is not None
        news, _ = absorb(self.relay, self.log.parcels())
        said = self.did(self.person.receive(self.relay.parcels()))
        said += self.did(self.person.log_at(self.relay.height, self.relay.tip))
        news += absorb(self.relay, said)[0]
        for line in self.lines():
            self._send(line, news)

    def did(self, output: PersonOutput) -> list[Parcel]:
        """Write what is to be kept; return what may be sent then."""
        self.disk += output.keep
        return [*output.send]

    def _hear(self, parcels: Iterable[Parcel]) -> list[Parcel]:
        assert self.carrying is not None
        return [each for each in parcels if self.carrying.hear(each, self.world.unix_s)]

    def _tells(self, person: int) -> bool:
        # Whoever relays is told where one is, to pass it on.
        carrying = self.carrying
        return carrying is not None and (person == carrying.plays_at or carrying.may_know(person))

    def _tell(self, parcel: Parcel) -> None:
        assert self.carrying is not None
        for line in [*self.calls.values(), *self.guests.values()]:
            if self.carrying.began or self._tells(line.other(self).number):
                self.world.send(line, self, ("relays", [parcel]))

    def _pass_on(self, relays: list[Parcel], source: Line | None) -> None:
        for line in [*self.calls.values(), *self.guests.values()]:
            if relays and line is not source and self._tells(line.other(self).number):
                self.world.send(line, self, ("relays", relays))

    def lines(self) -> list[Line]:
        """Return the lines by which the log is told."""
        if self.relay is not None:
            return [*self.calls.values(), *self.guests.values()]
        return [*self.calls.values()]

    # The log

    @property
    def log(self) -> SealedLog:
        log = self.relay if self.person is None else self.person.log
        assert log is not None
        return log

    def tell_where(self, line: Line) -> None:
        """Tell where one is; a relay also who agrees with it, as its lobby does."""
        if line not in self.lines():
            return
        log = self.relay or self.log
        agreeing = [
            number
            for number, (at, tip) in self.told.items()
            if at > self.world.now - AGREED_S and tip == log.tip
        ]
        if self.person is not None and self.log.tip == log.tip:
            agreeing.append(self.number)
        self.world.send(line, self, ("log_at", (log.height, log.tip, tuple(agreeing))))

    def receive(self, line: Line, message: Message) -> None:
        kind, content = message
        if kind == "relays":
            if self.carrying is not None:
                other = line.other(self).number
                knew = self._tells(other)
                self._pass_on(self._hear(content), line)  # type: ignore[arg-type]
                if not knew and self._tells(other):
                    self.world.send(line, self, ("relays", self.carrying.parcels()))
                self._carry()
        elif line not in self.lines():
            return
        elif kind == "log_at":
            self._compare(line, *content)  # type: ignore[misc]
        else:
            self.take(list(content), line)  # type: ignore[call-overload]

    def _compare(self, line: Line, height: int, tip: bytes, agreeing: tuple[int, ...]) -> None:
        log, other = self.relay or self.log, line.other(self)
        for number in (other.number, *agreeing):
            self.told[number] = (self.world.now, tip)
        if self.person is not None and self.relay is None:
            output = self.person.log_at(height, tip)
            self._send(line, self.did(output))
            is_behind = output.compare
        else:
            self._send(line, log.lacking(height, tip))
            is_behind = height > log.height
        if is_behind:
            self.tell_where(line)
        self.reconsider()

    def _send(self, line: Line, parcels: list[Parcel]) -> None:
        to = line.other(self)
        if self.relay is not None and self.fault == "drops" and to.number != self.victim:
            key = self.table.sealing
            parcels = [each for each in parcels if key.author(unpack(each.body)) != self.victim]
        if self.relay is not None and self.fault == "loses":
            parcels = [each for each in parcels if self.world.rng.random() < 0.7]
        if parcels:
            self.world.send(line, self, ("parcels", parcels))

    def take(self, parcels: list[Parcel], source: Line | None) -> None:
        """Take what has come by a line, or from oneself, and pass on what is news."""
        before = self.log.tip
        is_gap = False
        if self.relay is not None:
            news, is_gap = absorb(self.relay, parcels)
            for line in self.lines():
                if line is not source:
                    self._send(line, news)
        if self.person is not None:
            output = self.person.receive(parcels)
            said = self.did(output)
            assert not said
            if self.relay is None:
                is_gap = output.compare
            elif self.relay.tip != self.log.tip:
                self._meet_own_relay()
        elif self.relay is not None:
            self.journal = self.relay.journal.copy()
        if is_gap and source is not None and self.world.now > self.asked + 1:
            self.asked = self.world.now
            self.tell_where(source)
        if self.log.tip != before:
            self.since = self.world.now
        self.remember()
        self.reconsider()

    def remember(self) -> None:
        """Remember what is certain: it must stay so."""
        log = self.log
        for n in range(log.locked, 0, -1):
            tip = log.tip_of(n)
            if self.certain.setdefault(n, tip) == tip and n - 1 in self.certain:
                break

    # The person

    def reconsider(self) -> None:
        """Sign whatever is to be signed by now, and let the person think."""
        person, world = self.person, self.world
        if person is None or not self.is_up:
            return
        log = self.log
        waited = world.now - self.since
        present = {number for number, (at, _) in self.told.items() if at > world.now - AGREED_S} | {
            self.number
        }
        agreeing = {number for number in present if self.told.get(number, (0, b""))[1] == log.tip}
        now = Situation(waited_s=waited, agreeing=agreeing, connected=present)
        said = self.did(person.advance(now, world.unix_s))
        if said:
            self.say(said)
        if person.is_offered_vote and self.votes_on != log.tip and not self.is_gone:
            self.votes_on = log.tip
            self._after(world.rng.uniform(0.5, 4), self._vote)
        due = log.due
        if due is None or due.opening is not None or self.thinks_of == log.tip or self.is_gone:
            return
        if log.sealing.owners[due.seat] == self.number and person.is_compared:
            self.thinks_of = log.tip
            # Some answer just as the others vote that they do not.
            is_slow = world.rng.random() < 0.03
            pause = world.rng.uniform(60, 66) if is_slow else world.rng.choice((0.3, 1, 2, 4))
            self._after(pause, self._answer)

    def _after(self, after_s: float, call: Callable[[], None]) -> None:
        epoch = self.epoch
        self.world.later(after_s, lambda: call() if self.epoch == epoch else None)

    def _vote(self) -> None:
        assert self.person is not None
        if self.log.tip == self.votes_on:
            self.person.vote_missing()
            self.reconsider()

    def _answer(self) -> None:
        assert self.person is not None
        log, due = self.log, self.log.due
        if log.tip != self.thinks_of or due is None or due.opening is not None:
            return
        token = self.world.rng.choice(log.game.legal).token
        if log.frozen:
            return
        self.say(self.did(self.person.answer(due.seat, token)))

    def say(self, parcels: list[Parcel]) -> None:
        """Send what was signed, which is on disk by now."""
        for parcel in parcels:
            said = unpack(parcel.body)
            if isinstance(said, EndBody) or (
                isinstance(said, EntryBody) and said.what in ("reveal", "open")
            ):
                self.world.sent_opening(self.log, said)
        self.since = self.world.now
        self.remember()
        if self.relay is not None:
            absorb(self.relay, parcels)
        for line in self.lines():
            self._send(line, parcels)
        self.reconsider()

    def _beat(self, epoch: int) -> None:
        if self.epoch != epoch:
            return
        for line in self.lines():
            self.tell_where(line)
        self._carry()
        if self.relay is not None and self.person is not None:
            self.take(self.log.parcels(self.relay.height), None)
        self.reconsider()
        self.world.later(BEAT_S, lambda: self._beat(epoch))


def absorb(log: SealedLog, parcels: list[Parcel]) -> tuple[list[Parcel], bool]:
    """Take what has come; return what of it is news to others, and whether something is missing."""
    before = len(log.journal)
    is_gap = is_other = False
    for parcel in parcels:
        outcome = log.take(parcel)
        is_gap |= outcome.code == "gap"
        is_other |= outcome.code == "other_branch"
    return [*dict.fromkeys(log.journal[before:])], is_gap or is_other


class SimulatedTable(SealedTable):
    """A table whose persons have lived through the deal, and the logs that they have of it."""

    def __init__(self, seed: int, owned: tuple[tuple[int, ...], ...], edition: int) -> None:
        people = [SealedPerson(Random(10 * seed + each)) for each in range(len(owned))]
        self.records = [[*one.get_ready().keep] for one in people]
        settings = TableSettings(edition=edition, sealed=True)
        body = sealing_body([one.secret for one in people], owned, settings)
        said = [Parcel(pack(body))]
        while said:
            told, said = said, []
            for one, own, kept in zip(people, owned, self.records, strict=True):
                known = Expected(
                    key=one.public_key,
                    own=own,
                    table=TABLE,
                    seats=body.seats,
                    settings=settings,
                    host=0,
                    first=None,
                )
                output = one.receive(told, known)
                kept += output.keep
                said += output.send
        self.people = []
        for one in people:
            assert one._secrets is not None
            self.people.append(one._secrets)
        assert people[0].log is not None
        self._dealing = people[0].log.dealing
        self.sealing = self._dealing.sealing

    def dealt(self) -> Dealing:
        return self._dealing


OWNED: Final = (
    ((0,), (1,), (2,)),
    ((0,), (1,), (2,), (3,)),
    ((0,), (1,), (2,), (3,), (4,)),
    ((0, 3), (1,), (2,)),
)
"""Who owns which seats at the tables that are simulated."""


@lru_cache
def simulated_table(seed: int) -> SimulatedTable:
    """Return a table, few of which are made: other things differ by evening."""
    return SimulatedTable(seed, OWNED[seed % len(OWNED)], 1 + seed // len(OWNED) % 2)
