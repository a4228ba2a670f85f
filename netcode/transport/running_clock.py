"""A clock that stands still while the program is stopped. A server measures time limits by it.

While a signal, a closed lid or a debugger stops the program, players cannot use their time.
"""

import asyncio
from collections.abc import Callable
from typing import Final

STOPPED_S: Final = 3.0
"""A gap between two ticks of more than these seconds counts as a stop of the program."""

SLACK_S: Final = 0.01
"""Tolerance in seconds for timers that fire early."""


class RunningClock:
    """The event loop's clock, without the time in which the program was stopped."""

    def __init__(self) -> None:
        self._seen: float | None = None
        """The event loop's time at the last tick; None before the first."""
        self._stood = 0.0
        """Total seconds for which the program was stopped."""

    def now(self) -> float:
        """Return the time in seconds, without the time in which the program was stopped."""
        time = asyncio.get_running_loop().time()
        if self._seen is not None:
            if time - self._seen > STOPPED_S:
                self._stood += time - self._seen
            self._seen = time
        return time - self._stood

    async def tick(self, seconds: float) -> float:
        """Sleep for `seconds`; return the seconds for which the program was stopped meanwhile."""
        if self._seen is None:
            self._seen = asyncio.get_running_loop().time()
        before = self._stood
        await asyncio.sleep(seconds)
        self.now()
        return self._stood - before

    def call_later(
        self, delay_s: float, call: Callable[..., object], *arguments: object
    ) -> "ScheduledCall":
        """Call a function after `delay_s` seconds; return the scheduled call."""
        return self.call_at(self.now() + delay_s, lambda: call(*arguments))

    def call_at(self, when: float, call: Callable[[], object]) -> "ScheduledCall":
        """Call a function at a time of this clock; return the scheduled call."""
        return ScheduledCall(self, when, call)

    async def sleep_until(self, when: float) -> None:
        """Wait until a time of this clock."""
        await asyncio.sleep(when - self.now())
        while (left := when - self.now()) > SLACK_S:
            await asyncio.sleep(left)


class ScheduledCall:
    """A function to call at a time of a clock. Stops of the program postpone the call."""

    def __init__(self, clock: RunningClock, at: float, call: Callable[[], object]) -> None:
        self._clock = clock
        self.at = at
        """The time of the call, by the clock."""
        self._call = call
        self._schedule()

    def cancel(self) -> None:
        """Prevent the call, if it was not made yet."""
        self._timer.cancel()
        # Drop the function: it may refer to this call, which would make a reference cycle.
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
    """Do nothing, in place of a cancelled function."""
