"""A sealed game through all troubles, from a seed, and what must be true of it afterwards."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final

from engine.actions import REVEAL
from engine.cards import LEAVES
from netcode.carrying.who_carries_on import HOST
from netcode.sealed.log import SealedLog
from netcode.sealed.parcels import Parcel
from netcode.sealed.sealed_person import PersonSecrets
from tests.netcode.sealed.sealed_simulation import Line, Program, World, simulated_table
from tests.netcode.sealed.sealed_tables import played

TROUBLES_S: Final = 100
"""Seconds during which everything goes wrong."""

STUCK_S: Final = 130
"""Seconds after which something must have happened, once nothing goes wrong any more."""

SETTLED_S: Final = 90
"""Seconds in which there must be one relay again, after the game."""

TABLES: Final = 16
"""How many deals there are."""

GONE: Final = {3: 1, 4: 1, 5: 2}
"""How many persons may leave for good, by how many play, and the others go on."""

Lie = Callable[["Liar", list[Parcel]], list[tuple[Line, list[Parcel]]]]


class Liar(Program):
    """A person whose program signs what it should not, besides playing on."""

    lie = ""

    def say(self, parcels: list[Parcel]) -> None:
        self._lie()
        if self.lie == "mute":
            parcels = [each for each in parcels if b"\xa4seen" not in each.body]
        super().say(parcels)

    def _lie(self) -> None:
        log, own = self.log, self.table.people[self.number]
        rng, last = self.world.rng, log.entries[-1]
        signed: list[Parcel] = []
        if self.lie == "forks" and last.author == self.number and rng.random() < 0.3:
            signed = [another_act(own, log, rng)]
        elif self.lie == "votes twice" and last.author != self.number and rng.random() < 0.2:
            signed = [own.missing(log.height, last.said.prev)]
            signed.append(own.seen(log.height, last.said.prev, log.tip))
        elif self.lie == "votes early" and rng.random() < 0.5:
            n, prev = log.height, last.said.prev
            if rng.random() < 0.5:
                n, prev = log.height + 1, log.tip
            signed = [own.missing(n, prev)]
        elif self.lie == "nonsense" and log.due is not None and rng.random() < 0.2:
            signed = [own.act(log.height + 1, log.tip, own.seats[0], "x9")]
        for line in self.lines():
            if rng.random() < 0.7:
                self.world.send(line, self, ("parcels", rng.sample(signed, len(signed))))


LIES: Final = ("forks", "votes twice", "votes early", "nonsense", "mute")


def another_act(own: PersonSecrets, log: SealedLog, rng: Random) -> Parcel:
    """Return another answer to the question that the last entry of a log answers."""
    last = log.entries[-1]
    game = log.game_at(log.height - 1)
    tokens = [action.token for action in game.legal if action != REVEAL]
    return own.act(log.height, last.said.prev, last.said.seat, rng.choice(tokens or ["+"]))


class Evening:
    """One game from some height on, through troubles, to its end or what else may be."""

    def __init__(self, seed: int) -> None:
        self.world = world = World(seed)
        rng = self.rng = Random(seed * 7919)
        self.table = table = simulated_table(rng.randrange(TABLES))
        self.persons = range(len(table.people))
        self.host = rng.choice((HOST, *self.persons))
        height = rng.randrange(1, 60)
        begun = played(table, rng, lambda log: log.height >= height)
        lie = rng.choice(LIES) if rng.random() < 0.4 else ""
        liar = rng.choice(self.persons) if lie else -2
        if lie:
            world.liars.add(liar)
        for number in (*([HOST] if self.host == HOST else []), *self.persons):
            kind = Liar if number == liar else Program
            program = kind(world, number, table, rng.random() < 0.85, self.host)
            if isinstance(program, Liar):
                program.lie = lie
            program.take(begun.parcels(), None)
        for number in self.persons:
            if number != self.host:
                line = Line(self.programs[number], self.programs[self.host])
                world.lines.append(line)
                self.programs[number].calls[self.host] = line
                self.programs[self.host].guests[number] = line
                carrying = self.programs[self.host].carrying
                if carrying is not None:
                    carrying.joined(number, 0)
        self.gone: set[int] = set()
        self._plan()

    @property
    def programs(self) -> dict[int, Program]:
        return self.world.programs

    @property
    def honest(self) -> list[Program]:
        """Return the persons' programs that run and keep to the rules."""
        return [
            program
            for number, program in self.programs.items()
            if program.is_up and number != HOST and number not in self.world.liars
        ]

    # Troubles

    def _plan(self) -> None:
        rng, world = self.rng, self.world
        world.loss = rng.choice((0, 0, 0.05, 0.3))
        world.delay_s = rng.choice((0.02, 0.2, 1.0))
        for _ in range(rng.choice((0, 1, 2, 4))):
            self._plan_crash(rng.choice((self.host, *self.persons)))
        if rng.random() < 0.3:
            # The host dies, and then its successor.
            at = rng.uniform(0, 40)
            self._plan_crash(self.host, at)
            self._plan_crash(min(set(self.persons) - {self.host}), at + rng.uniform(2, 30))
        for _ in range(rng.choice((0, 0, 1, 2))):
            begins, lasts = rng.uniform(0, TROUBLES_S - 10), rng.choice((3, 15, 60))
            sides = {number: rng.randrange(2) for number in self.programs}
            world.later(begins, partial(world.part, sides))
            world.later(min(TROUBLES_S, begins + lasts), partial(world.part, {}))
        for _ in range(rng.choice((0, 0, 1, 3))):
            world.later(rng.uniform(0, TROUBLES_S), self._cut_a_line)
        for number in rng.sample(self.persons, rng.choice((0, 0, 0, 1))):
            if self._may_go(number):
                world.later(rng.uniform(0, TROUBLES_S), partial(self._sit_there, number))
        if rng.random() < 0.25:
            program = self.programs[self.host]
            program.fault = rng.choice(("reorders", "drops", "loses"))
            program.victim = rng.choice(self.persons)
        world.later(TROUBLES_S, self._calm)

    def _may_go(self, number: int) -> bool:
        """Return whether the others can go on without somebody; they are gone then."""
        bears = GONE[len(self.persons)] - len(self.world.liars)
        if number in self.world.liars or number in self.gone:
            return True
        if number == HOST or len(self.gone) < bears:
            self.gone.add(number)
            return True
        return False

    def _plan_crash(self, number: int, at: float = -1) -> None:
        rng = self.rng
        at = rng.uniform(0, TROUBLES_S) if at < 0 else at
        returns = not (rng.random() < 0.4 and self._may_go(number))
        self.world.later(at, partial(self._crash, number, returns))

    def _crash(self, number: int, returns: bool) -> None:
        program = self.programs[number]
        if program.is_up:
            program.crash()
            if returns:
                self.world.later(self.rng.choice((1, 8, 40)), program.start)

    def _cut_a_line(self) -> None:
        if self.world.lines:
            self.world.cut(self.rng.choice(self.world.lines))

    def _sit_there(self, number: int) -> None:
        self.programs[number].is_gone = True

    def _calm(self) -> None:
        """Let nothing go wrong any more; who was not to return is not back."""
        self.world.loss = 0
        self.world.delay_s = min(self.world.delay_s, 0.2)
        self.world.part({})
        for program in self.programs.values():
            if program.fault and program.is_up and program.relay is not None:
                # Its guests have enough of it: one of them carries on elsewhere, by hand.
                for other in [each for each in self.honest if each is not program][:1]:
                    assert other.carrying is not None
                    other.carrying.ask_to_open()
            program.fault = ""

    # The end

    def run(self) -> str:
        """Live through it all; return how it ended. Raises AssertionError where a promise fails."""
        world = self.world
        world.run(TROUBLES_S + 41)
        for number, program in self.programs.items():
            if not program.is_up and number not in self.gone and number not in world.liars:
                program.start()
        height, grown_at = -1, world.now
        while not self._is_over():
            self._link()
            world.run(world.now + 10)
            self.check()
            now = sum(len(each.log.ends) + each.log.height for each in self.honest)
            if now != height:
                height, grown_at = now, world.now
            if world.now - grown_at > STUCK_S:
                assert world.liars or self._is_vote_split(), self._where()
                self._see_one_log()
                return "waits"
        self.check()
        self._settle()
        frozen = {each.log.frozen for each in self.honest}
        return ", ".join(filter(None, frozen)) or "ended"

    def _is_over(self) -> bool:
        logs = [each.log for each in self.honest]
        owners = {each.number for each in self.honest}
        return (
            all(log.frozen or (log.game.over and owners <= set(log.ends)) for log in logs)
            and len({log.frozen != "" for log in logs}) == 1
        )

    def _is_vote_split(self) -> bool:
        """Return whether somebody has left for good, and who remains has voted both ways."""
        logs = [each.log for each in self.honest]
        n = min(log.height for log in logs)
        voted = [
            log
            for log in logs
            for step, votes in log.votes.items()
            if log.me in votes and step[0] > n
        ]
        return bool(self.gone) and bool(voted)

    def _link(self) -> None:
        """Have somebody who has found nobody told by another way where the table is."""
        relays = [each for each in self.programs.values() if each.is_up and each.relay is not None]
        if not relays and not any(each.allows for each in self.honest):
            carrying = self.honest[0].carrying
            assert carrying is not None
            carrying.ask_to_open()
        for program in self.honest:
            carrying = program.carrying
            assert carrying is not None
            for relay in relays:
                # Before a host was lost, it may not have told anybody of anybody.
                is_strange = not (relay is program or carrying.may_know(relay.number))
                if relay.carrying is not None and (is_strange or carrying.plays_at is None):
                    program._hear(filter(None, [relay.carrying._own]))

    def check(self) -> None:
        """See that all that was ever certain is so still, and that nobody honest is accused."""
        liars = self.world.liars
        logs = [each.log for each in self.honest]
        for log in logs:
            assert log.cheated <= liars, f"{log.me} convicts {log.cheated}: {log.proofs}"
            assert log.contradicted <= liars, f"{log.me} names {log.contradicted}"
            assert liars or not log.frozen, log.frozen
            owing(log)
        free = [log for log in logs if not log.frozen]
        for log in free:
            for program in self.honest:
                # Where somebody lies, others may be certain of something else until they compare.
                if liars and program.log is not log:
                    continue
                for n, tip in program.certain.items():
                    if n <= log.height and log is not program.log and log.locked < n:
                        continue
                    assert n > log.height or log.entries[n - 1].tip == tip, (
                        f"step {n}, certain to {program.number}, is another at {log.me}"
                    )
            for n, tips in self.world.opened.items():
                if n <= log.locked:
                    assert tips <= {log.tip_of(n)} or liars, f"step {n} was undone under an opening"

    def _settle(self) -> None:
        """See that all have one log in the end, and one relay."""
        world = self.world
        end = world.now + SETTLED_S
        while world.now < end:
            self._link()
            world.run(world.now + 5)
        self.check()
        self._see_one_log()
        # Nobody is told of a later relay who does not allow their own: they keep a bridge.
        lines = {each.carrying.plays_at for each in self.honest if each.carrying and each.allows}
        assert len(lines) <= 1, f"there are several tables: {lines}, {self._where()}"
        assert None not in lines, self._where()
        for each in self.honest:
            if each.relay is not None and each.number not in lines:
                assert any(not line.caller.allows for line in each.guests.values()), self._where()

    def _see_one_log(self) -> None:
        """See that all go on from one log, or that all have stopped."""
        logs = [each.log for each in self.honest]
        n = min(log.height for log in logs)
        if any(log.frozen for log in logs):
            assert all(log.frozen for log in logs), f"not all have stopped: {self._where()}"
        else:
            assert len({log.tip_of(n) for log in logs}) == 1, f"two logs: {self._where()}"

    def _where(self) -> str:
        return "; ".join(
            f"{number}: {'up' if each.is_up else 'down'} {each.log.height} "
            f"{each.log.tip.hex()[:6]} locked {each.log.locked} due {each.log.due} "
            f"plays at {each.carrying and each.carrying.plays_at} relays {each.relay is not None} "
            f"allows {each.allows} ends {sorted(each.log.ends)} frozen {each.log.frozen} "
            f"guests {sorted(each.guests)} calls {sorted(each.calls)}"
            for number, each in self.programs.items()
        )


def owing(log: SealedLog) -> None:
    """See that nobody has answered while they owed an opening."""
    before = log.game_at(0)
    for entry in log.entries:
        if entry.said.what in ("act", "reveal"):
            owed = {owed.seat for owed in before.owed if owed.card in LEAVES}
            owners = {log.sealing.owners[seat] for seat in owed}
            assert entry.author not in owners, f"{entry.author} owes and answers"
        before = entry.game
