"""What speaks for one answer and against another, by what comes of both in a search."""

from random import Random

from engine.actions import ACTIONS
from engine.bots.master import Grandmaster
from engine.bots.plans import Plan, plan_of
from engine.events import EVENTS, Eliminated
from engine.view import view
from tests.engine.lines import game_at, in_editions

BESIDE_A_SOLDIER = "4 r* bS,gL,yL,vL *r3:HXDM,b3,g3,y3,v3"


def plan(line: str, best: str, given: str) -> Plan | None:
    (each, *_) = in_editions(line)
    game = game_at(each)
    bot = Grandmaster(Random(1), (120).__gt__)
    return plan_of(bot, view(game, game.turn), ACTIONS[best], ACTIONS[given])


def test_a_card_that_would_be_lost_is_told_with_the_two_lines_that_show_it() -> None:
    found = plan(BESIDE_A_SOLDIER, "H>", "H<")
    assert found is not None
    assert (found.what, found.card) == ("lost", "H")
    assert found.best < found.given - 0.1
    kinds = [EVENTS[str(kind)](*fields) for kind, *fields in found.given_line]
    assert any(isinstance(each, Eliminated) and each.victim_card == "H" for each in kinds)
    assert not any("Eliminated" in each and each[4:6] == (0, "H") for each in found.best_line)


def test_an_answer_has_nothing_over_itself() -> None:
    assert plan(BESIDE_A_SOLDIER, "H>", "H>") is None


def test_what_an_answer_does_at_once_is_no_news_unless_it_is_bad() -> None:
    found = plan("6 rS2 bL,rS,gH *r3,b3,g3", "x1", "x3")
    assert found is None or found.what != "struck"
