"""Shows a club line by line: its tables, and the commands to join them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Final

from driflamme_tui.plain.line_player import LineEffect, Reply
from driflamme_tui.plain.wing_lines import TableChoice, WingLines
from driflamme_tui.preferences.remembered import next_table
from driflamme_tui.seat.seat_session import SeatSession
from driflamme_tui.text.i18n import _
from driflamme_tui.wings.clubs.club_words import state_words
from driflamme_tui.wording.game.names import edition_name
from engine.texts import Text
from netcode.protocol.fields import BeforeTable
from netcode.wings.clubs.messages import Club, OpenTable

_WORDS: Final[tuple[Annotated[Text, "typed"], ...]] = ("open", "tables", "watch")
"""The commands as they are typed."""


class ClubLines(TableChoice):
    """Lists the tables of a club by number."""

    def __init__(self) -> None:
        self._club = Club(tables=())

    def is_about(self, news: BeforeTable) -> bool:
        """Return True if a message lists the tables of a club."""
        return isinstance(news, Club)

    def news(self, news: BeforeTable) -> Iterable[str]:
        """Return the lines about a club's tables; () for other news."""
        if not isinstance(news, Club):
            return ()
        self._club = news
        return self._tables()

    def commands(self) -> Mapping[str, Callable[[str], LineEffect]]:
        """Return the function of each command of a club, by the words to type."""
        return {
            "tables": lambda _rest: Reply(goes=lambda seat: seat.greet()),
            "open": lambda _rest: Reply(goes=_open_table),
            "watch *": lambda number: self._enter(number, watch=True),
        }

    def otherwise(self, text: str) -> LineEffect:
        """Join the table with this number; list the tables again if no table has it."""
        return self._enter(text, watch=False)

    def _tables(self) -> Iterator[str]:
        for n, table in enumerate(self._club.tables, 1):
            yield f"{n}: {table.prefix}, {state_words(table)}, {edition_name(table.edition)}: " + (
                ", ".join(table.names) or _("nobody")
            )
        if self._club.tables:
            yield _("Type the number of a table to sit down there; watch, and a number: to watch.")
        yield _("open: open another table. tables: list them again. quit: leave the club.")

    def _enter(self, number: str, *, watch: bool) -> LineEffect:
        numbered = {str(n): table for n, table in enumerate(self._club.tables, 1)}
        if number not in numbered:
            return self._tables()
        secret = numbered[number].secret
        return Reply(goes=lambda seat: seat.enter(secret, watch=watch))


def _open_table(seat: SeatSession) -> None:
    """Release the present seat, and request a new table. The player joins it once it is open."""
    seat.release_seat()
    seat.send(OpenTable(settings=next_table()))


SEAM: Final = WingLines(words=_WORDS, choice=ClubLines)
