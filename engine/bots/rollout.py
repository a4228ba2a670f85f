"""Rollouts: how a searching bot plays a game on, quickly, sensibly and not always the same.

Each seat answers as somebody would who sees their own cards and what lies open. It is far cheaper
than any bot, and plays worse; the search finds out what is best.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from engine.abilities import heir, lord
from engine.actions import LEAVE, REVEAL, Action, Copy, Eliminate, Steal
from engine.bots.worth import BRINGS, WORTH
from engine.cards import (
    AMBUSH,
    ARCHER,
    CONSPIRACY,
    HEIR,
    LORD,
    ROUNDS,
    ROYAL_DECREE,
    SHAPESHIFTER,
    SOLDIER,
    Seat,
)
from engine.game import Game
from engine.position import LEAVE_OR_REVEAL, PLACE

Chance: TypeAlias = Callable[[], float]
"""Returns a random number from 0 up to, but not including, 1, as `Random.random` does."""

PLACED: Final = {card: worth.placed for card, worth in WORTH.items()}
"""How likely a card is to be placed next, against the others in hand."""

_REVEALED: Final = {card: worth.revealed for card, worth in WORTH.items()}
"""How often a card is revealed before the last round, an Heir or a Lord that gains little too."""

STACKS: Final = 0.1
"""How often a card is put on a stack when it could be."""

PAYS: Final = 0.9
"""How often an Heir or a Lord that gains 2 or more is revealed."""

HUNTED: Final = 0.4
"""How often a card that would be left is left all the same where an attacker reaches it."""

CASHED: Final = 0.8
"""How often a Conspiracy with influence on it is revealed where an attacker reaches it."""

SPRINGS: Final = 0.3
"""How often an Ambush is revealed in the last round where an attacker may yet spring it."""

Sides: TypeAlias = Sequence[Seat]
"""By seat, what is equal for those who win together (`ranking.sides`)."""


def answer(game: Game, sides: Sides, chance: Chance) -> Action:
    """Return one of the legal answers."""
    asked = game.asked
    if asked == LEAVE_OR_REVEAL:
        return REVEAL if chance() < reveals(game, sides) else LEAVE
    if asked == PLACE:
        return _placing(game, chance)
    if asked == ROYAL_DECREE:
        return game.legal[int(chance() * len(game.legal))]
    best = game.legal[0]
    most = -99.0
    for each in game.legal:
        promise = aim(game, sides, each) + chance()
        if promise > most:
            most = promise
            best = each
    return best


def reveals(game: Game, sides: Sides) -> float:
    """Return how likely the card that is asked about is to be revealed."""
    at = game.at
    _, card, _, influence, _ = game.queue[at]
    hunted = _is_hunted(game, sides)
    if game.round == ROUNDS:
        return SPRINGS if card == AMBUSH and hunted else 1.0
    if card == CONSPIRACY and hunted and influence:
        return CASHED
    pays = (card == HEIR and heir(game, at)) or (card == LORD and lord(game, at) > 1)
    chance = PAYS if pays else _REVEALED[card]
    return 1 - (1 - chance) * HUNTED if hunted and card not in (AMBUSH, CONSPIRACY) else chance


def _is_hunted(game: Game, sides: Sides) -> bool:
    """Return whether an opponent's face-up Soldier or Archer reaches the card asked about."""
    queue = game.queue
    at = game.at
    side = sides[queue[at][0]]
    last = len(queue) - 1
    if at:
        owner, card, face_up, _, _ = queue[at - 1]
        if card == SOLDIER and face_up and sides[owner] != side:
            return True
    if at < last:
        owner, card, face_up, _, _ = queue[at + 1]
        if card == SOLDIER and face_up and sides[owner] != side:
            return True
    if at == 0 or at == last:
        for owner, card, face_up, _, _ in queue:
            if card == ARCHER and face_up and sides[owner] != side:
                return True
    return False


def _placing(game: Game, chance: Chance) -> Action:
    seat = game.turn
    hand = game.hands[seat]
    number = len(hand)
    odds = [PLACED[card] for card in hand]
    drawn = chance() * sum(odds)
    which = 0
    while drawn >= odds[which] and which + 1 < number:
        drawn -= odds[which]
        which += 1
    legal = game.legal
    # The legal answers list each card's start and end, and then each own stack with each card.
    stacks = len(legal) // number - 2
    if stacks < 0:
        return legal[which]
    if stacks and chance() < STACKS:
        return legal[(2 + int(chance() * stacks)) * number + which]
    return legal[2 * which + (chance() < 0.5)]


def aim(game: Game, sides: Sides, action: Action) -> float:
    """Return roughly what an answer to an ability brings its owner."""
    queue = game.queue
    side = sides[game.turn]
    if isinstance(action, Eliminate):
        owner, card, face_up, influence, _ = queue[action.position - 1]
        left = ROUNDS - game.round + (action.position - 1 > game.at)
        if sides[owner] == side:
            return -5.0 if card == AMBUSH else -influence - left
        return BRINGS[card] * left if face_up else influence + 0.5 * left + 0.5
    if isinstance(action, Steal):
        victim = game.seat_of(action.family)
        return -1.0 if sides[victim] == side else game.pools[victim]
    if isinstance(action, Copy):
        return 0.0 if queue[action.position - 1][1] == SHAPESHIFTER else 1.0
    return 0.0
