"""Today's date, which the puzzle of the day and the lists of visited tables depend on."""

from datetime import date


def today() -> int:
    """Return today's date in local time, counted as `date.toordinal` does."""
    return date.today().toordinal()
