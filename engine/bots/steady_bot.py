"""A bot that plays by rules of thumb: sensible, quick, and without looking ahead.

It leaves cards face down to gather influence while they are safe and their ability gains less than
waiting. It attacks the leaders, spares its own cards, and reveals everything in the last round.
"""

from math import inf
from typing import Final

from engine.abilities import AMBUSH_GAIN, REVEALING_TAKES
from engine.actions import LEAVE, REVEAL, Action, Place
from engine.bots.base import Bot
from engine.bots.influence_estimates import RulesOfThumb, after_placement
from engine.bots.worth import WORTH
from engine.cards import AMBUSH, ASSASSINATION, INTRIGUES, Card
from engine.position import LEAVE_OR_REVEAL, PLACE
from engine.views import View

WORTH_REVEALING: Final = 1.25
"""Minimum gain for revealing a Character: a little more than the 1 for leaving it."""

WORTH_SPENDING: Final[dict[Card, float]] = {ASSASSINATION: 4.0}
"""Minimum gain for revealing an Intrigue before the last round. Intrigues not listed here wait."""

TOO_RISKY: Final = 2.0
"""Expected loss of a face-down card at which the bot reveals the card: the danger, times the
influence to be taken plus 2.
"""


class Steady(Bot):
    """Decides about revealing by rules.

    Otherwise chooses the answer with the highest estimate, at random among equal ones.
    """

    name = "steady"

    def choose(self, view: View) -> Action:
        """Decide about revealing by rules; otherwise return an answer with the highest estimate."""
        if view.question == LEAVE_OR_REVEAL:
            return REVEAL if _reveals(view) else LEAVE
        if view.question == PLACE:
            promises = [
                _placing(view, answer) if isinstance(answer, Place) else 0.0
                for answer in view.legal
            ]
        else:
            estimates = RulesOfThumb(view)
            promises = [estimates.choosing(answer, view.at) for answer in view.legal]
        best = max(promises)
        return self.rng.choice(
            [
                answer
                for answer, promise in zip(view.legal, promises, strict=True)
                if promise == best
            ]
        )


def _placing(view: View, answer: Place) -> float:
    """Return the estimated gain of a placement.

    Cards that grow should come early, to safe and useful places.
    """
    card = answer.card
    there, index = after_placement(view, answer)
    covered = there.queue[index][4]
    estimates = RulesOfThumb(there)
    promise = WORTH[card].waiting * estimates.rounds_to_come
    if card not in INTRIGUES or estimates.rounds_to_come == 0:
        promise += estimates.brings(card, index)
    if card == AMBUSH:
        promise += estimates.danger(index) * AMBUSH_GAIN
    else:
        promise -= estimates.danger(index) * (estimates.rounds_to_come + 1)
    if covered is not None:
        promise -= estimates.worth(covered, estimates.resolutions(index))
    return promise


def _reveals(view: View) -> bool:
    """Return True if the resolving face-down card should be revealed."""
    estimates = RulesOfThumb(view)
    _, card, _, influence, _ = view.queue[view.at]
    last_round = estimates.rounds_to_come == 0
    danger = estimates.danger(view.at)
    if card == AMBUSH:
        return last_round and danger * AMBUSH_GAIN < estimates.brings(AMBUSH, view.at)
    taken = influence * REVEALING_TAKES.get(card, 1)
    brings = estimates.brings(card, view.at)
    if last_round or danger * (taken + 2) >= TOO_RISKY:
        return taken + brings > 0
    if card in INTRIGUES:
        return brings >= WORTH_SPENDING.get(card, inf)
    return brings >= WORTH_REVEALING
