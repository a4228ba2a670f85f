"""Causes random troubles during an evening, each time of a few kinds."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Final

from tests.netcode.simulation.person import Person

if TYPE_CHECKING:
    from tests.netcode.simulation.evening import Evening

LONGEST_CRASH_S: Final = 6.0
"""Maximum seconds until the host is back."""

RESTARTS: Final = 0.3
"""The share of evenings whose host closes the table for now, and opens it again."""

PATIENCE_S: Final = 900.0
"""Maximum seconds to the end of the game, from the end of troubles or the plan of one crash."""


class Troubles:
    """Makes trouble for a limited time."""

    def __init__(self, evening: Evening, rng: Random) -> None:
        self.evening = evening
        self.rng = rng
        kinds: list[Callable[[], object]] = [
            self._cut,
            self._silence,
            self._stall,
            self._stall,
            self._take_network,
            self._sleep,
            self._kill,
            self._kill_soon,
            self._intrude,
            self._crash,
            self._crash_soon,
            self._crash_soon,
            self._repeat,
            self._fill_disk,
        ]
        # Few kinds at a time find more bugs, because many kinds hide each other.
        self.kinds = [kind for kind in kinds if rng.random() < 0.4] or [rng.choice(kinds)]
        # Use a separate random generator, so that all other evenings stay the same.
        plans = Random(repr(rng.getstate()[1][:4]))
        if evening.make_line is None and plans.random() < RESTARTS:
            self.kinds.append(self._restart)
        self.until = rng.choice((10.0, 30.0, 60.0))
        self.pause = rng.choice((0.5, 2.0, 6.0))
        self.begin_at = rng.choice((0.0, 2.0, 2.0))
        if self._kill in self.kinds and rng.random() < 0.5:
            for person in evening.persons:
                person.dies_at_welcome = 0.3

    def crash_once(self, moments: int) -> None:
        """Crash the host after this many moments, and cause no other trouble.

        The game must end within `PATIENCE_S` of this call.
        """
        assert self.evening.host.process is not None
        self.evening.host.process.doom(moments, self._crash)
        self.evening.loop.later(PATIENCE_S, self.evening.give_up)

    def begin(self) -> None:
        self.evening.loop.later(self.begin_at, self._next)

    def _next(self) -> None:
        evening = self.evening
        if evening.loop.now > self.until:
            self._end()
            return
        kind = self.rng.choice(self.kinds)
        evening.witness.note(kind.__name__)
        kind()
        evening.loop.later(self.rng.expovariate(1 / self.pause), self._next)

    def _end(self) -> None:
        evening = self.evening
        self._clear_disk()
        if evening.host.process is not None:
            evening.host.process.spare()
        for person in evening.persons:
            person.dies_at_welcome = 0.0
            if person.process is not None:
                person.process.spare()
        evening.loop.later(PATIENCE_S, evening.give_up)

    def _somebody(self) -> Person:
        return self.rng.choice(self.evening.persons)

    def _cut(self) -> None:
        for line in self.evening.network.standing(self._somebody().name):
            line.cut()

    def _silence(self) -> None:
        for line in self.evening.network.standing(self._somebody().name):
            line.fall_silent()

    def _stall(self) -> None:
        for line in self.evening.network.standing(self._somebody().name):
            line.stall(
                self.rng.choice((line.up, line.down)), self.rng.choice((0.5, 2.0, 4.0, 30.0))
            )

    def _take_network(self) -> None:
        seconds = self.rng.choice((1.0, 8.0, 30.0))
        self.evening.network.take_away(self._somebody().name, seconds)

    def _sleep(self) -> None:
        person = self._somebody()
        process = person.process
        if process is None or not process.runs:
            return
        seconds = self.rng.choice((1.0, 5.0, 30.0, 180.0))
        process.stop()
        for line in self.evening.network.standing(person.name):
            line.lose_patience()
        slept = seconds if self.rng.random() < 0.5 else 0.0
        self.evening.loop.later(seconds, lambda: process.go_on(slept))

    def _kill(self) -> None:
        person = self._somebody()
        if person.process is not None:
            person.kill()
            self.evening.loop.later(self.rng.choice((0.1, 3.0, 25.0)), person.start)

    def _kill_soon(self) -> None:
        """Kill a program between two of its awaits."""
        person = self._somebody()
        if person.process is not None:
            person.process.doom(int(10 ** (self.rng.random() * 1.5)), person.begin_anew)

    def _intrude(self) -> None:
        """Let a stranger show a former key of a seat."""
        person = self._somebody()
        if person.lost_keys:
            self.evening.intrude(person.secret, self.rng.choice(person.lost_keys))

    def _repeat(self) -> None:
        self._somebody().repeat()

    def _crash(self) -> None:
        host = self.evening.host
        # While the journal reports that it cannot store, it guarantees nothing.
        if host.process is not None and not host.owes:
            host.crash(silently=self.rng.random() < 0.3)
            self.evening.loop.later(self.rng.random() * LONGEST_CRASH_S, host.start)

    def _restart(self) -> None:
        """Close the table as planned, and open it again."""
        host, wait = self.evening.host, self.rng.random() * LONGEST_CRASH_S
        if host.can_close_for_now:
            host.close(lambda: self.evening.loop.later(wait, host.start))

    def _fill_disk(self) -> None:
        """Fill the disk for a while; the journal then retries every ten seconds."""
        host = self.evening.host
        if host.process is not None and not host.owes:
            host.disk_is_full = True
            self.evening.loop.later(self.rng.choice((1.0, 8.0, 25.0)), self._clear_disk)

    def _clear_disk(self) -> None:
        self.evening.host.disk_is_full = False

    def _crash_soon(self) -> None:
        """Crash the host at one of its next moments: between two awaits, or in a commit."""
        process = self.evening.host.process
        if process is not None:
            process.doom(int(10 ** (self.rng.random() * 2.5)), self._crash)
