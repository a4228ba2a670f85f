"""Decides which question a worker takes up next, and for how long: no process, clock or thread.

Every question must be answered its budget after it was asked, so that waiting counts, or at the end
of the pause before its answer, if that is later. While the first worker starts no time goes by for
those that wait, up to a bound. With more questions than workers each has its part
of the time only, so that all are answered in time.
"""

from collections.abc import Iterator
from math import inf
from typing import Final

from msgspec import Struct

HANDOVER_S: Final = 0.03
"""Seconds by which a search ends before its answer is due: a long iteration, and the way.

Of a short budget it is a quarter, for something must be left to search in.
"""

GRACE_S: Final = 0.5
"""Seconds by which an answer may be late before its worker is killed."""


STARTING_S: Final = 3.0
"""Seconds that a question may wait for longer while the first worker starts."""


class _Asked(Struct, eq=False):
    number: int
    budget: float
    due: float
    """When it must be answered."""
    until: float = 0.0
    """When the thinking is to end, as its worker was told last."""
    dropped: bool = False
    """Whether nobody wants the answer any more, although a worker is still at it."""

    @property
    def handover(self) -> float:
        """By how many seconds the search ends before the answer is due."""
        return min(HANDOVER_S, self.budget / 4)


class Scheduler:
    """Gives questions to workers in the order in which their answers are due, with time for all."""

    def __init__(self, workers: int) -> None:
        """Begin without any; `workers` is how many can be thought about at a time."""
        self._workers = workers
        self._waiting: list[_Asked] = []
        """The one that must be answered first is the first."""
        self._searching: dict[int, _Asked] = {}
        self._starting = False
        """Whether there is no worker yet."""

    def starting(self, starting: bool, now: float) -> None:
        """Take note of whether there is no worker yet; once there is, those who wait have time."""
        if self._starting and not starting:
            for asked in self._waiting:
                asked.due = max(asked.due, now + asked.budget)
        self._starting = starting

    @property
    def waiting(self) -> int:
        """How many questions wait for a worker."""
        return len(self._waiting)

    def ask(self, number: int, budget: float, now: float, pause: float = 0.0) -> None:
        """Add a question, whose answer is not wanted before the end of a pause."""
        self._waiting.append(_Asked(number, budget, now + max(budget, pause)))
        self._waiting.sort(key=lambda asked: asked.due)

    def begin(self, now: float) -> tuple[int, float] | None:
        """Return the question for a free worker, and until when it may search; None without any."""
        if not self._waiting or len(self._searching) >= self._workers:
            return None
        asked = self._waiting.pop(0)
        self._searching[asked.number] = asked
        end = min(now + asked.budget, asked.due) - asked.handover
        asked.until = min(end, self._turn(now))
        return asked.number, asked.until

    def end(self, number: int) -> None:
        """Forget a question: it is answered, or its worker is no more."""
        self._searching.pop(number, None)
        self._waiting = [asked for asked in self._waiting if asked.number != number]

    def drop(self, number: int, now: float) -> bool:
        """Drop a question; return whether a worker is at it, which is then to stop and answer."""
        asked = self._searching.get(number)
        if asked is None:
            self.end(number)
            return False
        asked.dropped, asked.due, asked.until = True, now, now
        return True

    def shortened(self, now: float) -> Iterator[tuple[int, float]]:
        """Yield the questions that must end sooner than their workers were told, and when."""
        turn = self._turn(now)
        for asked in self._searching.values():
            if turn < asked.until:
                asked.until = turn
                yield asked.number, turn

    def overdue(self, now: float) -> tuple[list[int], list[int]]:
        """Return, and forget, the questions that waited too long, and those that took too long."""
        longer = STARTING_S if self._starting else 0.0
        waited = [asked.number for asked in self._waiting if now >= asked.due + longer]
        overran = [asked.number for asked in self._searching.values() if now >= asked.due + GRACE_S]
        for number in waited + overran:
            self.end(number)
        return waited, overran

    @property
    def next_overdue(self) -> float | None:
        """When the next question is overdue unless it is answered; None without any."""
        longer = STARTING_S if self._starting else 0.0
        dues = [asked.due + longer for asked in self._waiting]
        dues += [asked.due + GRACE_S for asked in self._searching.values()]
        return min(dues, default=None)

    def _turn(self, now: float) -> float:
        """Return when those who wait should have a worker, so that there is time for all.

        Each round of as many as there are workers has an equal part of the time that is left to it.
        """
        busy = sum(not asked.dropped for asked in self._searching.values())
        waiting = self._waiting[max(0, self._workers - busy) :]
        return min(
            (
                now + (asked.due - asked.handover - now) / (place // self._workers + 2)
                for place, asked in enumerate(waiting)
            ),
            default=inf,
        )
