"""Plays a game on with quick, sensible and varied answers, as searching bots do in rollouts.

Each seat answers from its own cards and public facts. A rollout is far cheaper than any bot and
plays worse; the search averages many of them.
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
"""A function that returns a random number in [0, 1), as `Random.random` does."""

PLACE_LIKELIHOODS: Final = {card: worth.placed for card, worth in WORTH.items()}
"""Relative likelihood of a card to be placed next."""

_REVEALED: Final = {card: worth.revealed for card, worth in WORTH.items()}
"""Frequency of revealing a card before the last round. For an Heir and a Lord this holds if they
gain little (see `PAYS`).
"""

STACKS: Final = 0.1
"""Frequency of placing a card on a stack of its family if there is one."""

PAYS: Final = 0.9
"""Frequency of revealing an Heir or Lord that gains 2 or more."""

HUNTED_LEAVE_FREQUENCY: Final = 0.4
"""The factor by which an attacker that reaches a card lowers the frequency of leaving the card. It
does not apply to an Ambush or a Conspiracy.
"""

CASH_FREQUENCY: Final = 0.8
"""Frequency of revealing a Conspiracy with influence when an attacker reaches it."""

SPRINGS: Final = 0.3
"""Frequency of revealing an Ambush in the last round when an attacker reaches it."""

Sides: TypeAlias = Sequence[Seat]
"""A number for each seat. Seats with equal numbers win together (`ranking.sides`)."""


def answer(game: Game, sides: Sides, chance: Chance) -> Action:
    """Return a random legal answer; sensible answers are more likely.

    Only the moves of a Royal Decree are all equally likely.
    """
    question = game.question
    if question == LEAVE_OR_REVEAL:
        return REVEAL if chance() < reveals(game, sides) else LEAVE
    if question == PLACE:
        return _placing(game, chance)
    if question == ROYAL_DECREE:
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
    """Return the probability that the resolving face-down card is revealed."""
    at = game.at
    _, card, _, influence, _ = game.queue[at]
    hunted = _is_hunted(game, sides)
    if game.round == ROUNDS:
        return SPRINGS if card == AMBUSH and hunted else 1.0
    if card == CONSPIRACY and hunted and influence:
        return CASH_FREQUENCY
    pays = (card == HEIR and heir(game, at)) or (card == LORD and lord(game, at) > 1)
    chance = PAYS if pays else _REVEALED[card]
    return (
        1 - (1 - chance) * HUNTED_LEAVE_FREQUENCY
        if hunted and card not in (AMBUSH, CONSPIRACY)
        else chance
    )


def _is_hunted(game: Game, sides: Sides) -> bool:
    """Return True if an opponent's face-up Soldier or Archer reaches the resolving card."""
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
    odds = [PLACE_LIKELIHOODS[card] for card in hand]
    drawn = chance() * sum(odds)
    which = 0
    while drawn >= odds[which] and which + 1 < number:
        drawn -= odds[which]
        which += 1
    legal = game.legal
    # The legal answers list the start and the end for each card, then each own stack with each
    # card.
    stacks = len(legal) // number - 2
    if stacks < 0:
        return legal[which]
    if stacks and chance() < STACKS:
        return legal[(2 + int(chance() * stacks)) * number + which]
    return legal[2 * which + (chance() < 0.5)]


def aim(game: Game, sides: Sides, action: Action) -> float:
    """Return the rough gain of an answer to an ability, for the ability's owner."""
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
