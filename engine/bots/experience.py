"""Learns good decisions for every seat within one search.

At first, rules of thumb decide; results replace them gradually (PUCT: Rosin 2011; Silver et al.
2017). Similar decisions share their results. Two decisions are similar if the same seat answers the
same question. Decisions to reveal must also have the same card, round and likelihood of revealing.
Two placements are similar if they use the same card and spot. Two eliminations are similar if they
concern the same owner, visible card and influence. Two copies are similar if they concern the same
owner and card, two thefts if they concern the same family. For the searching seat, decisions also
differ by the answer that began the iteration. The result is a search tree that ignores the order of
events, so it learns from far fewer iterations. The hundred answers of a Royal Decree are not
learned: chance chooses among them.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final, TypeAlias

from engine.actions import LEAVE, REVEAL, Action, Copy, Eliminate, Steal
from engine.bots.rollout import PLACE_LIKELIHOODS, STACKS, Chance, Sides, aim, answer, reveals
from engine.cards import ROYAL_DECREE, Seat
from engine.game import Game
from engine.position import LEAVE_OR_REVEAL, PLACE

CURIOSITY: Final = 0.3
"""Weight of rules of thumb and of rarely tried answers, compared with results so far."""

ALIKE: Final = 10
"""Number of classes into which decisions to reveal are sorted, by the likelihood of revealing."""

_Key: TypeAlias = tuple[object, ...]


class _Arm:
    """The results of one answer so far."""

    __slots__ = ("brought", "tried")

    def __init__(self) -> None:
        self.tried = 0
        self.brought = 0.0


class Experience:
    """The results of one search for the decisions of all seats."""

    def __init__(
        self,
        mine: Sequence[Seat],
        sides: Sides,
        chance: Chance,
        *,
        all_decisions: bool = True,
    ) -> None:
        """Begin without results. If `all_decisions` is False, learn only decisions to reveal.

        `mine` are the seats of the searching player.
        """
        self._mine = mine
        self._sides = sides
        self._chance = chance
        self._all = all_decisions
        self._arms: dict[_Key, _Arm] = {}
        self._answer = 0
        self._path: list[tuple[_Arm, Seat]] = []

    def begin(self, answer: int) -> None:
        """Begin an iteration that starts with the answer of this number."""
        self._answer = answer
        self._path = []

    def answer(self, game: Game) -> Action:
        """Return the answer to the game's question in this iteration."""
        question = game.question
        seat = game.turn
        own = self._answer if seat in self._mine else -1
        if question == LEAVE_OR_REVEAL:
            likely = reveals(game, self._sides)
            card = game.queue[game.at][1]
            kind = own, seat, card, game.round, int(likely * ALIKE)
            return (
                REVEAL if self._pick(seat, [(kind, 0), (kind, 1)], (1 - likely, likely)) else LEAVE
            )
        if question == ROYAL_DECREE or not self._all:
            return answer(game, self._sides, self._chance)
        if question == PLACE:
            return self._placing(game, own)
        legal = game.legal
        aims = [aim(game, self._sides, each) for each in legal]
        # Answers that aim at 1 influence less than the best, or at still less, are rarely tried.
        least = max(aims) - 1
        odds = [each - least if each > least else 0.02 for each in aims]
        total = sum(odds)
        keys = [(own, seat, question, *self._about(game, each)) for each in legal]
        return legal[self._pick(seat, keys, [each / total for each in odds])]

    def _about(self, game: Game, action: Action) -> _Key:
        if isinstance(action, Eliminate):
            owner, card, face_up, influence, _ = game.queue[action.position - 1]
            return owner, card if face_up or owner == game.turn else "", influence
        if isinstance(action, Copy):
            return (game.queue[action.position - 1][:2],)
        assert isinstance(action, Steal)
        return (action.family,)

    def _placing(self, game: Game, own: int) -> Action:
        seat = game.turn
        hand = game.hands[seat]
        number = len(hand)
        legal = game.legal
        odds = [PLACE_LIKELIHOODS[card] for card in hand]
        total = sum(odds)
        which = self._pick(
            seat, [(own, seat, card) for card in hand], [each / total for each in odds]
        )
        # The legal answers list the start and the end for each card, then each own stack with each
        # card.
        stacks = len(legal) // number - 2
        if stacks < 0:
            return legal[which]
        spots = [legal[2 * which], legal[2 * which + 1]]
        spots += [legal[(2 + stack) * number + which] for stack in range(stacks)]
        if stacks:
            ends = (1 - STACKS) / 2
            likely = [ends, ends, *[STACKS / stacks] * stacks]
        else:
            likely = [0.5, 0.5]
        keys = [(own, seat, spot.token) for spot in spots]
        return spots[self._pick(seat, keys, likely)]

    def _pick(self, seat: Seat, keys: Sequence[_Key], likely: Sequence[float]) -> int:
        """Return the index of the answer to try, and store it for `learn`.

        `keys` and `likely` have one item for each answer: the key of its results, and its
        likelihood by rules of thumb.
        """
        arms = []
        tried = 0
        brought = 0.0
        for key in keys:
            arm = self._arms.get(key)
            if arm is None:
                arm = self._arms[key] = _Arm()
            arms.append(arm)
            tried += arm.tried
            brought += arm.brought
        found = 0
        if tried == 0:
            drawn = self._chance()
            last = len(arms) - 1
            while found < last and drawn >= likely[found]:
                drawn -= likely[found]
                found += 1
        else:
            # Untried answers count as much as the average of all trials.
            mean = brought / tried
            curiosity = CURIOSITY * sqrt(tried)
            best = -1.0
            for number, arm in enumerate(arms):
                worth = arm.brought / arm.tried if arm.tried else mean
                worth += curiosity * likely[number] / (1 + arm.tried)
                if worth > best:
                    best = worth
                    found = number
        self._path.append((arms[found], seat))
        return found

    def learn(self, values: Sequence[float]) -> None:
        """End the iteration, and learn from `values`, its value for each seat."""
        for arm, seat in self._path:
            arm.tried += 1
            arm.brought += values[seat]
