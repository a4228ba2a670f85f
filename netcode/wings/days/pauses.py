"""Computes the running time of a clock in hours, which may stop at nights and weekends."""

from collections.abc import Iterator
from math import ceil
from typing import Final, NamedTuple

from netcode.protocol.table_settings import TableSettings
from netcode.wings.days.settings import (
    NIGHTS,
    OFFSET,
    PAUSES,
    WEEKENDS,
    offset_minutes,
)

HOUR_S: Final = 3600
DAY_S: Final = 24 * HOUR_S
_WEEK_S: Final = 7 * DAY_S

MORNING_S: Final = 7 * HOUR_S
"""The end of a night, in seconds after midnight."""

EVENING_S: Final = 22 * HOUR_S
"""The beginning of a night, in seconds after midnight."""

_SATURDAY: Final = 5
_FIRST_WEEKDAY: Final = 3
"""The day of the week of Unix time 0, a Thursday. Monday is 0."""


class Pauses(NamedTuple):
    """The regular times at which a clock stands still."""

    nights: bool = False
    weekends: bool = False
    """True if the clock stands still on Saturdays and Sundays."""
    offset_s: int = 0
    """Seconds by which local clocks are ahead of UTC; below 0 if they are behind."""

    @classmethod
    def of(cls, settings: TableSettings) -> "Pauses":
        """Return the pauses that the settings of a table describe."""
        pauses = str(settings.value(PAUSES))
        minutes = offset_minutes(settings.value(OFFSET)) or 0
        return cls(NIGHTS in pauses, WEEKENDS in pauses, 60 * minutes)

    def ends_at(self, begin: float, running_s: float) -> float:
        """Return the time at which the clock has run for `running_s` seconds since `begin`.

        All times are Unix times.
        """
        weeks = max(0, ceil(running_s / self._week_s) - 1)
        left = running_s - weeks * self._week_s
        for start, end in self._running(begin + weeks * _WEEK_S):
            if left <= end - start:
                return start + left
            left -= end - start
        raise AssertionError("days never end")

    def running_s(self, begin: float, end: float) -> float:
        """Return the seconds for which the clock runs between two Unix times."""
        weeks = max(0, int((end - begin) // _WEEK_S))
        total = float(weeks * self._week_s)
        for start, stop in self._running(begin + weeks * _WEEK_S):
            if start >= end:
                break
            total += min(stop, end) - start
        return total

    @property
    def _week_s(self) -> int:
        """The seconds for which the clock runs in each week."""
        return (5 if self.weekends else 7) * (EVENING_S - MORNING_S if self.nights else DAY_S)

    def _running(self, begin: float) -> Iterator[tuple[float, float]]:
        """Yield the intervals after `begin` in which the clock runs, without end, as Unix times."""
        local = begin + self.offset_s
        day = int(local // DAY_S)
        while True:
            if not (self.weekends and (day + _FIRST_WEEKDAY) % 7 >= _SATURDAY):
                start = max(local, day * DAY_S + (MORNING_S if self.nights else 0))
                end = day * DAY_S + (EVENING_S if self.nights else DAY_S)
                if start < end:
                    yield start - self.offset_s, end - self.offset_s
            day += 1
