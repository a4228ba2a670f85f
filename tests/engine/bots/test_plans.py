"""Tests reasons for one answer and against another, from the results of both in a search."""

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.actions import ACTIONS
from engine.bots.base import Weighed
from engine.bots.master_bot import Master
from engine.bots.plans import (
    BATCH,
    ENOUGH,
    EXACT,
    FAR,
    FEWEST,
    LEAST,
    LONGEST,
    PLAIN,
    SPLITS,
    UNKNOWN_ERROR,
    Fact,
    Plan,
    State,
    _condition,
    _dealt,
    _fact,
    _lead,
    _line,
    _plan,
    _World,
    _worlds,
    best_other,
    compare,
)
from engine.events import (
    EVENTS,
    AmbushSprung,
    Copied,
    Eliminated,
    Event,
    Forced,
    Gained,
    Moved,
    Placed,
    Revealed,
    Stole,
)
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
    for one, other, speaks in (("H>", "H<", True), ("H<", "H>", False)):
        bot, seen = Master(Random(1), (200).__gt__), view(game, game.turn)
        found = compare(bot, seen, ACTIONS[one], ACTIONS[other])
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


# The other answer of a comparison


def race(*results: tuple[str, float, int]) -> tuple[Weighed, ...]:
    return tuple(Weighed(ACTIONS[token], share, tried) for token, share, tried in results)


WON = race(("M>", 0.5, 40), ("H<", 0.4, 40), ("X>", 0.3, 40))
"""A search that another answer than `H<` has won."""
SECOND = race(("H<", 0.5, 40), ("X>", 0.45, 40), ("M>", 0.2, 20))
FAR_BEHIND = race(("H<", 0.9, 40), ("X>", 0.9 - 2 * FAR, 40), ("M>", 0.1, 20))
SURELY_WON = race(("M>", 1.0, 40), ("H<", 1.0, 40), ("X>", 1.0, 40))
SURELY_SECOND = race(("H<", 1.0, 40), ("X>", 1.0, 40), ("M>", 1.0, 40))
UNTRIED = race(("H<", 0.5, 40), ("X>", 0.0, 0), ("M>", 0.0, 0))


@pytest.mark.parametrize(
    ("races", "other"),
    [
        ((WON,), "M>"),
        ((WON, SECOND, SECOND), "M>"),
        ((SECOND, FAR_BEHIND, WON), "M>"),
        ((FAR_BEHIND, FAR_BEHIND, WON), "M>"),
        ((SURELY_SECOND, SURELY_SECOND, SURELY_WON), "M>"),
        ((SECOND,), "X>"),
        ((SECOND, SECOND, FAR_BEHIND), "X>"),
        ((SECOND, UNTRIED, UNTRIED), "X>"),
        ((FAR_BEHIND, FAR_BEHIND, SECOND), None),
        ((FAR_BEHIND,), None),
        ((UNTRIED, UNTRIED), None),
        ((), None),
    ],
)
def test_an_answer_is_compared_with_one_that_won_a_search_or_came_close(
    races: Sequence[Sequence[Weighed]], other: str | None
) -> None:
    assert best_other(races, ACTIONS["H<"]) == (ACTIONS[other] if other else None)


@given(st.lists(st.floats(-160, 160), min_size=2, max_size=9))
def test_the_error_of_a_lead_is_that_of_the_mean_of_equal_batches(leads: list[float]) -> None:
    means = [lead / BATCH for lead in leads]
    lead, error = _lead(leads, BATCH * len(leads))
    assert lead == pytest.approx(fmean(means), abs=1e-9)
    assert error == pytest.approx(stdev(means) / sqrt(len(means)), abs=1e-9)
    assert _lead(leads[:1], BATCH) == (leads[0] / BATCH, UNKNOWN_ERROR)


# The facts of a line, for the player of seats 0 and 2

OWN = (0, 2)


def eliminated(by: int, of: int, card: str = "L", influence: int = 0) -> Eliminated:
    return Eliminated(by, 1, "S", 2, of, card, True, influence)


def revealed(seat: int, card: str = "S", position: int = 1) -> Revealed:
    return Revealed(seat, position, card, 0, 0)


def gained(seat: int, position: int = 1, influence: int = 1) -> Gained:
    return Gained(seat, position, "H", "H", influence)


