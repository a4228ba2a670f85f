"""Defines the messages of clubs, and limits of their fields."""

from typing import Annotated, Final

from msgspec import Meta

from engine.cards import MAXIMUM_PLAYERS
from engine.texts import Text
from netcode.protocol.fields import (
    BeforeTable,
    CodePrefix,
    Messages,
    Phase,
    Secret,
    ShownName,
    Strict,
    require,
)
from netcode.protocol.table_settings import TableSettings

MAXIMUM_TABLES: Final = 100
"""Maximum number of tables in a club's list. Active tables are preferred."""

MAXIMUM_RANKED: Final = 100
"""Maximum number of players in a club's league: the players with the best results."""

MAXIMUM_DUELS: Final = 1000
"""Maximum number of pairs of players whose mutual results a league contains: the most frequent
pairs.
"""

ALL_SEASONS: Final = 0
"""The number that stands for all seasons together."""

Season = Annotated[int, Meta(ge=0, le=40_000)]
"""A season of a league: a quarter of a year in UTC, as four times the year plus 0 to 3."""

Tally = Annotated[int, Meta(ge=0, le=1_000_000_000)]
"""A number from 0 to a billion in a row of a league: a place, a count, or an uncertainty."""


class TableInfo(Strict, frozen=True, kw_only=True):
    """The description of a club's table in the list for members."""

    prefix: CodePrefix
    secret: Secret
    phase: Phase
    edition: Annotated[int, Meta(ge=1, le=2)]
    names: Annotated[tuple[ShownName, ...], Meta(max_length=MAXIMUM_PLAYERS)]
    """The names of the players that have a seat."""
    asleep: bool = False
    """True if the table is empty and stored. The next visitor wakes it."""


class Club(BeforeTable, frozen=True):
    """The tables of a club, as the answer to a Hello with the club's secret."""

    tables: Annotated[tuple[TableInfo, ...], Meta(max_length=MAXIMUM_TABLES)]


class LeagueRow(Strict, frozen=True, kw_only=True):
    """The results of one player in the league of a club."""

    name: ShownName
    """The player's name; for a bot, its level."""
    place: Tally | None
    """The player's place among people, from 1; None for a bot."""
    games: Tally
    wins: Tally
    """Number of victories, including shared ones."""
    points: Tally
    """The sum, over all games, of the number of opponents with a worse place."""
    rating: Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
    """The estimated strength in hundredths; everybody begins with 2500."""
    uncertainty: Tally
    """The deviation in hundredths: with a probability of 95 %, the true strength is between the
    rating minus this number and the rating plus this number.
    """


_Row = Annotated[int, Meta(ge=0, lt=MAXIMUM_RANKED)]


class League(BeforeTable, frozen=True):
    """A club's league, as the answer to an AskLeague."""

    season: Season
    rows: Annotated[tuple[LeagueRow, ...], Meta(max_length=MAXIMUM_RANKED)]
    """The players, best first."""
    duels: Annotated[tuple[tuple[_Row, _Row, Tally, Tally], ...], Meta(max_length=MAXIMUM_DUELS)]
    """Pairs of rows, each with two numbers of games: in which the first player had the better
    place, and in which the second had.
    """

    def __post_init__(self) -> None:
        rows = len(self.rows)
        require("duels", all(one < rows and other < rows for one, other, *_ in self.duels))


class AskLeague(BeforeTable, frozen=True):
    """Request the league of a club; only after a Hello with the club's secret."""

    season: Season | None = None
    """The season; None for the present one. The answer has the nearest season between the club's
    first game and the present.
    """


class OpenTable(BeforeTable, frozen=True):
    """Open a table of a club; only after a Hello with the club's secret."""

    settings: TableSettings


SENTENCES: Final[dict[str, Text]] = {
    "not_a_member": "Only members of the club can do that: ask for the club's link.",
    "too_many_tables": "The club has no room for another table: try again later.",
    "too_many_opened": "Too many tables were opened just now: try again in {seconds} s.",
    "too_many_asked": "Too many people are asking for the league: try again in {seconds} s.",
    "club_closed": "The club is closed; its tables come back when it is reopened.",
}
"""The sentences of a club's refusals, by code."""

SEAM: Final = Messages(
    from_client=(OpenTable, AskLeague),
    from_host=(Club, League),
    sentences=SENTENCES,
    returning=frozenset({"club_closed"}),
)
