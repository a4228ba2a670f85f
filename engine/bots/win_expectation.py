"""Estimates each seat's share of the victory when a round begins, by learned weights.

Each seat's score is the sum of the weights of its terms, such as a card in hand. The softmax of the
scores is the expectation. The weights come from a conditional logit model (McFadden 1974) of many
games, one set for each round. `scripts/train` fits them.
"""

from collections.abc import Sequence
from math import exp
from typing import Final, TypeAlias

from engine.abilities import lord, neighbours
from engine.cards import CARDS, CHARACTERS, Card, Seat
from engine.game import Game
from engine.ranking import Owners, ranking_of_owners, sides, total

HOW_CLOSE: Final = 0.05
"""The part of a game's value that depends on the margin of influence, not on the victory."""

CLOSE: Final = 3.0
"""The lead in influence that multiplies a seat's share of `HOW_CLOSE` by e."""

Term: TypeAlias = str
"""The name of a feature of a seat, such as a card in hand. Each term has a learned weight."""

IN_HAND: Final[dict[Card, Term]] = {card: f"hand {card}" for card in CARDS}
"""The term for each card in hand."""
DOWN: Final[dict[Card, Term]] = {card: f"down {card}" for card in CARDS}
"""The term for each card that is face down on top of a stack."""
UP: Final[dict[Card, Term]] = {card: f"up {card}" for card in CARDS}
"""The term for each card that is face up on top of a stack."""
COVERED_TERMS: Final[dict[Card, Term]] = {card: f"covered {card}" for card in CARDS}
"""The term for each card that is covered, face down."""

Counted: TypeAlias = tuple[Seat, Term, float]
"""A seat, a term, and the number of times that the term counts for the seat."""

Weights: TypeAlias = Sequence[dict[Term, float]]
"""The weight of each term, by round. The entries 0 and 1 are empty: there is no round 0, and the
Queue is empty when round 1 begins.
"""


def outcome(game: Game, everybody: Owners) -> list[float]:
    """Return the value of a finished game for each seat: mostly its share of the victory.

    A small part depends on the margin, so that losing players still play sensibly.
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
    """Return each seat's expected share of the victory when a round begins."""
    scores = [0.0] * len(game.families)
    row = weights[game.round]
    for seat, term, times in terms(game, everybody):
        scores[seat] += row.get(term, 0.0) * times
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


def terms(game: Game, everybody: Owners) -> list[Counted]:
    """Return the terms of each seat's score when a round begins."""
    queue, pools = game.queue, game.pools
    players = len(game.families)
    found: list[Counted] = [(seat, "pool", pool) for seat, pool in enumerate(pools)]
    for seat, hand in enumerate(game.hands):
        found.append((seat, "later", (seat - game.first) % players))
        for card in hand:
            found.append((seat, IN_HAND[card], 1.0))
    together = sides(everybody)
    reach = _reach(game, together)
    heirs = sum(card == "H" and face_up for _, card, face_up, _, _ in queue)
    for index, (seat, card, face_up, influence, covered) in enumerate(queue):
        beside = [queue[place] for place in neighbours(game, index)]
        found.append((seat, "stacks", 1.0))
        if face_up:
            found.append((seat, UP[card], 1.0))
            if card == "H":
                if heirs == 1:
                    found.append((seat, "heir alone", 1.0))
            elif card == "L":
                found.append((seat, "lord beside", lord(game, index) - 1))
            elif card == "P":
                if any(
                    together[other[0]] != together[seat] and pools[other[0]] for other in beside
                ):
                    found.append((seat, "spy beside", 1.0))
            elif card == "S":
                if all(together[other[0]] == together[seat] for other in beside):
                    found.append((seat, "soldier at home", 1.0))
            elif card == "F" and any(
                other[2] and other[1] in CHARACTERS and other[1] != "F" for other in beside
            ):
                found.append((seat, "copies", 1.0))
        else:
            found.append((seat, DOWN[card], 1.0))
            if card == "C":
                found.append((seat, "on conspiracy", influence))
            elif card == "M":
                found.append((seat, "on ambush", influence))
            else:
                found.append((seat, "on card", influence))
                if card == "H":
                    if not heirs:
                        found.append((seat, "heir down alone", 1.0))
                elif card == "L":
                    found.append((seat, "lord down beside", lord(game, index) - 1))
        for owner, part in reach[index]:
            if together[owner] == together[seat]:
                found.append((seat, "own in reach", part))
            elif card == "M" and not face_up:
                found.append((seat, "ambush in reach", part))
            else:
                found.append((seat, "in reach", part))
                if influence:
                    found.append((seat, "in reach influence", part * influence))
        while covered is not None:
            _, card, face_up, influence, covered = covered
            if face_up:
                found.append((seat, "covered up", 1.0))
            else:
                found.append((seat, COVERED_TERMS[card], 1.0))
                if influence:
                    found.append((seat, "covered influence", influence))
    return found


def _reach(game: Game, together: Sequence[Seat]) -> list[list[tuple[Seat, float]]]:
    """Return, for each stack, the face-up attackers that reach its top card.

    An attacker is a pair: its owner, and the share of its attacks that this card receives.
    """
    queue = game.queue
    reach: list[list[tuple[Seat, float]]] = [[] for _ in queue]
    last = len(queue) - 1
    for index, (seat, card, face_up, _, _) in enumerate(queue):
        if not face_up:
            continue
        if card == "S":
            targets = neighbours(game, index)
        elif card == "A":
            targets = (0, last) if last else (0,)
        else:
            continue
        prey = [
            target for target in targets if together[queue[target][0]] != together[seat]
        ] or targets
        for target in prey:
            reach[target].append((seat, 1 / len(prey)))
    return reach
