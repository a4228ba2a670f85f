"""Tests that every illegal action is refused with a reason."""

import pickle
import string

import pytest
from hypothesis import given

from engine.actions import ACTIONS, LEAVE
from engine.legal import SENTENCES, IllegalAction, legal_actions, why_not
from engine.notation import format_position, parse_action
from engine.views import view
from tests.engine.lines import game_at, in_editions, refuses
from tests.engine.random_games import Played, examples, moments

REFUSALS = {
    "The game is over.": """
        6 - rS,bs *r1,b1,g1 | +
        6 - rS,bs *r1,b1,g1 | A>
    """,
    "Place a card from your hand.": """
        6 r* rS,bs *r1:AX,b1,g1 | x1
        6 r* rS,bs *r1:AX,b1,g1 | !
    """,
    "Your hand has no Royal Decree.": """
        6 r* rS,bs *r1:AX,b1,g1 | D<
    """,
    "Your hand has no Soldier.": """
        6 r* rS,bs *r1:AX,b1,g1 | S^1
    """,
    "The Queue is empty: your card becomes the Queue.": """
        6 r* - *r1:AX,b1,g1 | A<
        6 r* - *r1:AX,b1,g1 | A^1
    """,
    "There is no position 3: the Queue ends at 2.": """
        6 r* rS,bs *r1:AX,b1,g1 | A^3
    """,
    "The card at position 2 is not yours: you can stack only on your own top card.": """
        6 r* rS,bs *r1:AX,b1,g1 | A^2
    """,
    "Leave or reveal your face-down card at position 2.": """
        5 r?2 bs,rh,gh *r1,b1,g1 | x1
        5 r?2 bs,rh,gh *r1,b1,g1 | A>
    """,
    "Use your Soldier at position 2.": """
        5 rS2 bh,rS,gh *r1,b1,g1 | +
    """,
    "Use your Assassination at position 2.": """
        5 rX2 bh,rX,gh *r1,b1,g1 | 1>3
    """,
    "Use your Shapeshifter at position 2.": """
        5 rF2 bH,rF,gA *r1,b1,g1 | x1
    """,
    "Your Archer must eliminate the first or the last card: position 1 or 4": """
        5 rA2 bh,rA,gh,gp *r1,b1,g1 | x2
        5 rA2 bh,rA,gh,gp *r1,b1,g1 | x5
    """,
    "Your Soldier must eliminate a neighbour: position 2 or 4": """
        5 rS3 bh,gh,rS,gp *r1,b1,g1 | x1
        5 rS3 bh,gh,rS,gp *r1,b1,g1 | x3
    """,
    "Your Assassination must eliminate a top card: position 1, 2, 3 or 4": """
        5 rX2 bh,rX,gh,gp *r1,b1,g1 | x5
    """,
    "Your Assassination must eliminate a top card: position 1 or 2": """
        5 rX2 bh,rX *r1,b1,g1 | x3
    """,
    "Your Spy must steal from the owner of a neighbour: Blue or Green": """
        5 rP2 bh,rP,gh *r1,b1,g1,y1 | $y
    """,
    "Your Spy must steal from the owner of a neighbour: Violet or Yellow": """
        5 rP2 vh,rP,yh *r1,v1,y1 | $b
    """,
    "Your Shapeshifter must copy a face-up Character beside it: position 1 or 3": """
        5 rF2 bH,rF,gA,gP *r1,b1,g1 | ~4
        5 rF2 bH,rF,gA *r1,b1,g1 | ~2
    """,
    "The Royal Decree cannot move itself.": """
        5 rD2 bh,rD,gh *r1,b1,g1 | 2>1
        5 rD2 bh,rD/rh,gh *r1,b1,g1 | 2>2
    """,
    "The card at position 3 stands there already.": """
        5 rD2 bh,rD,gh *r1,b1,g1 | 3>3
    """,
    "There is no position 4: the Queue ends at 3.": """
        5 rD2 bh,rD,gh *r1,b1,g1 | 4>1
    """,
    "The card at position 1 can go to positions 1 to 3, not to 4.": """
        5 rD2 bh,rD,gh *r1,b1,g1 | 1>4
    """,
    "The card at position 1 can go to positions 1 to 4, not to 5.": """
        5 rD2 bh/bp,rD,gh *r1,b1,g1 | 1>5
    """,
}
"""For each reason, lines with an action that is refused for it."""


