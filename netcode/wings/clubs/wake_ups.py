"""Wakes sleeping tables at the times that their wings want. One timer serves all tables."""

import asyncio
from collections.abc import Awaitable, Callable
from heapq import heapify, heappop, heappush
from itertools import count
from math import inf
from typing import Final

from netcode.server.table_registry import TableEntry
from netcode.server.tables import Runner
from netcode.system_clock import server_time
from netcode.transport.running_clock import ScheduledCall

SPARE: Final = 100
"""How many more outdated times than valid times may be stored before they are removed."""


def wakes_at(entry: TableEntry) -> float:
    """Return the Unix time at which a sleeping table must wake.

    Returns infinity if no wing wants to wake it, and for a table that is awake.
    """
    if entry.table is not None:
        return inf
    return min((note.wakes_at for note in entry.notes.values()), default=inf)


class WakeUps:
    """The Unix times at which sleeping tables must wake, and the timer for the next of them."""

    def __init__(
        self, wake: Callable[[TableEntry], Awaitable[object]], unix_time: Callable[[], float]
    ) -> None:
        """Begin without times. `wake` wakes a table, so that its due timers run."""
        self._wake: Final = wake
        self._unix_time: Final = unix_time
        self._runner: Runner | None = None
        self._times: list[tuple[float, int, TableEntry]] = []
        """A heap of times and tables. A time is outdated if its table has another time now."""
        self._valid = 0
        """Number of valid times after the outdated ones were last removed."""
        self._order = count()
        self._timer: ScheduledCall | None = None
        self._waking: asyncio.Task[None] | None = None

    def start(self, runner: Runner) -> None:
        """Begin to wake tables."""
        self._runner = runner
        self._set_timer()

    def stop(self) -> None:
        """Wake no more tables, and stop waking the present one."""
        self._runner = None
        if self._timer is not None:
            self._timer.cancel()
        if self._waking is not None:
            self._waking.cancel()

    def add(self, entry: TableEntry, at: float) -> None:
        """Wake a sleeping table at a Unix time, unless it wakes before; infinity for never."""
        if at == inf:
            return
        heappush(self._times, (at, next(self._order), entry))
        if len(self._times) > 2 * self._valid + SPARE:
            self._times = [each for each in self._times if wakes_at(each[2]) <= each[0]]
            heapify(self._times)
            self._valid = len(self._times)
        self._set_timer()

    def _set_timer(self) -> None:
        """Set the timer to the next time, unless tables are being woken now."""
        runner = self._runner
        if runner is None or not self._times or self._waking is not None:
            return
        if self._timer is not None:
            self._timer.cancel()
        now = runner.now()
        due = server_time(self._times[0][0], now, self._unix_time())
        self._timer = runner.call_at(due, self._due)

    def _due(self) -> None:
        self._waking = asyncio.create_task(self._wake_all())

    async def _wake_all(self) -> None:
        """Wake all tables whose time has come, one after the other."""
        try:
            while self._times and self._times[0][0] <= self._unix_time():
                at, _, entry = heappop(self._times)
                if wakes_at(entry) <= at:
                    await self._wake(entry)
        finally:
            self._waking = None
            self._set_timer()
