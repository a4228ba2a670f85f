"""Tests owners of seats, their ranking, and the view of an owner of two seats."""

from random import Random

import pytest

from engine.bots import BOTS, make_bot
from engine.consistency import PositionError
from engine.game import Deal, Game
from engine.notation import format_position, parse_view
from engine.ranking import (
    each_alone,
    owner_of,
    owners,
    owners_of,
    ranking_of_owners,
    total,
)
from engine.views import view
from tests.engine.lines import game_at

TWO = owners(4, two=True)

OVER = "2 6 - rL,gS/gP *r{},b{},g{},y{}"


def test_each_has_an_owner_unless_two_share_four_seats() -> None:
    assert owners(5, two=False) == each_alone(5) == ((0,), (1,), (2,), (3,), (4,))
    assert TWO == ((0, 2), (1, 3))
    assert [owner_of(TWO, seat) for seat in range(4)] == [(0, 2), (1, 3), (0, 2), (1, 3)]


def test_the_settings_of_a_record_say_whose_the_seats_are() -> None:
    assert owners_of({"two": True, "clock_s": 30}, 4) == TWO
    assert owners_of({"two": False}, 4) == owners_of({}, 4) == each_alone(4)
    # Any record may have the setting, but two players can share only four seats.
    assert owners_of({"two": True}, 5) == each_alone(5)


@pytest.mark.parametrize(
    ("pools", "places"),
    [
        pytest.param((9, 6, 1, 6), [((1, 3),), ((0, 2),)], id="the sum, not the best seat"),
        pytest.param((9, 6, 1, 4), [((0, 2),), ((1, 3),)], id="cards in the Queue"),
        pytest.param((9, 1, 1, 1), [((0, 2),), ((1, 3),)], id="plainly"),
    ],
)
def test_two_win_by_the_sum_of_their_seats(
    pools: tuple[int, ...], places: list[tuple[tuple[int, ...], ...]]
) -> None:
    game = game_at(OVER.format(*pools))
    assert ranking_of_owners(game, TWO) == places
    assert total(game, (0, 2)) == pools[0] + pools[2]


def test_two_who_are_equal_in_both_share_the_victory() -> None:
    game = game_at("2 6 - rL,bS/bP,yA *r5,b3,g1,y3")
    assert ranking_of_owners(game, TWO) == [((1, 3),), ((0, 2),)]
    game = game_at("2 6 - rL,gA,bS/bP *r5,b3,g1,y3")
    assert ranking_of_owners(game, TWO) == [((0, 2), (1, 3))]


TABLE = "2 2 b?2 rh1,bl,gS/gm,yd1 *r2:ASPFX,b2:ASPHF,g2:APHFC,y1:ASPHF"


def test_who_owns_two_seats_sees_what_both_see_and_no_more() -> None:
    game = game_at(TABLE)
    line = "2 2 b?2 rh1,b?,gS/gm,y?1 *r2:ASPFX:LDM:C,b2:?????:???:C,g2:APHFC:LXD:-,y1:?????:???:C"
    assert format_position(view(game, (0, 2))) == line
    seen = parse_view(line, (0, 2))
    assert (seen.viewers, seen.viewer, seen.legal) == ((0, 2), 2, ())
    with pytest.raises(PositionError):
        parse_view(line, (0, 1))


def test_who_owns_two_seats_is_asked_as_either() -> None:
    game = game_at(TABLE)
    seen = view(game, (1, 3))
    assert (seen.viewer, seen.legal) == (1, game.legal)
    following = game.play(game.legal[0])
    assert (view(following, (0, 2)).viewer, view(following, (1, 3)).viewer) == (2, 3)


@pytest.mark.parametrize("name", list(BOTS))
def test_a_bot_plays_two_seats_with_the_eyes_of_both(name: str) -> None:
    rng = Random(5)
    game = Game.start(Deal.shuffled(rng, "rbgy"))
    bots = [make_bot(name, Random(seat), lambda made: made < 4) for seat in range(4)]
    while not game.over:
        seen = view(game, owner_of(TWO, game.turn))
        game = game.play(bots[game.turn].choose(seen))
