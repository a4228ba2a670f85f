"""What each seat may hope for when a round begins: its expected part of the victory, learned.

Every seat gets a score, a weighted sum of what it has (influence, cards on the table and what
threatens them, cards in hand), and the softmax of the scores is their expectation. The weights are
those under which the results of many games between bots were least surprising: a conditional logit
model (McFadden 1974), one for each round. `scripts/lib/teach_bots.py` makes them.
"""

from collections.abc import Sequence
from math import exp
from typing import Final

from engine.cards import CARDS, CHARACTERS, Seat
from engine.game import Game
from engine.owners import Owners, ranking_of_owners, total
from engine.position import Stack, height

_NUMBER: Final = {card: number for number, card in enumerate(CARDS)}

HOW_CLOSE: Final = 0.05
"""How much of what the end of a game is worth depends on how close it was."""

CLOSE: Final = 3.0
"""So much influence more makes it e times as much."""

POOL: Final = 0
"""Index of the weight of 1 influence in the pool; so are those that follow, of what they say."""
STACKS: Final = 1
LATER: Final = 2
"""How many seats after the round's first player."""
IN_HAND: Final = 3
"""And the nine indices after it: each card, in the order of `CARDS`. So are the next three."""
DOWN: Final = IN_HAND + 10
UP: Final = DOWN + 10
COVERED: Final = UP + 10
COVERED_UP: Final = COVERED + 10
COVERED_INFLUENCE: Final = COVERED_UP + 1
ON_CARD: Final = COVERED_INFLUENCE + 1
"""Influence on a face-down card that is neither of the next two."""
ON_CONSPIRACY: Final = ON_CARD + 1
ON_AMBUSH: Final = ON_CONSPIRACY + 1
HEIR_ALONE: Final = ON_AMBUSH + 1
"""A face-up Heir that no other keeps from gaining."""
HEIR_DOWN_ALONE: Final = HEIR_ALONE + 1
LORD_BESIDE: Final = HEIR_DOWN_ALONE + 1
"""Cards of the family beside a face-up Lord."""
LORD_DOWN_BESIDE: Final = LORD_BESIDE + 1
SPY_BESIDE: Final = LORD_DOWN_BESIDE + 1
"""A face-up Spy beside somebody who has something."""
SOLDIER_AT_HOME: Final = SPY_BESIDE + 1
"""A face-up Soldier with none but its own family beside it."""
COPIES: Final = SOLDIER_AT_HOME + 1
"""A face-up Shapeshifter beside a face-up Character worth copying."""
IN_REACH: Final = COPIES + 1
"""Part of an attacker that a card that is no Ambush must fear."""
IN_REACH_INFLUENCE: Final = IN_REACH + 1
"""The same, times the influence on the card."""
AMBUSH_IN_REACH: Final = IN_REACH_INFLUENCE + 1
"""Part of an attacker for an Ambush to spring upon."""
OWN_IN_REACH: Final = AMBUSH_IN_REACH + 1
"""Part of an attacker that a card must fear though it is of its own family."""
TERMS: Final = OWN_IN_REACH + 1
"""How many weights there are for a round."""

Term = tuple[Seat, int, float]
"""A seat, the index of a weight, and how many times it counts."""

Weights = Sequence[Sequence[float]]
"""By round; those of the first are never used, as nothing lies on the table yet."""


def outcome(game: Game, everybody: Owners) -> list[float]:
    """Return what the end of a game is worth to each seat: mostly its part of the victory.

    A little depends on how close it was, so that who must lose still plays on sensibly. Seats of
    one owner win together.
    """
    winners = ranking_of_owners(game, everybody)[0]
    close = _softmax([total(game, owner) / CLOSE for owner in everybody])
    return _by_seat(
        [
            (1 - HOW_CLOSE) * (owner in winners) / len(winners) + HOW_CLOSE * part
            for owner, part in zip(everybody, close, strict=True)
        ],
        everybody,
    )


def expectation(game: Game, everybody: Owners, weights: Weights) -> list[float]:
    """Return what part of the victory each seat may expect when a round begins.

    Seats that win together have the sum of their scores.
    """
    scores = [0.0] * len(game.families)
    row = weights[game.round]
    for seat, index, times in terms(game):
        scores[seat] += row[index] * times
    if len(everybody) == len(scores):
        return _softmax(scores)
    return _by_seat(
        _softmax([sum(scores[seat] for seat in owner) for owner in everybody]), everybody
    )


