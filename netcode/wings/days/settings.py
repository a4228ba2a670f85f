"""The settings of games that last for days: hours for a decision, a bank of hours, and pauses."""

import re
from typing import Final

from netcode.protocol.table_settings import (
    SettingValue,
    TableSettings,
    WingSetting,
    WingSettings,
)

NAME: Final = "days"
"""The name of this wing, of its parts, and of its records."""

HOURS: Final = "days.hours"
"""The hours for each decision; 0 for none."""

BANK: Final = "days.bank"
"""The hours that each player has for a whole game, besides the hours of a decision; 0 for none."""

PAUSES: Final = "days.pauses"
"""The times at which the clock stands still: one of `PAUSE_CHOICES`."""

OFFSET: Final = "days.offset"
"""The offset of local time from UTC, such as `+01:00`. Nights and weekends follow local time."""

MAXIMUM_HOURS: Final = 336
"""Maximum hours of a decision or bank: two weeks."""

NIGHTS: Final = "nights"
WEEKENDS: Final = "weekends"
NIGHTS_AND_WEEKENDS: Final = f"{NIGHTS}_{WEEKENDS}"
PAUSE_CHOICES: Final = ("", NIGHTS, WEEKENDS, NIGHTS_AND_WEEKENDS)
"""The possible pauses; empty for none."""

NO_OFFSET: Final = "+00:00"
MAXIMUM_OFFSET: Final = 14 * 60
"""Maximum minutes of an offset from UTC, in both directions."""

_OFFSET: Final = re.compile(r"([+-])([0-9]{2}):([0-5][0-9])", re.ASCII)


def is_hours(value: SettingValue) -> bool:
    """Return True if a value is a whole number of hours from 0 to `MAXIMUM_HOURS`."""
    return type(value) is int and 0 <= value <= MAXIMUM_HOURS


def offset_minutes(text: object) -> int | None:
    """Return the minutes of an offset from UTC.

    Returns None for a value of another form, and for an offset beyond `MAXIMUM_OFFSET`.

    >>> offset_minutes("-03:30")
    -210
    """
    found = _OFFSET.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        return None
    minutes = 60 * int(found[2]) + int(found[3])
    if minutes > MAXIMUM_OFFSET:
        return None
    return -minutes if found[1] == "-" else minutes


def lasts_for_days(settings: TableSettings) -> bool:
    """Return True if games with these settings have a clock in hours."""
    return bool(settings.added.get(HOURS) or settings.added.get(BANK))


def refusal(settings: TableSettings) -> str | None:
    """Return the code of a refusal if games with these settings cannot last for days, or None."""
    if not lasts_for_days(settings):
        return None
    if settings.kind is not None:
        return "days_sealed"
    return "days_clock" if settings.clock_s else None


SEAM: Final = WingSettings(
    (
        WingSetting(HOURS, 0, is_hours),
        WingSetting(BANK, 0, is_hours),
        WingSetting(PAUSES, "", lambda value: value in PAUSE_CHOICES),
        WingSetting(OFFSET, NO_OFFSET, lambda value: offset_minutes(value) is not None),
    ),
    refusal,
    keeps_lobby=lasts_for_days,
)
