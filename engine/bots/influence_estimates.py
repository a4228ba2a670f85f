"""Estimates cards, answers and dangers by rules of thumb.

Values of cards and answers are in influence, and dangers are probabilities. The estimates use no
search and no history. `worth.py` has the value of each card by itself.
"""

from copy import copy
from typing import Final

from engine.abilities import AMBUSH_GAIN, CHOICES, GAINS, REVEALING_TAKES
from engine.actions import ON, START, Action, Copy, Eliminate, Move, Place, Steal
from engine.bots.worth import BRINGS
from engine.cards import (
    AMBUSH,
    ARCHER,
    CARDS,
    CHARACTERS,
    ROUNDS,
    ROYAL_DECREE,
    SHAPESHIFTER,
    SOLDIER,
    UNKNOWN,
    Card,
    Seat,
)
from engine.position import Stack, cards_of, move_top
from engine.views import View

LEADER_COUNTS: Final = 0.5
"""The value, in influence, of taking 1 influence from the leading opponent."""

OTHERS_COUNT: Final = 0.25
"""The value, in influence, of taking 1 influence from another opponent."""

AIMED_AT: Final = 0.5
"""Probability that an attacker with two targets chooses a given one."""

OUT_OF_THE_BLUE: Final = 0.1
"""Probability that a card is lost to an attack that nobody could foresee."""


class RulesOfThumb:
    """Estimates the cards of a view and the gain of answers, for the asked player."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.me: Seat = view.turn
        self.mine = view.viewers if self.me in view.viewers else (self.me,)
        """The player's own seats: two at a table for two. A seat harms no seat of the same player.
        """
        self.rounds_to_come = ROUNDS - view.round
        """Number of full rounds after this one."""
        lead = max(pool for seat, pool in enumerate(view.pools) if seat not in self.mine)
        self.counts = [LEADER_COUNTS if pool == lead else OTHERS_COUNT for pool in view.pools]
        """The value, in influence, of taking 1 influence from each seat's player."""

    def resolutions(self, index: int) -> int:
        """Return the number of times that a stack will resolve after the present decision."""
        return self.rounds_to_come + (1 if index > self.view.at else 0)

    def worth(self, stack: Stack, resolutions: int) -> float:
        """Return the expected gain of a top card that resolves `resolutions` times."""
        _, card, face_up, influence, _ = stack
        if resolutions == 0:
            return 0.0
        if face_up:
            return BRINGS[card] * resolutions
        left = resolutions - 1
        return REVEALING_TAKES.get(card, 1) * (influence + left) + BRINGS[card]

    def danger(self, index: int) -> float:
        """Return the probability that opponents eliminate a top card before it resolves again.

        Every opponent's face-up Archer or Soldier that reaches the card counts once.
        """
        spared = 1 - OUT_OF_THE_BLUE
        for at, (owner, card, face_up, _, _) in enumerate(self.view.queue):
            if owner in self.mine or not face_up or card not in (ARCHER, SOLDIER):
                continue
            targets = [str(answer) for answer in CHOICES[card](self.view, at)]
            if self.resolutions(at) and f"x{index + 1}" in targets:
                spared *= 1 - (AIMED_AT if len(targets) > 1 else 1)
        return 1 - spared

    def ambush_chance(self, stack: Stack) -> float:
        """Return the probability that a top card is an Ambush."""
        owner, card, _, _, _ = stack
        if card != UNKNOWN:
            return 1.0 if card == AMBUSH else 0.0
        seen = set(cards_of(self.view, owner)) - {UNKNOWN}
        return 0.0 if AMBUSH in seen else 1 / (len(CARDS) - len(seen))

    def brings(self, ability: Card, at: int) -> float:
        """Return the gain of the card at an index if it applied `ability` now.

        For a Royal Decree this is an average, and 0 for an ability without a target.
        """
        if ability == ROYAL_DECREE:
            # A Royal Decree has a hundred answers. Weigh them only when it must choose.
            return BRINGS[ROYAL_DECREE]
        pays = GAINS.get(ability)
        if pays is not None:
            return pays(self.view, at)
        answers = CHOICES[ability](self.view, at)
        return max((self.choosing(answer, at) for answer in answers), default=0.0)

    def choosing(self, answer: Action, at: int) -> float:
        """Return the gain of an answer to a question of the card at an index.

        Raises TypeError for an answer that answers no ability, such as a placement.
        """
        if isinstance(answer, Eliminate):
            return self._eliminating(answer.position - 1, at)
        if isinstance(answer, Steal):
            return self._stealing(self.view.seat_of(answer.family))
        if isinstance(answer, Copy):
            ability = self.view.queue[answer.position - 1][1]
            return 0.0 if ability == SHAPESHIFTER else self.brings(ability, at)
        if isinstance(answer, Move):
            return self._moving(answer.position - 1, answer.destination - 1)
        raise TypeError(f"{answer} answers no ability")

    def _eliminating(self, target: int, at: int) -> float:
        """Return the gain of eliminating a card: most for valuable cards of leading opponents."""
        stack = self.view.queue[target]
        owner, card, _, _, _ = stack
        attacker = self.view.queue[at][1]
        attacker_worth = 0.0
        if attacker in CHARACTERS:
            attacker_worth = BRINGS[attacker] * self.rounds_to_come
        if target == at:
            return 1 - attacker_worth
        if owner in self.mine:
            if card != AMBUSH:
                return 1 - self.worth(stack, self.resolutions(target))
            if owner != self.me:
                # At a table for two, the Ambush of the player's other seat treats the attacker as
                # an opponent's card: it discards the attacker and pays.
                return 1 + AMBUSH_GAIN / 2 - attacker_worth
            edition = self.view.edition
            lost = attacker_worth if edition.ambush_discards_own_attacker else 0
            return 1 + edition.ambush_gain_from_own_attacker - lost - AMBUSH_GAIN / 2
        chance = self.ambush_chance(stack)
        prey = self.counts[owner] * self.worth(stack, self.resolutions(target))
        trap = self.counts[owner] * AMBUSH_GAIN + attacker_worth
        return 1 + (1 - chance) * prey - chance * trap

    def _stealing(self, victim: Seat) -> float:
        """Return the gain of a theft: more from the leading opponent, 0 from an empty pool."""
        if victim in self.mine or self.view.pools[victim] == 0:
            return 0.0
        return 1 + self.counts[victim]

    def _moving(self, index: int, destination: int) -> float:
        """Return the gain of a move.

        The gain is positive if an own card moves to a place after the Royal Decree, where the card
        resolves once more. It is also positive if an opponent's card moves to a place before the
        Royal Decree.
        """
        view = self.view
        stack = view.queue[index]
        decree = move_top(view.queue.copy(), view.at, index, destination)
        resolutions = self.rounds_to_come + (1 if destination > decree else 0)
        change = self.worth(stack, resolutions) - self.worth(stack, self.resolutions(index))
        return change if stack[0] in self.mine else -self.counts[stack[0]] * change


def after_placement(view: View, action: Place) -> tuple[View, int]:
    """Return the view after a placement, and the index of the placed card.

    The hand in the returned view still contains the card.
    """
    there = copy(view)
    there.queue = view.queue.copy()
    index = {START: 0, ON: action.position - 1}.get(action.spot, len(view.queue))
    covered = view.queue[index] if action.spot == ON else None
    stack = (view.turn, action.card, False, 0, covered)
    there.queue[index : index + (covered is not None)] = [stack]
    return there, index
