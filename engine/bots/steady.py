"""A bot that plays by rules of thumb: sensibly, quickly, and without looking ahead.

It banks influence on cards as long as nothing threatens them and their ability does not bring
more, aims at what is worth most to the leaders, spares its own cards, lets its Ambush lie where
attackers are, and turns everything into influence in the last round.
"""

from copy import copy
from math import inf
from typing import Final

from engine.abilities import AMBUSH_GAIN, REVEALING_TAKES
from engine.actions import LEAVE, ON, REVEAL, START, Action, Place
from engine.bots.base import Bot
from engine.bots.outlook import Outlook
from engine.cards import (
    AMBUSH,
    ARCHER,
    ASSASSINATION,
    CONSPIRACY,
    HEIR,
    INTRIGUES,
    LORD,
    ROYAL_DECREE,
    SHAPESHIFTER,
    SOLDIER,
    SPY,
    Card,
)
from engine.position import LEAVE_OR_REVEAL, PLACE
from engine.view import View

GAINS_BY_LYING: Final[dict[Card, float]] = {
    CONSPIRACY: 1.0,
    HEIR: 0.9,
    LORD: 0.8,
    SOLDIER: 0.7,
    SPY: 0.6,
    ARCHER: 0.5,
    SHAPESHIFTER: 0.4,
    AMBUSH: 0.4,
    ASSASSINATION: 0.2,
    ROYAL_DECREE: 0.0,
}
"""How much more a card brings for each round that it is placed earlier, against the others."""

WORTH_REVEALING: Final = 1.25
"""What a Character must bring to be revealed: a little more than the 1 for leaving it."""

WORTH_SPENDING: Final[dict[Card, float]] = {ASSASSINATION: 4.0}
"""What an Intrigue must bring to be spent before it has to be; the others only wait and gather."""

TOO_RISKY: Final = 2.0
"""How much may be at stake, times how likely it is to be lost, before a card is revealed."""


class Steady(Bot):
    """Does what usually pays; of equally good answers, any."""

    name = "steady"

    def choose(self, view: View) -> Action:
        """Return the answer that promises most."""
        if view.asked == LEAVE_OR_REVEAL:
            return REVEAL if _reveals(view) else LEAVE
        if view.asked == PLACE:
            promises = [
                _placing(view, answer) if isinstance(answer, Place) else 0.0
                for answer in view.legal
            ]
        else:
            outlook = Outlook(view)
            promises = [outlook.choosing(answer, view.at) for answer in view.legal]
        best = max(promises)
        return self.rng.choice(
            [
                answer
                for answer, promise in zip(view.legal, promises, strict=True)
                if promise == best
            ]
        )


def _placing(view: View, answer: Place) -> float:
    """Return what placing a card promises: early what grows, where it works and is safe."""
    card, index = answer.card, answer.position - 1
    covered = None
    if answer.spot == ON:
        covered = view.queue[index]
    elif answer.spot == START:
        index = 0
    else:
        index = len(view.queue)
    placed = copy(view)
    placed.queue = view.queue.copy()
    placed.queue[index : index + (covered is not None)] = [(view.turn, card, False, 0, covered)]
    outlook = Outlook(placed)
    promise = GAINS_BY_LYING[card] * outlook.rounds_to_come
    if card not in INTRIGUES or outlook.rounds_to_come == 0:
        promise += outlook.brings(card, index)
    if card == AMBUSH:
        promise += outlook.danger(index) * AMBUSH_GAIN
    else:
        promise -= outlook.danger(index) * (outlook.rounds_to_come + 1)
    if covered is not None:
        promise -= outlook.worth(covered, outlook.resolutions(index))
    return promise


def _reveals(view: View) -> bool:
    """Return whether to reveal the card that is asked about rather than leave it."""
    outlook = Outlook(view)
    _, card, _, influence, _ = view.queue[view.at]
    last_round = outlook.rounds_to_come == 0
    danger = outlook.danger(view.at)
    if card == AMBUSH:
        return last_round and danger * AMBUSH_GAIN < outlook.brings(AMBUSH, view.at)
    taken = influence * REVEALING_TAKES.get(card, 1)
    brings = outlook.brings(card, view.at)
    if last_round or danger * (taken + 2) >= TOO_RISKY:
        return taken + brings > 0
    if card in INTRIGUES:
        return brings >= WORTH_SPENDING.get(card, inf)
    return brings >= WORTH_REVEALING
