"""Tests the league of a club: the sum of the games at its tables."""

from netcode.protocol.codec import FROM_HOST, decode_host, encode
from netcode.wings.clubs.league import league_of, nearest_season, season_of
from netcode.wings.clubs.messages import ALL_SEASONS, MAXIMUM_DUELS, MAXIMUM_RANKED, League
from tests.netcode.storage.test_past_games import AUTUMN, game


def table(league: League) -> list[str]:
    """Return place, name, games, victories and points of each row."""
    return [
        f"{row.place or 'bot'} {row.name} {row.games}/{row.wins}/{row.points}"
        for row in league.rows
    ]


def test_a_point_is_for_everybody_who_came_in_after_and_people_alone_have_places() -> None:
    games = [game("abx", AUTUMN, bots="x"), game("bxa", AUTUMN, bots="x"), game("abc", AUTUMN)]
    assert table(league_of(games, ALL_SEASONS)) == [
        "1 a 3/2/4",
        "2 b 3/1/4",
        "bot steady 2/0/1",
        "3 c 1/0/0",
    ]


def test_several_bots_of_one_level_are_one_player() -> None:
    league = league_of([game("xaby", AUTUMN, bots="xy")], ALL_SEASONS)
    assert table(league) == ["bot steady 1/1/3", "1 a 1/0/2", "2 b 1/0/1"]


def test_alone_with_bots_or_broken_off_is_no_game_of_the_league() -> None:
    games = [
        game("axy", AUTUMN, bots="xy"),
        game("abc", AUTUMN, outcome="abandoned"),
        game("aab", AUTUMN, bots="b"),
    ]
    assert league_of(games, ALL_SEASONS) == League(ALL_SEASONS, (), ())


def test_who_met_is_told_with_who_came_in_before() -> None:
    league = league_of([game("abc", AUTUMN), game("bac", AUTUMN), game("ab", AUTUMN)], ALL_SEASONS)
    assert [row.name for row in league.rows] == ["a", "b", "c"]
    assert league.duels == ((0, 1, 2, 1), (0, 2, 2, 0), (1, 2, 2, 0))


def test_a_season_is_a_quarter_and_its_ratings_begin_anew() -> None:
    summer, autumn = season_of(AUTUMN - 1), season_of(AUTUMN)
    assert (divmod(summer, 4), divmod(autumn, 4)) == ((2026, 2), (2026, 3))
    games = [game("abc", AUTUMN - 90_000), game("cba", AUTUMN), game("cba", AUTUMN)]
    assert table(league_of(games, summer)) == ["1 a 1/1/2", "2 b 1/0/1", "3 c 1/0/0"]
    best, *_ = league_of(games, autumn).rows
    assert (best.name, best.games) == ("c", 2)
    assert best.rating > league_of(games, ALL_SEASONS).rows[0].rating
    assert [row.games for row in league_of(games, ALL_SEASONS).rows] == [3, 3, 3]


def test_asked_for_what_there_is_not_the_nearest_season_is_told() -> None:
    games = [game("abc", AUTUMN - 90_000), game("cba", AUTUMN)]
    summer, autumn = season_of(AUTUMN - 1), season_of(AUTUMN)
    seasons = (None, autumn, summer, summer - 1, autumn + 1, 1, ALL_SEASONS)
    assert [nearest_season(games, season, AUTUMN + 5) for season in seasons] == [
        *(autumn, autumn, summer, summer, autumn, summer, ALL_SEASONS)
    ]
    assert nearest_season(games, None, AUTUMN + 95 * 86_400) == autumn + 1
    assert nearest_season([], 17, AUTUMN) == autumn
    ahead = [game("abc", AUTUMN + 95 * 86_400)]
    assert nearest_season(ahead, None, AUTUMN) == nearest_season(ahead, 1, AUTUMN) == autumn


def test_of_a_large_club_the_first_hundred_fit_a_frame() -> None:
    names = [chr(0x4E00 + n) for n in range(120)]
    games = [
        game("".join(names[(n * 7 + seat * step) % 120] for seat in range(5)), AUTUMN + n)
        for n in range(400)
        for step in (1, 11)
    ]
    league = league_of(games, ALL_SEASONS)
    assert len(league.rows) == MAXIMUM_RANKED
    assert len(league.duels) <= MAXIMUM_DUELS
    frame = encode(league)
    assert len(frame) < FROM_HOST / 2
    assert decode_host(frame) == league
