"""The messages of clubs, and what their fields may hold."""

from typing import Annotated, Final

from msgspec import Meta

from engine.cards import MAXIMUM_PLAYERS
from engine.words import Text
from netcode.protocol.fields import (
    BeforeTable,
    Messages,
    Phase,
    Room,
    Secret,
    ShownName,
    Strict,
    require,
)
from netcode.protocol.table_settings import TableSettings

MAXIMUM_TABLES: Final = 100
"""Most tables that a club tells of in one message: the liveliest, if it has more."""

MAXIMUM_RANKED: Final = 100
"""Most players that a club's league tells of: the best."""

MAXIMUM_DUELS: Final = 1000
"""Most pairs of them of whom it tells who came in before the other: who met most often."""

ALL_SEASONS: Final = 0
"""What stands for all seasons of a league together."""

Season = Annotated[int, Meta(ge=0, le=40_000)]
"""Type of a season of a league, a quarter of a year in UTC: the year four times, and 0 to 3."""

Tally = Annotated[int, Meta(ge=0, le=1_000_000_000)]
"""Type of what is counted over all games of a club."""


class TableInfo(Strict, frozen=True, kw_only=True):
    """A table of a club, as its members see it from outside."""

    room: Room
    secret: Secret
    phase: Phase
    edition: Annotated[int, Meta(ge=1, le=2)]
    names: Annotated[tuple[ShownName, ...], Meta(max_length=MAXIMUM_PLAYERS)]
    """Of those who have a seat."""
    asleep: bool = False
    """Whether nobody is there, and the table waits to be woken by whoever comes."""


class Club(BeforeTable, frozen=True):
    """The tables of a club: the answer to a Hello with the club's secret."""

    tables: Annotated[tuple[TableInfo, ...], Meta(max_length=MAXIMUM_TABLES)]


class LeagueRow(Strict, frozen=True, kw_only=True):
    """What somebody has come to in the league of a club."""

    name: ShownName
    """A bot goes by its level."""
    place: Tally | None
    """Among people, from 1; None for a bot."""
    games: Tally
    wins: Tally
    """How many of them they won, alone or together with others."""
    points: Tally
    """One in each game for everybody there who came in after them."""
    rating: Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
    """How strong they seem to be, in hundredths; everybody begins with 2500."""
    uncertainty: Tally
    """How far from that their strength is at most 19 times in 20, in hundredths."""


_Row = Annotated[int, Meta(ge=0, lt=MAXIMUM_RANKED)]


class League(BeforeTable, frozen=True):
    """How a club's league stands: the answer to an AskLeague."""

    season: Season
    rows: Annotated[tuple[LeagueRow, ...], Meta(max_length=MAXIMUM_RANKED)]
    """The best first."""
    duels: Annotated[tuple[tuple[_Row, _Row, Tally, Tally], ...], Meta(max_length=MAXIMUM_DUELS)]
    """Pairs of rows, and how often the first and the second came in before the other."""

    def __post_init__(self) -> None:
        rows = len(self.rows)
        require("duels", all(one < rows and other < rows for one, other, *_ in self.duels))


class AskLeague(BeforeTable, frozen=True):
    """Ask how the league of a club stands; after a Hello with the club's secret."""

    season: Season | None = None
    """None for the present one; the host answers with the nearest that has games."""


class OpenTable(BeforeTable, frozen=True):
    """Open a table of a club; after a Hello with the club's secret."""

    settings: TableSettings


SENTENCES: Final[dict[str, Text]] = {
    "not_a_member": "That is only for members of the club.",
    "too_many_tables": "There is no room for another table.",
    "too_many_opened": "Too many tables were opened just now: try again in {seconds} s.",
    "too_many_asked": "Too many people are asking for the league: try again in {seconds} s.",
    "club_closed": "The club is closed; its tables come back when it is reopened.",
}
"""The reasons of clubs, by their code."""

SEAM: Final = Messages(
    from_client=(OpenTable, AskLeague), from_host=(Club, League), sentences=SENTENCES
)
