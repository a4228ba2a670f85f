"""Stores the clubs that the player has visited."""

from typing import Final

from driflamme_tui.preferences.visits import Visit, Visits
from driflamme_tui.seat.targets import ResolvedTarget

CLUBS: Final = Visits("clubs.json")


def remember_club(target: ResolvedTarget, today: int) -> None:
    """Store the visit to a club on the day `today`, counted as `date.toordinal` does."""
    where = str(target.addresses[0]) if target.addresses else target.place
    CLUBS.remember(target.place, Visit(where, target.typed_now, today))
