"""Defines the answer that is played for a player who does not answer: a rule of sealed games."""

from engine.actions import Action, placements
from engine.legal import legal_actions
from engine.position import PLACE, Position


def default_answer(position: Position) -> Action:
    """Return the answer that is played for a player who does not answer.

    It places the first card of the hand at the end of the Queue, or leaves a face-down card. For an
    ability it is the first legal answer.

    >>> from random import Random
    >>> from engine.game import Deal, Game
    >>> print(default_answer(Game.start(Deal.shuffled(Random(1), "rbg"))))
    S>
    """
    if position.question == PLACE:
        return placements(position.hands[position.turn]).alone[0]
    return legal_actions(position)[0]
