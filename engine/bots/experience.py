"""Learning during one search how every seat had better decide.

Rules of thumb begin, and what came of it takes over (PUCT, Rosin 2011, in the form of Silver et al.
2017). What a seat can see says which decision it is, and an answer is told by what it is about, a
card and a spot or whose card is aimed at, not by where in the Queue that lies; of the searching
seat's own decisions it is kept apart which answer the iteration began with. It is a search tree
that forgets the order of what happened, and so learns from far fewer iterations than one that does
not. A Royal Decree, which has a hundred answers, is left to chance.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final, TypeAlias

from engine.actions import LEAVE, REVEAL, Action, Copy, Eliminate, Steal
from engine.bots.rollout import PLACED, STACKS, Chance, Sides, aim, answer, reveals
from engine.cards import ROYAL_DECREE, Seat
from engine.game import Game
from engine.position import LEAVE_OR_REVEAL, PLACE

CURIOSITY: Final = 0.3
"""How much a rule of thumb, and that something was seldom tried, count against what came of it."""

ALIKE: Final = 10
"""How many kinds of situations there are, by how often the rules of thumb reveal a card there."""

_Key: TypeAlias = tuple[object, ...]


class _Arm:
    """What an answer has brought so far."""

    __slots__ = ("brought", "tried")

    def __init__(self) -> None:
        self.tried = 0
        self.brought = 0.0


class Experience:
    """What the iterations of one search have taught about the decisions of all seats."""

    def __init__(
        self,
        mine: Sequence[Seat],
        sides: Sides,
        chance: Chance,
        *,
        all_decisions: bool = True,
    ) -> None:
        """Learn all, or else only when to reveal."""
        self._mine = mine
        self._sides = sides
        self._chance = chance
        self._all = all_decisions
        self._arms: dict[_Key, _Arm] = {}
        self._answer = 0
        self._path: list[tuple[_Arm, Seat]] = []

    def begin(self, answer: int) -> None:
        """Begin an iteration, with the answer of this number."""
        self._answer = answer
        self._path = []

    def answer(self, game: Game) -> Action:
        """Return the answer to the question that is asked in this iteration."""
        asked = game.asked
        seat = game.turn
        own = self._answer if seat in self._mine else -1
        if asked == LEAVE_OR_REVEAL:
            likely = reveals(game, self._sides)
            card = game.queue[game.at][1]
            kind = own, seat, card, game.round, int(likely * ALIKE)
            return (
                REVEAL if self._pick(seat, [(kind, 0), (kind, 1)], (1 - likely, likely)) else LEAVE
            )
        if asked == ROYAL_DECREE or not self._all:
            return answer(game, self._sides, self._chance)
        if asked == PLACE:
            return self._placing(game, own)
        legal = game.legal
        aims = [aim(game, self._sides, each) for each in legal]
        least = max(aims) - 1
        odds = [each - least if each > least else 0.02 for each in aims]
        total = sum(odds)
        keys = [(own, seat, asked, *self._about(game, each)) for each in legal]
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
        odds = [PLACED[card] for card in hand]
        total = sum(odds)
        which = self._pick(
            seat, [(own, seat, card) for card in hand], [each / total for each in odds]
        )
        # The legal answers list each card's start and end, and then each own stack with each card.
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
        """Return the number of the answer to try, one of those with these keys."""
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
            # What has not been tried yet is taken to be as good as the rest.
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
        """End the iteration, in which this came of it for each seat."""
        for arm, seat in self._path:
            arm.tried += 1
            arm.brought += values[seat]
