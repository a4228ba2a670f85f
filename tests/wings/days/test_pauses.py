"""Tests the time in which a clock in hours runs: without nights and weekends."""

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netcode.protocol.table_settings import TableSettings
from netcode.wings.days.pauses import HOUR_S, Pauses
from netcode.wings.days.settings import OFFSET, PAUSES


def at(text: str, hours_east: int = 0) -> float:
    """Return the Unix time of a local time."""
    zone = timezone(timedelta(hours=hours_east))
    return datetime.fromisoformat(text).replace(tzinfo=zone).timestamp()


@pytest.mark.parametrize(
    ("pauses", "begin", "hours", "end"),
    [
        ("", "2026-11-27 20:00", 24, "2026-11-28 20:00"),
        ("nights", "2026-11-27 20:00", 3, "2026-11-28 08:00"),
        ("nights", "2026-11-27 23:30", 1, "2026-11-28 08:00"),
        ("nights", "2026-11-27 03:00", 15, "2026-11-27 22:00"),
        ("weekends", "2026-11-27 20:00", 5, "2026-11-30 01:00"),
        ("weekends", "2026-11-29 12:00", 1, "2026-11-30 01:00"),
        ("nights_weekends", "2026-11-27 21:00", 2, "2026-11-30 08:00"),
    ],
)
@pytest.mark.parametrize("hours_east", [0, 2, -11])
def test_a_clock_stands_still_at_night_and_on_weekends_of_its_place(
    pauses: str, begin: str, hours: int, end: str, hours_east: int
) -> None:
    settings = TableSettings.of({PAUSES: pauses, OFFSET: f"{hours_east:+03}:00"})
    clock, start = Pauses.of(settings), at(begin, hours_east)
    assert clock.ends_at(start, hours * HOUR_S) == at(end, hours_east)
    assert clock.running_s(start, at(end, hours_east)) == hours * HOUR_S


@given(
    st.booleans(),
    st.booleans(),
    st.integers(0, 2**31),
    st.integers(0, 60 * 24 * HOUR_S),
    st.integers(1, 2**30),
)
def test_whole_weeks_are_skipped_at_once(
    nights: bool, weekends: bool, begin: int, running_s: int, weeks: int
) -> None:
    clock = Pauses(nights, weekends)
    end, week_s = clock.ends_at(begin, running_s), 7 * 24 * HOUR_S
    in_weeks = weeks * int(clock.running_s(begin, begin + week_s))
    if running_s:
        assert clock.ends_at(begin, running_s + in_weeks) == end + weeks * week_s
    assert clock.running_s(begin, end + weeks * week_s) == running_s + in_weeks


@given(
    st.booleans(),
    st.booleans(),
    st.integers(-14 * 60, 14 * 60),
    st.integers(0, 2**31),
    st.integers(0, 672 * HOUR_S),
)
def test_the_time_that_runs_until_an_end_is_the_time_that_was_given(
    nights: bool, weekends: bool, minutes: int, begin: int, running_s: int
) -> None:
    clock = Pauses(nights, weekends, 60 * minutes)
    end = clock.ends_at(begin, running_s)
    assert end >= begin + running_s
    assert clock.running_s(begin, end) == running_s
    assert end - begin < 10_000_000
