"""A clock that stands still while the program is stopped; what a server grants counts by it.

After a stop (by a signal, a closed lid, a debugger) nobody has had the time that passed.
"""

import asyncio
from collections.abc import Callable
from typing import Final

STOPPED_S: Final = 3.0
"""Seconds between two ticks, which are more frequent, after which the program stood still."""

SLACK_S: Final = 0.01
"""Seconds by which a timer may be too early: they are only so exact."""


class RunningClock:
    """The loop's clock without the time in which the loop stood still; it begins as the loop's."""

    def __init__(self) -> None:
        self._seen: float | None = None
        """When it was looked at last, by the loop's clock; None before it ticks."""
        self._stood = 0.0
        """For how long the loop has stood still."""

    def now(self) -> float:
        """Return the time in seconds, which stands still while the loop does."""
        time = asyncio.get_running_loop().time()
        if self._seen is not None:
            if time - self._seen > STOPPED_S:
                self._stood += time - self._seen
            self._seen = time
        return time - self._stood

    async def tick(self, seconds: float) -> float:
        """Let some time pass, and return for how long the loop stood still meanwhile."""
        if self._seen is None:
            self._seen = asyncio.get_running_loop().time()
        before = self._stood
        await asyncio.sleep(seconds)
        self.now()
        return self._stood - before

    def call_later(
        self, delay_s: float, call: Callable[..., object], *arguments: object
    ) -> "ScheduledCall":
        """Call something after so many seconds."""
        return self.call_at(self.now() + delay_s, lambda: call(*arguments))

    def call_at(self, when: float, call: Callable[[], object]) -> "ScheduledCall":
        """Call something at a time of this clock."""
        return ScheduledCall(self, when, call)

    async def sleep_until(self, when: float) -> None:
        """Let the time come."""
        await asyncio.sleep(when - self.now())
        while (left := when - self.now()) > SLACK_S:
            await asyncio.sleep(left)


class ScheduledCall:
    """A call that is put off for as long as the clock has stood still meanwhile."""

    def __init__(self, clock: RunningClock, at: float, call: Callable[[], object]) -> None:
        self._clock = clock
        self.at = at
        """When it is due, by the clock."""
        self._call = call
        self._schedule()

    def cancel(self) -> None:
        """Cancel the call."""
        self._timer.cancel()
        # What is called may refer to this.
        self._call = _nothing

    def _schedule(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(max(0.0, self.at - self._clock.now()), self._due)

    def _due(self) -> None:
        if self._clock.now() < self.at - SLACK_S:
            self._schedule()
        else:
            call, self._call = self._call, _nothing
            call()


def _nothing() -> None:
    """Do nothing, in the place of a call that was cancelled."""
