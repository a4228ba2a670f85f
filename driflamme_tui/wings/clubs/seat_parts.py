"""Remembers the club through which the player joins a table."""

from typing import Final

from driflamme_tui import local_date
from driflamme_tui.seat.seat_parts import Journey, SeatPart, SeatParts
from driflamme_tui.wings.clubs.visited_clubs import CLUBS, remember_club
from netcode.client.reconnection import News
from netcode.protocol.messages import Goodbye, Refused
from netcode.wings.clubs.messages import Club

INVALID_LINK: Final = frozenset({"no_such_table", "invitation_renewed"})
"""The codes of refusals after which a club's link is invalid."""


class ClubVisit(SeatPart):
    """Remembers a club after it has sent its tables."""

    def __init__(self, journey: Journey) -> None:
        self._target: Final = journey.target
        self._session: Final = journey.player_seat.session

    def receive(self, news: News) -> None:
        """Store the club's link, or delete a link that has become invalid."""
        target = self._target
        if target is None:
            return
        if isinstance(news, Club):
            remember_club(target, local_date.today())
        elif isinstance(news, Refused | Goodbye) and news.code in INVALID_LINK and self._asks_club:
            CLUBS.forget(target.place)

    @property
    def _asks_club(self) -> bool:
        """True if the last Hello was for the club, not for one of its tables."""
        return self._target is not None and self._session.secret == self._target.secret


SEAM: Final = SeatParts(ClubVisit)
"""The part that remembers clubs."""
