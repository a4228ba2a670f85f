"""Tests reasons for one answer and against another, from the results of both in a search."""

from itertools import pairwise
from random import Random

from engine.actions import ACTIONS
from engine.bots.master_bot import Master
from engine.bots.plans import (
    BATCH,
    ENOUGH,
    EXACT,
    FEWEST,
    LONGEST,
    PLAIN,
    Plan,
    _plan,
    _worlds,
    compare,
)
from engine.events import EVENTS, Eliminated, Revealed, Stole
from engine.notation import format_position
from engine.views import view
from tests.engine.lines import game_at, in_editions

BESIDE_A_SOLDIER = "4 r* bS,gL,yL,vL *r3:HXDM,b3,g3,y3,v3"


def plan(line: str, best: str, given: str, iterations: int = 120) -> Plan | None:
    (each, *_) = in_editions(line)
    game = game_at(each)
    bot = Master(Random(1), iterations.__gt__)
    seen, answers = view(game, game.turn), (ACTIONS[best], ACTIONS[given])
    return _plan(seen, _worlds(bot, seen, *answers), *answers)


def test_a_card_that_would_be_lost_is_told_with_the_two_lines_that_show_it() -> None:
    found = plan(BESIDE_A_SOLDIER, "H>", "H<")
    assert found is not None
    assert (found.what, found.card) == ("lost", "H")
    assert found.best < found.given - 0.1
    kinds = [EVENTS[str(kind)](*fields) for kind, *fields in found.given_line]
    assert any(isinstance(each, Eliminated) and each.victim_card == "H" for each in kinds)
    assert not any("Eliminated" in each and each[4:6] == (0, "H") for each in found.best_line)


def test_an_answer_has_nothing_over_itself() -> None:
    assert plan(BESIDE_A_SOLDIER, "H>", "H>", 100) is None


def test_what_an_answer_does_at_once_is_no_news_unless_it_is_bad() -> None:
    found = plan("6 rS2 bL,rS,gH *r3,b3,g3", "x1", "x3")
    assert found is None or found.what != "struck"


AN_AMBUSH = "2 6 rA2 bm,rA,gf,yf *r3:X:SPH:FLDMC,b3:P:ASH:FLXDC,g3:P:ASH:LXDMC,y3:P:ASH:LXDMC"
"""A position in which Red's Archer may eliminate the first or the last card."""


def test_what_it_depends_on_is_told_with_how_often_it_happens_then_and_else() -> None:
    found = plan(AN_AMBUSH, "x4", "x1", 400)
    assert found is not None
    assert found.what == "trapped"
    assert found.condition == (("lies", 1, "M"), 1.0, 0.0)
    assert [kind for kind, *_ in found.given_line] == ["Eliminated", "AmbushSprung"]
    assert [kind for kind, *_ in found.best_line] == ["Eliminated"]


def test_what_an_opponent_reveals_may_be_what_it_depends_on() -> None:
    found = plan(BESIDE_A_SOLDIER, "H>", "M<", 400)
    assert found is not None
    assert (found.what, found.card) == ("gained", "H")
    assert found.condition is not None
    assert found.condition.what == ("revealed", 0, "H")
    assert found.condition.with_it < 0.5 < 0.8 < found.condition.without


def test_no_condition_is_made_of_a_few_worlds() -> None:
    found = plan(AN_AMBUSH, "x4", "x1", 2 * ENOUGH)
    assert found is not None
    assert found.condition is None


def test_what_nobody_there_could_know_makes_no_difference() -> None:
    otherwise = AN_AMBUSH.replace("bm", "ba").replace("b3:P:ASH", "b3:S:PHM")
    lines = [format_position(view(game_at(line), 0)) for line in (AN_AMBUSH, otherwise)]
    assert lines[0] == lines[1]
    assert plan(AN_AMBUSH, "x4", "x1", 400) == plan(otherwise, "x4", "x1", 400)


def test_a_line_tells_for_what_a_card_was_revealed_and_ends_with_the_fact_at_most() -> None:
    found = plan(BESIDE_A_SOLDIER, "H>", "H<", 400)
    assert found is not None
    for line in (found.best_line, found.given_line):
        events = [EVENTS[str(kind)](*fields) for kind, *fields in line]
        assert len(events) <= LONGEST
        for event, after in pairwise([*events, None]):
            if isinstance(event, Revealed) and event.seat != 0:
                assert isinstance(after, Eliminated | Stole)
                assert (after.seat, after.position) == (event.seat, event.position)


def test_only_an_answer_that_is_plainly_worse_has_something_against_it() -> None:
    (line, *_) = in_editions(BESIDE_A_SOLDIER)
    game = game_at(line)
    for best, given, speaks in (("H>", "H<", True), ("H<", "H>", False)):
        bot, seen = Master(Random(1), (200).__gt__), view(game, game.turn)
        found = compare(bot, seen, ACTIONS[best], ACTIONS[given])
        assert (found.plan is not None) is speaks


def test_that_a_card_is_not_lost_which_stays_in_hand_is_no_plan() -> None:
    found = plan(BESIDE_A_SOLDIER, "M>", "H<", 400)
    assert found is None or (found.what, found.card) != ("lost", "H")


def test_two_answers_are_compared_until_the_difference_is_clear_or_the_time_is_up() -> None:
    (line, *_) = in_editions(BESIDE_A_SOLDIER)
    seen = view(game_at(line), 0)
    better, worse = ACTIONS["H>"], ACTIONS["H<"]
    short = compare(Master(Random(1), (50).__gt__), seen, better, worse)
    assert short.worlds == 25
    long = compare(Master(Random(1), (10**6).__gt__), seen, better, worse)
    assert long.error <= EXACT < short.error
    assert long.best - long.given > PLAIN
    # A better answer is no mistake, and a few worlds show that.
    assert compare(Master(Random(1), (10**6).__gt__), seen, worse, better).worlds == FEWEST * BATCH
    assert compare(Master(Random(1), (0).__gt__), seen, better, worse).worlds == 0
