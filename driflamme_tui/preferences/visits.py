"""Stores the player's latest visits to tables of others, for the start screen."""

import re
from typing import Annotated, Final

from msgspec import Meta, Struct

from driflamme_tui.preferences.remembered import INVITATION_PART, StoredValue, WayBack, with_latest

MOST_VISITS: Final = 5
"""Maximum number of stored visits; the oldest are dropped."""


class Visit(Struct, frozen=True):
    """A visit to a table of others, or to another place with tables."""

    host: str
    """The name of the host; "" if unknown."""
    typed: str
    """The text that leads to the place when it is typed."""
    day: Annotated[int, Meta(ge=1, le=3_000_000)]
    """The day of the visit, counted as `date.toordinal` does."""


class Visits:
    """The latest visits, one for each place, in one file of the user's state."""

    def __init__(self, file: str) -> None:
        """Store the visits in a file with this name."""
        self._kept: Final = StoredValue(file, dict[str, Visit], {})

    def latest(self) -> dict[str, Visit]:
        """Return the visits by place, the latest first."""
        return dict(reversed([*self._kept.recall().items()]))

    def remember(self, place: str, visit: Visit) -> None:
        """Store a visit to a place as the latest. If there are too many, drop the oldest."""
        if next(iter(self.latest().items()), None) != (place, visit):
            self._kept.change(lambda kept: with_latest(kept, place, visit, MOST_VISITS))

    def forget(self, place: str) -> None:
        """Delete the visit to a place."""
        if place in self.latest():
            self._kept.change(lambda kept: with_latest(kept, place, None, MOST_VISITS))


TABLES: Final = Visits("tables.json")


def place_of(seat_place: str) -> str:
    """Return the place of a seat without its invitation.

    The next table of the same host then has the same place.

    >>> place_of("4af0/0123456789abcdef"), place_of("10.0.0.7")
    ('4af0', '10.0.0.7')
    """
    return re.sub(INVITATION_PART, "", seat_place)


def remember_visit(back: WayBack, today: int) -> None:
    """Store the visit to a table, on the day `today` as in `date.toordinal`.

    `back` is the way back to the player's seat there.
    """
    TABLES.remember(place_of(back.place), Visit(back.host, back.typed, today))
