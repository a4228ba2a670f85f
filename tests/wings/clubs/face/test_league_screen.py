"""Tests the league screen: the standings by season, and the results against each player."""

from driflamme_tui.wings.clubs.league_screen import LeagueScreen
from netcode.protocol.fields import Message
from netcode.protocol.messages import Refused
from netcode.wings.clubs.messages import ALL_SEASONS, AskLeague, Club, League, LeagueRow
from tests.support.by_hand import click
from tests.support.tables import SIZES, Hands, SeatedApp, in_app
from tests.wings.clubs.face.test_club_screen import TABLES, ClubApp

AUTUMN = 4 * 2026 + 3


def row(name: str, place: int | None, games: int, wins: int, points: int, rating: int) -> LeagueRow:
    return LeagueRow(
        name=name,
        place=place,
        games=games,
        wins=wins,
        points=points,
        rating=rating,
        uncertainty=1200 - 20 * games,
    )


LEAGUE = League(
    AUTUMN,
    (
        row("Rosalind", 1, 12, 6, 31, 3121),
        row("Wolfram Eschenbacher", 2, 14, 4, 28, 2844),
        row("sharp", None, 9, 2, 17, 2630),
        row("漢字名前漢字名前漢字名前", 3, 8, 1, 12, 2377),
        row("Blaise", 4, 3, 0, 1, 1998),
    ),
    ((0, 1, 7, 4), (0, 2, 5, 3), (1, 3, 5, 2), (0, 3, 6, 1), (1, 4, 3, 0), (0, 4, 2, 0)),
)


def shown(app: SeatedApp) -> str:
    """Return the lines of the list as one text, in which bots have the protocol's names."""
    lines = [each.strip() for each in app.rows() if "±" in each]
    return " ".join(lines).replace("Sharp", "sharp")


class LeagueApp(ClubApp):
    """The app at a club's league, with answers from the test."""

    def __init__(self, league: League = LEAGUE) -> None:
        super().__init__()
        self.league = league

        self.player_seat.answer_to = self.answer

    def answer(self, message: Message) -> None:
        """Record the requested season, and answer with the league."""
        assert isinstance(message, AskLeague)
        self.hooked.append(message.season)
        season = AUTUMN if message.season is None else message.season
        self.receive(League(season, self.league.rows, self.league.duels))


@in_app(LeagueApp, SIZES[0])
async def test_one_key_shows_it_and_each_player_is_compared_with_the_others(
    app: LeagueApp, hands: Hands
) -> None:
    await hands.type("l")
    assert isinstance(app.screen, LeagueScreen)
    rows = [" ".join(each.split()) for each in app.rows()]
    assert "quarter 4 of 2026" in rows[0]
    assert "1. Rosalind 12 6 31 31.2 ± 9.6" in rows
    assert "Sharp (bot) 9 2 17 26.3 ± 10.2" in rows
    assert app.shows(
        "Blaise against each player, games ahead and behind: Wolfram Eschenbacher 0:3, Rosalind"
    ), "who reads it is chosen at first"
    await hands.type("home")
    assert app.shows(
        "Rosalind against each player, games ahead and behind: Wolfram Eschenbacher 7:4, Sharp"
    )
    await hands.click_on("Sharp (bot)")
    assert app.shows("Sharp (bot) against each player, games ahead and behind: Rosalind 3:5")
    await hands.type("escape")
    assert app.shows("K7Q gathering")


@in_app(lambda: LeagueApp(League(AUTUMN, LEAGUE.rows[:4], LEAGUE.duels[:4])), SIZES[0])
async def test_who_is_not_in_the_league_sees_the_results_of_the_first(
    app: LeagueApp, hands: Hands
) -> None:
    await hands.type("l")
    assert app.shows("Rosalind against each player")


@in_app(LeagueApp, SIZES[0])
async def test_the_list_is_sorted_by_each_column(app: LeagueApp, hands: Hands) -> None:
    await hands.type("l")
    orders = []
    for _column in range(4):
        await hands.type("greater_than_sign")
        found = (
            (each.find(row.name[:4]), row.name) for row in LEAGUE.rows for each in [shown(app)]
        )
        orders.append("".join(name[0] for _at, name in sorted(found)))
    by_place, by_name, by_games, by_victories = orders
    assert by_place == "RW漢Bs", "a bot has no place and comes last"
    assert by_name == "BRsW漢"
    assert by_games == "WRs漢B"
    assert by_victories == "RWs漢B"


@in_app(LeagueApp, SIZES[0])
async def test_keys_and_clicks_go_through_the_seasons(app: LeagueApp, hands: Hands) -> None:
    await hands.type("l left left right 0")
    assert app.hooked == [None, AUTUMN - 1, AUTUMN - 2, AUTUMN - 1, ALL_SEASONS]
    assert app.shows("all seasons")
    await click(app, hands, "key 0")
    await hands.type("0 left")
    assert app.hooked[5:] == [None, ALL_SEASONS, None]
    assert app.shows("quarter 4 of 2026")


@in_app(lambda: LeagueApp(League(AUTUMN, (), ())), SIZES[0])
async def test_an_empty_league_says_so(app: LeagueApp, hands: Hands) -> None:
    await hands.type("l down end enter")
    assert app.shows("No game with at least two people has been finished")


@in_app(LeagueApp, SIZES[0])
async def test_a_line_that_comes_back_leaves_it_open_and_a_refusal_is_told_beneath(
    app: LeagueApp, hands: Hands
) -> None:
    await hands.type("l")
    app.receive(Club(tables=TABLES[:2]))
    app.place.stays_after(Refused(code="too_many_asked", values={"seconds": 7}))
    await hands.pause()
    assert isinstance(app.screen, LeagueScreen)
    await hands.type("q")
    assert app.club_screen.club.tables == TABLES[:2]
    assert app.shows("Too many people are asking for the league: try again in 7 s.")
