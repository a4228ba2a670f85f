"""How a game goes on in a searching bot's imagination: quick, sensible and not always the same.

Each seat answers as somebody would who sees their own cards and what lies open; that the imagined
game knows every card is no help to them. It is far cheaper than any bot, and plays worse.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from engine.abilities import heir, lord
from engine.actions import END, LEAVE, ON, REVEAL, Action, Copy, Eliminate, Place, Steal
from engine.cards import AMBUSH, CONSPIRACY, ROUNDS, Card
from engine.game import Game
from engine.position import LEAVE_OR_REVEAL, PLACE

Chance: TypeAlias = Callable[[], float]
"""Gives numbers from 0 up to, but not including, 1."""

WORTH_AGAIN: Final[dict[Card, float]] = {
    "A": 1.5,
    "S": 1.5,
    "P": 1.25,
    "H": 1.5,
    "F": 1.25,
    "L": 1.5,
    "X": 2.0,
    "D": 0.5,
    "M": 1.0,
    "C": 0.0,
}
"""What a face-up card tends to bring its owner each time that it is resolved."""

EARLY: Final[dict[Card, float]] = {
    "C": 6.0,
    "H": 4.0,
    "L": 4.0,
    "S": 3.0,
    "P": 3.0,
    "A": 2.5,
    "F": 2.0,
    "M": 2.0,
    "X": 1.0,
    "D": 0.5,
}
"""How likely, against the others in hand, a card is to be placed next."""

STACKS_SELDOM: Final = 0.1
"""How often a card is put on a stack when it could be."""


def finish(game: Game, chance: Chance) -> None:
    """Play a game to its end, in place."""
    while game.legal:
        game.advance(answer(game, chance))


def answer(game: Game, chance: Chance) -> Action:
    """Return one of the legal answers."""
    asked = game.asked
    if asked == LEAVE_OR_REVEAL:
        return REVEAL if chance() < reveals(game) else LEAVE
    if asked == PLACE:
        return _placing(game, chance)
    if asked == "D":
        return game.legal[int(chance() * len(game.legal))]
    return max(game.legal, key=lambda each: _aim(game, each) + chance())


def reveals(game: Game) -> float:
    """Return how likely the card that is asked about is to be revealed."""
    queue = game.queue
    at = game.at
    seat, card, _, influence, _ = queue[at]
    last = len(queue) - 1
    hunted = False
    for beside in (at - 1, at + 1):
        if 0 <= beside <= last:
            owner, other, face_up, _, _ = queue[beside]
            if owner != seat and face_up and other == "S":
                hunted = True
    if at in (0, last):
        hunted = hunted or any(
            face_up and other == "A" and owner != seat for owner, other, face_up, _, _ in queue
        )
    if game.round == ROUNDS:
        return 0.3 if card == AMBUSH and hunted else 1.0
    if card == AMBUSH:
        return 0.02
    if card == CONSPIRACY:
        return 0.8 if hunted and influence else 0.03
    if card == "H":
        chance = 0.9 if heir(game, at) else 0.1
    elif card == "L":
        chance = 0.9 if lord(game, at) > 1 else 0.4
    elif card in "XD":
        chance = 0.15
    else:
        chance = 0.5
    return 1 - (1 - chance) * 0.4 if hunted else chance


def _placing(game: Game, chance: Chance) -> Action:
    hand = game.hands[game.turn]
    drawn = chance() * sum(EARLY[card] for card in hand)
    wanted = hand[-1]
    for card in hand:
        drawn -= EARLY[card]
        if drawn < 0:
            wanted = card
            break
    on_end = chance() < 0.5
    legal = game.legal
    ways = [each for each in legal if isinstance(each, Place) and each.card == wanted]
    stacks = [each for each in ways if each.spot == ON]
    if stacks and chance() < STACKS_SELDOM:
        return stacks[int(chance() * len(stacks))]
    for each in ways:
        if (each.spot == END) == on_end:
            return each
    return ways[0]


def _aim(game: Game, action: Action) -> float:
    """Return roughly what an answer to an ability brings its owner."""
    queue = game.queue
    seat = game.turn
    if isinstance(action, Eliminate):
        owner, card, face_up, influence, _ = queue[action.position - 1]
        left = ROUNDS - game.round + (action.position - 1 > game.at)
        if owner == seat:
            return -5.0 if card == AMBUSH else -influence - left
        return WORTH_AGAIN[card] * left if face_up else influence + 0.5 * left + 0.5
    if isinstance(action, Steal):
        victim = game.seat_of(action.family)
        return -1.0 if victim == seat else game.pools[victim]
    if isinstance(action, Copy):
        return 0.0 if queue[action.position - 1][1] == "F" else 1.0
    return 0.0
