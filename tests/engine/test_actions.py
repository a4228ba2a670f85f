"""Tests the answers that a player can give, and their tokens."""

import pickle

import pytest

from engine.actions import (
    ACTIONS,
    LEAVE,
    REVEAL,
    Action,
    Copy,
    Eliminate,
    Leave,
    Move,
    Place,
    Reveal,
    Steal,
)
from engine.cards import CARDS, FAMILIES, LEAVES
from engine.notation import NotationError, parse_action

TOKENS = {
    "S<": Place("S", "<"),
    "S>": Place("S", ">"),
    "S^3": Place("S", "^", 3),
    "0>": Place("0", ">"),
    "3^12": Place("3", "^", 12),
    "+": Leave(),
    "!": Reveal(),
    "x3": Eliminate(3),
    "$b": Steal("b"),
    "~3": Copy(3),
    "3>1": Move(3, 1),
    "30>30": Move(30, 30),
}


@pytest.mark.parametrize(("token", "action"), TOKENS.items())
def test_a_token_says_an_action_both_ways(token: str, action: Action) -> None:
    assert parse_action(token) == action
    assert str(action) == action.token == token


@pytest.mark.parametrize(
    "token",
    [
        *("", " ", "S", "<", "s<", "S^", "S^0", "S^01", "S^31", "S<1", "?<", "Z<", "S^-1", " S<"),
        *("x", "x0", "x01", "x31", "X3", "x3 ", "$", "$R", "$z", "~", "~0", "-", "++", "!!"),
        *("3>0", ">3", "0>1", "1>0", "31>1", "3>31", "3>1\n", "３>1", "S＜", "3 > 1"),
    ],
)
def test_anything_else_is_no_action(token: str) -> None:
    with pytest.raises(NotationError) as refusal:
        parse_action(token)
    assert str(refusal.value) == (
        f"Write an action like S< S> S^3 + ! x3 $b ~3 3>1, not {token!r}."
    )


def test_there_is_one_token_for_every_answer_to_any_question() -> None:
    places = [f"{card}{spot}" for card in CARDS + LEAVES for spot in "<>"]
    stacks = [f"{card}^{position}" for card in CARDS + LEAVES for position in range(1, 31)]
    targets = [f"{sign}{position}" for sign in "x~" for position in range(1, 31)]
    moves = [f"{here}>{there}" for here in range(1, 31) for there in range(1, 31)]
    steals = [f"${family}" for family in FAMILIES]
    assert sorted(ACTIONS) == sorted(["+", "!", *places, *stacks, *targets, *moves, *steals])
    assert all(str(action) == token for token, action in ACTIONS.items())
    assert len(set(ACTIONS.values())) == len(ACTIONS)


def test_an_action_is_frozen_and_equal_by_what_it_says() -> None:
    assert (Leave(), Reveal()) == (LEAVE, REVEAL)
    assert len({LEAVE, REVEAL, Leave(), Reveal()}) == 2
    for action in TOKENS.values():
        with pytest.raises(AttributeError, match="never changes"):
            action.token = "!"


def test_an_action_survives_pickling() -> None:
    for action in ACTIONS.values():
        assert pickle.loads(pickle.dumps(action)) == action
