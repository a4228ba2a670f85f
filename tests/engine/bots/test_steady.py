"""The rules of thumb of `steady`, one line and its answer each, and how often they win."""

from random import Random

import pytest

from engine.arena.contest import Series, simulate
from engine.arena.summary import BotTally
from engine.bots import make_bot
from engine.view import view
from tests.engine.lines import game_at, in_editions


def answers(line: str, *tokens: str) -> None:
    """Assert that one of these is the answer, in each edition that the line stands for."""
    for each in in_editions(line):
        game = game_at(each)
        for seed in range(5):
            answer = make_bot("steady", Random(seed)).choose(view(game, game.turn))
            assert str(answer) in tokens


# Leave or reveal


def test_a_conspiracy_is_left_while_it_is_safe() -> None:
    answers("4 r?2 bH,rc3,gL *r1,b1,g1", "+")


def test_a_conspiracy_is_revealed_before_a_soldier_gets_it() -> None:
    answers("4 r?1 rc3,bS,gL *r1,b1,g1", "!")


def test_an_heir_is_revealed_when_it_pays_and_left_when_it_does_not() -> None:
    answers("2 r?2 bL,rh1,gL *r1,b1,g1", "!")
    answers("2 r?2 bH,rh1,gL *r1,b1,g1", "+")


def test_a_lord_is_revealed_beside_its_family_and_left_among_strangers() -> None:
    answers("3 r?2 bh,rl,rH *r1,b1,g1", "!")
    answers("3 r?2 bh,rl,gh *r1,b1,g1", "+")


def test_an_ambush_is_left_down_beside_a_face_up_soldier() -> None:
    answers("3 r?2 bS,rm2,gL *r1,b1,g1", "+")
    answers("6 r?1 rm2,bS,gL *r1,b1,g1", "+")


def test_an_ambush_that_nobody_will_spring_any_more_is_revealed() -> None:
    answers("6 r?3 bS,gL,rm2 *r1,b1,g1", "!")


def test_an_assassination_waits_for_a_rich_target() -> None:
    answers("3 r?3 gH,bs,rx *r1,b1,g1", "+")
    answers("3 r?3 gL,bs9,rx *r1,b1,g1", "!")


def test_a_soldier_among_its_own_is_left() -> None:
    answers("3 r?2 rh,rs,rl *r1,b1,g1", "+")


def test_everything_is_turned_into_influence_in_the_last_round() -> None:
    for card in "aphflxdc":
        answers(f"6 r?1 r{card}2,bL,gL *r1,b1,g1", "!")


# Abilities


def test_the_richest_neighbour_is_robbed() -> None:
    answers("3 rP2 bH,rP,gL *r1,b3,g7", "$g")
    answers("3 rP2 bH,rP,gL *r1,b7,g3", "$b")


def test_nobody_is_robbed_who_has_nothing_if_another_has_something() -> None:
    answers("3 rP2 bH,rP,gL *r1,b0,g1", "$g")
    answers("3 rP2 bH,rP,rL *r9,b1,g0", "$b")


def test_own_cards_are_spared() -> None:
    answers("3 rS2 rl2,rS,gH *r1,b1,g1", "x3")
    answers("3 rS2 bL,rS,rm *r1,b1,g1", "x1")
    answers("3 rA2 rl2,rA,gH *r1,b1,g1", "x3")
    answers("3 rX2 rl2,rX,rH,gL *r1,b1,g1", "x4")


def test_the_leader_s_rich_card_is_the_target() -> None:
    answers("4 rX1 rX,bs1,gs4 *r1,b1,g5", "x3")
    answers("4 rX1 rX,bs4,gs4 *r1,b5,g1", "x2")


def test_a_likely_ambush_is_avoided() -> None:
    answers("5 rS2 bh3,rS,gL *r1,b1:AS:PFL:XDMC,g1", "x1")
    answers("5 rS2 bh3,rS,gL *r1,b1:AM:SPF:LXDC,g1", "x3")


def test_a_useful_neighbour_is_copied_rather_than_a_shapeshifter() -> None:
    answers("3 rF2 bF,rF,gL *r1,b1,g1", "~3")


def test_a_royal_decree_has_an_own_card_resolved_again() -> None:
    answers("6 rD2 rH,rD,bL *r1,b1,g1", "1>2", "1>3")


def test_a_royal_decree_keeps_a_rich_card_from_being_resolved() -> None:
    answers("6 rD2 bL,rD,gc5 *r1,b1,g1", "3>1", "3>2")


# Placement


def test_an_ambush_goes_where_an_attacker_is() -> None:
    answers("6 r* bS,gL,bL,gH *r1:MC,b1,g1", "M<")


def test_a_card_that_gathers_influence_goes_first() -> None:
    answers("1 r* - *r1:ASPFXDC,b1,g1", "C>")


def test_an_heir_keeps_away_from_a_face_up_soldier() -> None:
    answers("5 r* bP,gL,bS *r1:HXD,b1,g1", "H<")
    answers("5 r* bS,gL,bP *r1:HXD,b1,g1", "H>")


def test_a_valuable_own_card_is_not_covered() -> None:
    at_an_end = [card + spot for card in "APFXDM" for spot in "<>"]
    answers("2 r* rc1,bH,gH *r1:APFXDM,b1,g1", *at_an_end)


# Strength


@pytest.mark.parametrize(("players", "at_least"), [(3, 0.75), (4, 0.65), (5, 0.55)])
@pytest.mark.parametrize("edition", [1, 2])
def test_alone_against_random_it_wins_far_more_than_its_share(
    players: int, edition: int, at_least: float
) -> None:
    tally = BotTally()
    for played in simulate(Series(100, players, edition, seed=11, bots=("steady",))):
        tally.add(played)
    best = tally.standings()[0]
    assert best.bot == "steady"
    assert best.interval[0] > at_least