@pytest.mark.parametrize(
    ("event", "fact"),
    [
        (eliminated(0, 1), ("struck", "L")),
        (eliminated(1, 2), ("lost", "L")),
        (eliminated(1, 3), ("", "")),
        (eliminated(0, 2), ("", "")),
        (eliminated(0, 1, "M"), ("", "")),
        (Stole(2, 1, "P", 1, 1), ("stole", "")),
        (Stole(1, 1, "P", 2, 1), ("robbed", "")),
        (Stole(1, 1, "P", 3, 1), ("", "")),
        (Stole(2, 1, "P", 0, 1), ("", "")),
        (Stole(2, 1, "P", 1, 0), ("", "")),
        (AmbushSprung(2, 3, 1), ("sprung", "")),
        (AmbushSprung(1, 3, 0), ("trapped", "")),
        (AmbushSprung(1, 3, 3), ("", "")),
        (AmbushSprung(0, 3, 2), ("", "")),
        (gained(2), ("gained", "H")),
        (gained(2, influence=0), ("", "")),
        (gained(1), ("", "")),
        (revealed(0), ("", "")),
    ],
)
def test_only_what_passes_between_the_player_and_others_is_a_fact(event: Event, fact: Fact) -> None:
    assert _fact(event, OWN) == fact


MANY = [gained(0, position) for position in range(1, LONGEST + 3)]
"""More moves than a line shows."""


@pytest.mark.parametrize(
    ("events", "fact", "shown"),
    [
        (MANY, ("lost", "L"), MANY[:LONGEST]),
        ([*MANY, eliminated(1, 2)], ("lost", "L"), [*MANY[1 - LONGEST :], eliminated(1, 2)]),
        ([eliminated(1, 2), *MANY], ("lost", "L"), [eliminated(1, 2), *MANY[: LONGEST - 1]]),
        # Others among themselves, abilities without effect, and placements are no moves.
        ([eliminated(1, 3), gained(1), gained(0, influence=0), gained(2)], ("", ""), [gained(2)]),
        (
            [Placed(0, "H", ">", 1, 1), Moved(1, 1, 2, 3, 2, "H", True)],
            ("", ""),
            [Moved(1, 1, 2, 3, 2, "H", True)],
        ),
        (
            [AmbushSprung(1, 3, 2), Stole(1, 1, "P", 2, 1)],
            ("", ""),
            [AmbushSprung(1, 3, 2), Stole(1, 1, "P", 2, 1)],
        ),
        # What an opponent reveals counts if it leads to a move, even through a copied ability.
        ([revealed(1), eliminated(1, 2)], ("", ""), [revealed(1), eliminated(1, 2)]),
        (
            [revealed(1), Copied(1, 1, 2, "S"), Forced(1, 1, "F", "S"), eliminated(1, 2)],
            ("", ""),
            [revealed(1), eliminated(1, 2)],
        ),
        ([revealed(1), eliminated(1, 3), gained(0)], ("", ""), [gained(0)]),
        ([revealed(1), gained(0), revealed(0)], ("", ""), [revealed(1), gained(0), revealed(0)]),
        # The line ends before a move that shows what was revealed.
        ([*MANY[1:LONGEST], revealed(1), eliminated(1, 2)], ("", ""), MANY[1:LONGEST]),
    ],
)
def test_a_line_shows_the_first_moves_that_touch_the_player_or_those_up_to_the_fact(
    events: list[Event], fact: Fact, shown: list[Event]
) -> None:
    line = _line(events, OWN, fact)
    assert line == tuple((type(event).__name__, *event) for event in shown)


# The reason, from worlds made by hand


def worlds_with(lost: int, number: int, card: str = "L") -> list[_World]:
    """Return worlds in some of which the given answer loses a card, and the better one does not."""
    return [
        _World([0.5, 0.4], [[], [eliminated(1, 0, card)]], [set(), {("lost", card)}], set())
        if each < lost
        else _World([0.5, 0.5], [[], []], [set(), set()], set())
        for each in range(number)
    ]


def reason(met: Sequence[_World], best: str = "H>", given_answer: str = "H<") -> Plan | None:
    (line, *_) = in_editions(BESIDE_A_SOLDIER)
    return _plan(view(game_at(line), 0), met, ACTIONS[best], ACTIONS[given_answer])


