"""Lists the tables at which the player has a seat, with the servers' last news."""

from collections.abc import Mapping
from typing import NamedTuple

from driflamme_tui.wings.days.turns.returns import KnownSeat, LastSeen, StoredTurn, known_seats


class KnownTable(NamedTuple):
    """A table at which the player has a seat, with its news."""

    key: str
    """The name of the seat, as in `seat_name`."""
    seat: KnownSeat
    news: StoredTurn | None
    """The server's last news; None if it has sent none, or if the seat is gone."""
    why: str = ""
    """The reason why the news is old or missing; "" if it is current."""

    @property
    def is_absent(self) -> bool:
        """True if the server answers, but does not have the table now."""
        return self.news is not None and self.news.is_absent

    @property
    def prefix(self) -> str:
        """The prefix of the table's code; "" if it is unknown."""
        return self.seat.prefix or ("" if self.news is None else self.news.turn.prefix)

    @property
    def is_mine(self) -> bool:
        """True if the table waited for the player when the server sent its last news.

        False for a table that its server does not have now, because nobody can answer there.
        """
        return self.news is not None and self.news.turn.mine and not self.is_absent

    @property
    def has_unseen_end(self) -> bool:
        """True if the game has ended, and the player has not been at the table since."""
        return self.news is not None and (
            self.news.turn.phase == "result" and not self.news.is_seen
        )

    def urgency(self, now: float) -> tuple[bool, float]:
        """Return a key for sorting: the player's own turns first, then by the seconds left.

        Tables without a clock are the last of each kind.
        """
        left = None if self.news is None else self.news.left_at(now)
        return not self.is_mine, float("inf") if left is None else left


def last_news() -> list[KnownTable]:
    """Return the player's tables with their stored news, without asking any server."""
    return tables_at(known_seats())


def tables_at(seats: Mapping[str, LastSeen]) -> list[KnownTable]:
    """Return the tables of stored seats, given by name."""
    return [
        KnownTable(key, seen.seat, seen.news)
        for key, seen in seats.items()
        if seen.seat is not None
    ]