def _softmax(scores: list[float]) -> list[float]:
    most = max(scores)
    powers = [exp(score - most) for score in scores]
    total_power = sum(powers)
    return [power / total_power for power in powers]


def _by_seat(values: list[float], everybody: Owners) -> list[float]:
    found = [0.0] * sum(map(len, everybody))
    for owner, value in zip(everybody, values, strict=True):
        for seat in owner:
            found[seat] = value
    return found


def terms(game: Game) -> list[Term]:
    """Return what each seat's score is made of, at the beginning of a round."""
    queue = game.queue
    players = len(game.families)
    pools = game.pools
    found: list[Term] = [(seat, POOL, pool) for seat, pool in enumerate(pools)]
    add = found.append
    for seat, hand in enumerate(game.hands):
        add((seat, LATER, (seat - game.first) % players))
        for card in hand:
            add((seat, IN_HAND + _NUMBER[card], 1.0))
    last = len(queue) - 1
    reach = _reach(queue)
    heirs = shifters = 0
    for _, card, face_up, _, _ in queue:
        if face_up:
            if card == "H":
                heirs += 1
            elif card == "F":
                shifters += 1
    for index, (seat, card, face_up, influence, covered) in enumerate(queue):
        add((seat, STACKS, 1.0))
        if face_up:
            add((seat, UP + _NUMBER[card], 1.0))
            if card == "H":
                if heirs == 1:
                    add((seat, HEIR_ALONE, 1.0))
            elif card == "L":
                add((seat, LORD_BESIDE, _family_beside(game, index)))
            elif card == "P":
                if any(
                    queue[beside][0] != seat and pools[queue[beside][0]]
                    for beside in (index - 1, index + 1)
                    if 0 <= beside <= last
                ):
                    add((seat, SPY_BESIDE, 1.0))
            elif card == "S":
                if all(
                    queue[beside][0] == seat
                    for beside in (index - 1, index + 1)
                    if 0 <= beside <= last
                ):
                    add((seat, SOLDIER_AT_HOME, 1.0))
            elif card == "F" and any(
                queue[beside][2] and queue[beside][1] in CHARACTERS and queue[beside][1] != "F"
                for beside in (index - 1, index + 1)
                if 0 <= beside <= last
            ):
                add((seat, COPIES, 1.0))
        else:
            add((seat, DOWN + _NUMBER[card], 1.0))
            if card == "C":
                add((seat, ON_CONSPIRACY, influence))
            elif card == "M":
                add((seat, ON_AMBUSH, influence))
            else:
                add((seat, ON_CARD, influence))
                if card == "H":
                    if not heirs:
                        add((seat, HEIR_DOWN_ALONE, 1.0))
                elif card == "L":
                    add((seat, LORD_DOWN_BESIDE, _family_beside(game, index)))
        for owner, part in reach[index]:
            if owner == seat:
                add((seat, OWN_IN_REACH, part))
            elif card == "M" and not face_up:
                add((seat, AMBUSH_IN_REACH, part))
            else:
                add((seat, IN_REACH, part))
                if influence:
                    add((seat, IN_REACH_INFLUENCE, part * influence))
        while covered is not None:
            _, card, face_up, influence, covered = covered
            if face_up:
                add((seat, COVERED_UP, 1.0))
            else:
                add((seat, COVERED + _NUMBER[card], 1.0))
                if influence:
                    add((seat, COVERED_INFLUENCE, influence))
    return found


def _reach(queue: list[Stack]) -> list[list[tuple[Seat, float]]]:
    """Return which face-up attackers, and which part of each, every card must reckon with."""
    reach: list[list[tuple[Seat, float]]] = [[] for _ in queue]
    last = len(queue) - 1
    for index, (seat, card, face_up, _, _) in enumerate(queue):
        if not face_up:
            continue
        if card == "S":
            targets = [beside for beside in (index - 1, index + 1) if 0 <= beside <= last]
        elif card == "A":
            targets = [0, last] if last else [0]
        else:
            continue
        prey = [target for target in targets if queue[target][0] != seat] or targets
        for target in prey:
            reach[target].append((seat, 1 / len(prey)))
    return reach


def _family_beside(game: Game, index: int) -> int:
    queue = game.queue
    seat = queue[index][0]
    found = 0
    for beside in (index - 1, index + 1):
        if 0 <= beside < len(queue) and queue[beside][0] == seat:
            found += height(queue[beside]) if game.edition.lord_counts_covered_cards else 1
    return found