def test_a_rare_difference_is_no_reason() -> None:
    few = round(40 * LEAST)
    assert reason(worlds_with(few, 40)) is None
    found = reason(worlds_with(few + 1, 40))
    assert found is not None
    assert (found.what, found.card, found.best, found.given) == ("lost", "L", 0, (few + 1) / 40)


def test_the_loss_of_another_card_than_the_kept_one_is_a_reason() -> None:
    for card, is_reason in (("H", False), ("L", True)):
        assert (reason(worlds_with(20, 20, card), "M>", "H<") is not None) is is_reason
        assert reason(worlds_with(20, 20, card), "H>", "H<") is not None


def test_the_reason_is_the_event_that_costs_most_and_the_example_where_it_costs_most() -> None:
    met = [
        _World(
            shares,
            [[gained(0, position=number)], [eliminated(1, 0, "H", number), gained(0)]],
            [set(), {("lost", "H"), ("gained", "H"), ("robbed", "")}],
            set(),
        )
        for number, shares in enumerate(([0.5, 0.4], [0.7, 0.2], [0.9, 0.8], [0.4, 0.7]))
    ]
    # In a world without the event, the results may differ still more.
    met.append(_World([1.0, 0.0], [[], []], [set(), set()], set()))
    found = reason(met)
    assert found is not None
    assert (found.what, found.card, found.best, found.given) == ("lost", "H", 0, 4 / 5)
    assert found.best_line == (("Gained", 0, 1, "H", "H", 1),)
    assert found.given_line[0] == ("Eliminated", *eliminated(1, 0, "H", 1))


def test_only_what_opponents_reveal_is_a_condition() -> None:
    met = [
        _World(
            [0.5, 0.4],
            [[], [revealed(seat, card), *([eliminated(1, 0)] if seat else [])]],
            [set(), {("lost", "L")} if seat else set()],
            set(),
        )
        for seat, card in ((0, "H"), (1, "S"))
        for _ in range(ENOUGH)
    ]
    found = reason(met)
    assert found is not None
    assert found.condition == (("revealed", 0, "S"), 1, 0)


LIES: State = ("lies", 1, "M")
IN_HAND: State = ("held", 2, "A")


def happening(*groups: tuple[int, int, set[State]]) -> list[tuple[bool, set[State]]]:
    """Return worlds from groups: the number with an event, the number without, and the states."""
    return [
        (so, states)
        for with_it, without, states in groups
        for so, number in ((True, with_it), (False, without))
        for _ in range(number)
    ]


@pytest.mark.parametrize(
    ("worlds", "condition"),
    [
        (happening((ENOUGH, 0, {LIES}), (0, ENOUGH, set())), (LIES, 1.0, 0.0)),
        (happening((0, ENOUGH, {LIES}), (ENOUGH, 0, set())), (LIES, 0.0, 1.0)),
        # Too few worlds with the state, and too few without it.
        (happening((ENOUGH - 1, 0, {LIES}), (0, 200, set())), None),
        (happening((200, 0, {LIES}), (0, ENOUGH - 1, set())), None),
        # The event is hardly more frequent with the state, in however many worlds.
        (happening((450, 550, {LIES}), (210, 790, set())), None),
        (happening((500, 500, {LIES}), (240, 760, set())), (LIES, 0.5, 0.24)),
        # The state that explains more of the event, though another makes it more certain.
        (
            happening((40, 0, {LIES, IN_HAND}), (160, 40, {IN_HAND}), (40, 160, set())),
            (IN_HAND, 200 / 240, 40 / 200),
        ),
        (
            happening((100, 0, {LIES, IN_HAND}), (0, 50, {IN_HAND}), (0, 50, set())),
            (LIES, 1.0, 0.0),
        ),
    ],
)
def test_a_condition_is_the_state_that_explains_most(
    worlds: list[tuple[bool, set[State]]], condition: object
) -> None:
    assert SPLITS == 0.25
    assert _condition(worlds) == condition


def test_the_states_of_a_world_are_the_hidden_cards_on_top_and_in_hands() -> None:
    game = game_at("2 4 r* bs,gL,rp *r3:HXDM,b3:APHF,g3:ASPX")
    assert _dealt(view(game, 0), game) == {
        ("lies", 1, "S"),
        *(("held", 1, card) for card in "APHF"),
        *(("held", 2, card) for card in "ASPX"),
    }
