"""Tests the choice of an answer: the options of each step, and the resulting action."""

import pytest
from hypothesis import given

from driflamme_tui.model.pending_question import Question, Step
from engine.actions import Action
from engine.game import Game
from engine.views import view
from tests.engine.random_games import Played, examples, games, moments, random_game
from tests.support.by_hand import (
    ARCHER,
    ASSASSINATION,
    DECREE,
    DOWN,
    EMPTY,
    PLACE,
    SHAPESHIFTER,
    SOLDIER,
    SPY,
    chosen,
)
from tests.support.tables import question_at

NOWHERE_OF_ITS_OWN = "2 4 b* rS,gl *r3,b5:ASFX,g2"
AS_ARCHER = "2 4 bA2 rA,bF,gL *r3,b5,g2"
AS_SPY = "2 4 bP2 rP,bF,gL *r3,b5,g2"
DECREE_BEFORE = "2 4 bD3 gl/gh1/ga,rS,bD *r3,b5,g2"


def offered(question: Question) -> str:
    """Return the options of the present step, separated by spaces: tokens, cards or positions."""
    return " ".join(
        str(option.action) if option.action else option.card or str(option.position)
        for option in question.options
    )


def at_spot(line: str, card: str) -> Question:
    """Choose a card; return the question about its place."""
    question = question_at(line)
    assert question.choose_card(card)
    assert question.confirm() is None
    return question


def moving_question(line: str, position: int) -> Question:
    """Choose the card that a Decree moves; return the question about its new place."""
    question = question_at(line)
    assert question.choose_position(position)
    assert question.confirm() is None
    return question


@pytest.mark.parametrize(
    ("line", "step", "options"),
    [
        (PLACE, Step.CARD, "A S F X"),
        (EMPTY, Step.CARD, "A S P H F L X"),
        (DOWN, Step.LEAVE_OR_REVEAL, "+ !"),
        (ARCHER, Step.TARGET, "x1 x3"),
        (SOLDIER, Step.TARGET, "x1 x3"),
        (ASSASSINATION, Step.TARGET, "x1 x2 x3"),
        (SPY, Step.PLAYER, "$r $g"),
        (SHAPESHIFTER, Step.COPIED, "~1 ~3"),
        (AS_ARCHER, Step.TARGET, "x1 x3"),
        (AS_SPY, Step.PLAYER, "$r $g"),
        (DECREE, Step.LIFTED, "1 3"),
    ],
)
def test_the_first_step_offers_what_is_legal(line: str, step: Step, options: str) -> None:
    question = question_at(line)
    assert question.step is step
    assert offered(question) == options
    assert question.choice is None


@pytest.mark.parametrize(
    ("line", "card", "options"),
    [
        (PLACE, "F", "F< F^2 F^4 F>"),
        (NOWHERE_OF_ITS_OWN, "F", "F< F>"),
        (EMPTY, "X", "X>"),
    ],
)
def test_the_second_step_of_placing_goes_along_the_queue(
    line: str, card: str, options: str
) -> None:
    question = at_spot(line, card)
    assert question.step is Step.SPOT
    assert offered(question) == options


@pytest.mark.parametrize(
    ("line", "position", "options"),
    [
        (DECREE, 1, "1>2 1>3"),
        (DECREE, 3, "3>1 3>2 3>3 3>4"),
        (DECREE_BEFORE, 1, "1>1 1>2 1>3 1>4"),
        (DECREE_BEFORE, 2, "2>1 2>3"),
    ],
)
def test_a_single_card_moves_to_other_places_and_the_top_of_a_stack_to_either_side_of_it(
    line: str, position: int, options: str
) -> None:
    question = moving_question(line, position)
    assert question.step is Step.DESTINATION
    assert offered(question) == options
    assert [option.position for option in question.options] == [
        int(token.partition(">")[2]) for token in options.split()
    ]


@examples(60)
@given(moments())
def test_nothing_is_chosen_at_first_and_walking_goes_round(moment: tuple[Played, int]) -> None:
    question = question_of(moment[0].games[moment[1]])
    options = offered(question).split()
    assert chosen(question) == ""
    assert question.confirm() is None
    assert chosen(question) == options[0], "confirming nothing only chooses"
    assert question.picked is None
    for step, round_ in ((1, [*options[1:], options[0]]), (-1, options[::-1])):
        walked = []
        for _ in options:
            question.walk(step)
            walked.append(chosen(question))
        assert walked == round_


@pytest.mark.parametrize(("index", "token"), [(0, "x1"), (2, "x3"), (99, "x3"), (-7, "x1")])
def test_an_index_past_an_end_is_the_end(index: int, token: str) -> None:
    question = question_at(ASSASSINATION)
    question.choose(index)
    assert chosen(question) == token


@pytest.mark.parametrize(
    ("question", "picked"), [(at_spot(PLACE, "F"), "F"), (moving_question(DECREE, 3), "3")]
)
def test_back_goes_to_what_was_picked_then_drops_it_and_then_does_nothing(
    question: Question, picked: str
) -> None:
    question.walk(1)
    assert question.back()
    assert chosen(question) == picked
    assert question.back()
    assert chosen(question) == ""
    assert not question.back()


def test_spots_by_their_signs_and_the_stacks_in_turn() -> None:
    question = at_spot(PLACE, "F")
    tokens = []
    for spot in "<>^^^<^":
        assert question.choose_spot(spot)
        tokens.append(chosen(question))
    assert tokens == ["F<", "F>", "F^2", "F^4", "F^2", "F<", "F^2"]


def test_a_single_card_has_no_place_past_the_end() -> None:
    refusal = moving_question(DECREE, 1).refusal_at(4)
    assert refusal is not None
    assert refusal.sentence() == "The card at position 1 can go to positions 1 to 3, not to 4."


def reachable(question: Question) -> list[Action]:
    """Return all actions that some sequence of choices leads to."""
    answers: list[Action] = []
    for index in range(len(question.options)):
        question.choose(index)
        action = question.confirm()
        if action is not None:
            answers.append(action)
            continue
        answers += reachable(question)
        while question.picked is not None:
            assert question.back()
    return answers


def question_of(game: Game) -> Question:
    return Question(view(game, game.turn))


@examples(60)
@given(games())
def test_every_legal_answer_can_be_reached_and_nothing_else_comes_out(played: Played) -> None:
    for game in played.games[:-1:3]:
        answers = reachable(question_of(game))
        assert sorted(map(str, answers)) == sorted(map(str, game.legal))
        assert len(set(answers)) == len(answers)


@examples(60)
@given(moments())
def test_a_position_is_either_an_option_or_explained(moment: tuple[Played, int]) -> None:
    played, index = moment
    question = question_of(played.games[index])
    targets = (Step.TARGET, Step.COPIED, Step.LIFTED, Step.SPOT, Step.DESTINATION)
    for first in range(len(question.options)):
        for step in range(2):
            for position in range(1, len(question.view.queue) + 1):
                if question.step in targets:
                    refused = question.refusal_at(position)
                    assert (refused is None) == question.choose_position(position)
                    if refused is not None:
                        assert refused.sentence()
            if step == 0:
                question.choose(first)
                if question.confirm() is not None or question.picked is None:
                    break
        while question.picked is not None:
            question.back()


def test_the_random_games_ask_every_kind_of_question() -> None:
    """The properties in this module say nothing about kinds of questions that never occur."""
    steps = set()
    for seed in range(12):
        for game in random_game(seed).games[:-1]:
            question = question_of(game)
            steps.add(question.step)
            question.choose(0)
            question.confirm()
            steps.add(question.step)
    assert steps == set(Step)