def refused(lines: str) -> list[list[str]]:
    """Split lines of a position, an action and the refusal."""
    return [line.strip().split(" | ") for line in lines.strip().splitlines()]


@pytest.mark.parametrize(("sentence", "lines"), REFUSALS.items(), ids=REFUSALS)
def test_a_refusal_is_this_sentence(sentence: str, lines: str) -> None:
    for line, token in refused(lines):
        refuses(line, token, sentence)
        for each in in_editions(line):
            game = game_at(each)
            refusal = why_not(game, parse_action(token))
            assert refusal is not None
            assert refusal.sentence() == sentence
            assert why_not(view(game, game.turn), parse_action(token)) == refusal


def test_every_reason_for_a_refusal_is_tested_here() -> None:
    cases = [
        (in_editions(line)[0], token) for each in REFUSALS.values() for line, token in refused(each)
    ]
    found = [why_not(game_at(line), parse_action(token)) for line, token in cases]
    # `opening_due` belongs to sealed games, which have no notation: see `test_leaf_games.py`.
    assert {each and each.code for each in found} == set(SENTENCES) - {"opening_due"}


def test_a_refusal_can_be_said_in_another_language() -> None:
    french = {
        "Your {card} must eliminate a neighbour: position {choices}": "Ton {card} : {choices}",
        "Your {card} must steal from the owner of a neighbour: {choices}": "Ton {card} : {choices}",
        "Soldier": "Soldat",
        "Spy": "Espion",
        "Your hand has no {card}.": "Pas de {card} en main.",
        " or ": " ou ",
        "Blue": "Bleu",
        "Green": "Vert",
        "Archer": "Archer",
        "Royal Decree": "Décret royal",
    }

    def translated(line: str, token: str) -> str:
        refusal = why_not(game_at(line), parse_action(token))
        assert refusal is not None
        return refusal.sentence(french.__getitem__)

    assert translated("2 5 rS3 bh,gh,rS,gp *r1,b1,g1", "x1") == "Ton Soldat : 2 ou 4"
    assert translated("2 5 rP2 bh,rP,gh *r1,b1,g1", "$r") == "Ton Espion : Bleu ou Vert"
    assert translated("2 6 r* rS,bs *r1:AX,b1,g1", "D<") == "Pas de Décret royal en main."


@examples(80)
@given(moments())
def test_every_action_is_either_legal_or_refused_and_host_and_player_agree(
    moment: tuple[Played, int],
) -> None:
    played, index = moment
    game = played.games[index]
    seen = view(game, game.turn)
    legal = set(legal_actions(game))
    for action in ACTIONS.values():
        refusal = why_not(game, action)
        assert (refusal is None) == (action in legal)
        assert why_not(seen, action) == refusal
        if refusal is not None:
            sentence = refusal.sentence()
            assert sentence[0] in string.ascii_uppercase
            assert "{" not in sentence


def test_a_refusal_survives_pickling() -> None:
    refusal = why_not(game_at("2 5 rS2 bh,rS,gh *r1,b1,g1"), parse_action("x2"))
    assert pickle.loads(pickle.dumps(refusal)) == refusal


def test_a_token_is_played_as_its_action_and_what_is_none_is_said() -> None:
    game = game_at("2 4 b?2 rS,bl1,gc *r3,b2,g2")
    assert format_position(game.play("+")) == format_position(game.play(LEAVE))
    with pytest.raises(IllegalAction):
        game.play("x1")
    with pytest.raises(ValueError, match=r"'x' is no action; legal here: \+ !"):
        game.play("x")
